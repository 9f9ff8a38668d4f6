// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A finished model beside what was planned for its study.

#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// What the study's public numbers let expect of the model that validation measures, and how far it came. Fleets are
/// drawn for it, the same each time. Nothing is known of models that no device validates, of classes, and of links.
[[nodiscard]] Planned compare_with_plan(const Study& study, const Model& model);

}  // namespace sotto::analyzer
