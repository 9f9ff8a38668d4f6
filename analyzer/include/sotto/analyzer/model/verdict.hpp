// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The verdict on a result: whether anything was learned from the reports.

#include <string_view>
#include <vector>

namespace sotto::analyzer {

/// The verdict. It follows from what the analyzer sees, never from a truth that only a simulator knows. A model of which
/// nobody measured how well it predicts is `not_measured`, however sound its estimates look.
enum class Verdict { learned, uncertain, cannot_learn, not_measured };
[[nodiscard]] std::string_view verdict_text(Verdict verdict);
/// The verdict over repeats: learned or cannot learn if all agree, else uncertain.
[[nodiscard]] Verdict judge_all(const std::vector<Verdict>& verdicts);

}  // namespace sotto::analyzer
