// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The verdict on a result: whether anything was learned from the reports.

#include <string_view>
#include <vector>

namespace sotto::analyzer {

/// The verdict. It is computed from what the analyzer sees, never from the truth that a simulator knows. A model whose
/// predictions were not measured on other devices is `not_measured`, however small its standard errors are.
enum class Verdict { learned, uncertain, cannot_learn, not_measured };
[[nodiscard]] std::string_view verdict_text(Verdict verdict);
/// The verdict over several repetitions: the common verdict if all agree, else `uncertain`. There must be at least one.
[[nodiscard]] Verdict judge_all(const std::vector<Verdict>& verdicts);

}  // namespace sotto::analyzer
