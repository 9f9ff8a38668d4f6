// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/model/verdict.hpp"

#include <algorithm>

namespace sotto::analyzer {

std::string_view verdict_text(Verdict verdict) {
  switch (verdict) {
    case Verdict::learned: return "learned";
    case Verdict::uncertain: return "uncertain";
    case Verdict::cannot_learn: return "cannot learn";
    case Verdict::not_measured: return "not measured";
  }
  return "";
}

Verdict judge_all(const std::vector<Verdict>& verdicts) {
  const bool agree = std::equal(verdicts.begin() + 1, verdicts.end(), verdicts.begin());
  return agree ? verdicts.front() : Verdict::uncertain;
}

}  // namespace sotto::analyzer
