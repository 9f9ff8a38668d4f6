// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include "audit.hpp"
#include "say.hpp"
#include "talk.hpp"

// The rows of `sotto audit`, as text and as JSON.
namespace sotto::cli {
namespace {

namespace audit = analyzer::audit;

Json row_json(const audit::AuditRow& r) {
  return {{"question", r.question},
          {"stem", r.stem},
          {"asking", r.asking},
          {"parameters", r.parameters},
          {"epsilon_declared", r.epsilon_declared},
          {"epsilon_delivered", r.epsilon_delivered},
          {"epsilon_event", r.epsilon_event},
          {"epsilon_lower_bound", r.epsilon_lower_bound},
          {"delta", r.delta},
          {"runs", r.runs},
          {"alpha", r.alpha},
          {"event", r.event},
          {"threshold_certified", r.certified ? Json(*r.certified) : Json(nullptr)},
          {"threshold_read", r.read ? Json(*r.read) : Json(nullptr)},
          {"verdict", audit::verdict_name(r.verdict)}};
}

void print_table(const std::vector<audit::AuditRow>& rows) {
  say("Reports for two data sets. The event that tells them apart was found on one half of the runs and counted on the "
      "other.\nA bound is wrong with probability at most alpha = {}; delivered is exact, from the randomizer's "
      "integers.\n\n",
      rows.front().alpha);
  std::size_t width = 10;
  for (const audit::AuditRow& r : rows) width = std::max(width, r.parameters.size());
  say("{:<15} {:<17} {:<10} {:<{}} {:>8} {:>12} {:>11} {:>7}  {:<10} {}\n", "question", "stem", "asked", "parameters",
      width, "declared", "delivered", "lower bound", "runs", "event", "verdict");
  for (const audit::AuditRow& r : rows) {
    say("{:<15} {:<17} {:<10} {:<{}} {:>8.4g} {:>12.9f} {:>11.4f} {:>7}  {:<10} {}\n", r.question, r.stem, r.asking,
        r.parameters, width, r.epsilon_declared, r.epsilon_delivered, r.epsilon_lower_bound, r.runs, r.event,
        audit::verdict_name(r.verdict));
  }
}

}  // namespace

int show_audit(const std::vector<audit::AuditRow>& rows, bool json) {
  const bool spent_more = std::any_of(rows.begin(), rows.end(), [](const audit::AuditRow& r) {
    return r.verdict == audit::Verdict::overspent || r.verdict == audit::Verdict::refused ||
           r.verdict == audit::Verdict::misdrawn;
  });
  if (json) {
    Json list = Json::array();
    for (const audit::AuditRow& r : rows) list.push_back(row_json(r));
    print_json({{"verdict", spent_more ? "overspent" : "agrees"}, {"rows", list}});
  } else {
    print_table(rows);
    const bool was_read =
        std::any_of(rows.begin(), rows.end(), [](const audit::AuditRow& r) { return r.read.has_value(); });
    const char* const good = was_read
                                 ? "No lower bound exceeds the declared epsilon, and the device draws as certified."
                                 : "No lower bound exceeds the declared epsilon.";
    say("\n{}\n", spent_more ? "A lower bound exceeds the declared epsilon, the device draws otherwise than it "
                               "certified, or it refused: see the verdicts."
                             : good);
  }
  return spent_more ? refused : done;
}

}  // namespace sotto::cli
