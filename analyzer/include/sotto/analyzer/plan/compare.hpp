// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A finished model beside what was planned for its study.

#include <string>

#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// What the study's public numbers let expect of the model that validation measures, and how far it came: one sentence
/// with numbers, "less", "as much" or "more" than planned. Fleets are drawn for it, the same each time. Empty for
/// models that no device validates, for classes, and for links.
[[nodiscard]] std::string compare_with_plan(const Study& study, const Model& model);
/// Says it beside the model's verdict.
void tell_plan(const Study& study, Model& model);

}  // namespace sotto::analyzer
