// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "files.hpp"
#include "fit.hpp"
#include "json.hpp"

// `sotto fit`: checks and writes the files of --out.
namespace sotto::cli {

namespace central = analyzer::central;
namespace fs = std::filesystem;
using analyzer::Done;
using analyzer::Error;
using analyzer::Result;

namespace {

constexpr const char *k_model = "fit.json", *k_page = "report.html";

bool is_there(const fs::path& path) {
  std::error_code ignored;
  return fs::symlink_status(path, ignored).type() > fs::file_type::not_found;
}

bool is_a_fit(const fs::path& path) {
  const auto text = read_file(path);
  if (!text) return false;
  const Json json = Json::parse(text.value(), nullptr, false);
  return json.is_object() && json.contains("format") && json["format"] == central::k_fit_format;
}

}  // namespace

Result<Done> check_out(const std::string& out) {
  const fs::path directory(out);
  const auto in_use = [](const fs::path& file, const char* what) {
    return Error{"fit.out_in_use", what, file.string(), "choose another --out, or move the file away"};
  };
  const bool has_model = is_there(directory / k_model);
  if (has_model && !is_a_fit(directory / k_model))
    return in_use(directory / k_model, "there is a file of this name that no fit has written");
  // The page beside a model.json belongs to it, and so does the one that a study will write beside its own.
  if (is_there(directory / "model.json"))
    return in_use(directory / "model.json", "the directory holds another model, whose page would be lost");
  for (const char* name : {"manifest.bin", "run.sqlite"}) {
    if (is_there(directory / name))
      return in_use(directory / name, "the directory holds a study, which has a page too");
  }
  if (is_there(directory / k_page) && !has_model)
    return in_use(directory / k_page, "there is a page that no fit has written");
  return Done{};
}

Result<Done> write_out(const FitCommand& o, const FitOutcome& outcome) {
  const fs::path directory(o.out);
  if (const auto made = make_directory(directory); !made) return made.error();
  const auto lock = DirectoryLock::take(directory);
  if (!lock) return lock.error();
  if (const auto good = check_out(o.out); !good) return good.error();
  return write_with_page(directory / k_model, central::fit_json(outcome.model), directory / k_page,
                         analyzer::html::fit_page(analyzer::request::page_of(o.fit, outcome)), "the model was written");
}

}  // namespace sotto::cli
