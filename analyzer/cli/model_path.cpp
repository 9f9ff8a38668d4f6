// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "model_path.hpp"

#include "sotto/analyzer/central/model.hpp"

namespace sotto::cli {

std::filesystem::path model_path(const std::string& given) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  const fs::path path(given);
  if (!fs::is_directory(path, ignored)) return path;
  const bool is_fit_only = !fs::exists(path / "model.json", ignored) && fs::exists(path / "fit.json", ignored);
  return path / (is_fit_only ? "fit.json" : "model.json");
}

bool is_fit(std::string_view text) {
  const auto read = analyzer::central::read_fit(text, "");
  return read.ok() || read.error().code != "fit.not_a_fit";
}

}  // namespace sotto::cli
