// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Writes and reads model.json, the file form of a learned model.

#include <string>
#include <string_view>

#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

inline constexpr std::string_view k_model_format = "sotto-model-1";

/// The model as one JSON object with a fixed order of keys. A number that is not finite becomes null; bytes that are
/// not UTF-8 are replaced.
[[nodiscard]] std::string model_json(const Model& model);

/// Reads a model; null becomes NaN, and unknown keys are ignored. `what` names the text in error messages.
/// Refuses   model.too_large (64 MiB), model.too_deep (32 levels), before anything is parsed; model.not_json;
///           model.other_format; model.missing, model.bad_value: with the path, such as coefficients[3].p_value.
[[nodiscard]] Result<Model> read_model(std::string_view json, const std::string& what);

}  // namespace sotto::analyzer
