// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// @file
/// The model of a study as JSON (shared/spec/RUN.md): writing it, and reading it back.

#include <string>
#include <string_view>

#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

inline constexpr std::string_view k_model_format = "sotto-model-1";

/// The model as one JSON object, always in the same order. A number that is not finite becomes null; bytes that are no UTF-8 are
/// replaced.
[[nodiscard]] std::string model_json(const Model& model);

/// Reads it back; null is NaN. Keys that it does not know are left alone. `what` names the text in messages.
/// Refuses   model.too_large (64 MiB), model.too_deep (32 levels), before anything is parsed; model.not_json; model.other_format;
///           model.missing, model.bad_value: with the path, such as coefficients[3].p_value.
[[nodiscard]] Result<Model> read_model(std::string_view json, const std::string& what);

}  // namespace sotto::analyzer
