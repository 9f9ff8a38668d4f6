// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Which file `sotto predict` and `sotto report` mean: a model of a study, or of `sotto fit`.

#include <filesystem>
#include <string>
#include <string_view>

namespace sotto::cli {

/// The model's path; a directory stands for the model.json in it, or for the fit.json where there is no other.
[[nodiscard]] std::filesystem::path model_path(const std::string& given);
/// Whether the text is a JSON object of the format of `sotto fit`.
[[nodiscard]] bool is_fit(std::string_view text);

}  // namespace sotto::cli
