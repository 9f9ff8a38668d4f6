// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/audit.hpp"
#include "say.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sotto/analyzer/audit/cases.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto audit`: prints the audit of the compiled randomizers.
namespace sotto::cli {
namespace {

namespace audit = analyzer::audit;

struct AuditOptions {
  std::string stem;
  audit::AuditOptions audit;
  bool fresh = false;
  bool json = false;
};

/// Every case at every epsilon, in the order of audit_all(). A case keeps its number, and thereby its coins, when
/// others are left out.
std::vector<audit::AuditCase> all_cases(const audit::AuditOptions& options) {
  std::vector<audit::AuditCase> all;
  for (const EpsilonNano epsilon : options.epsilons) {
    for (const auto& cases :
         {audit::category_cases(epsilon), audit::direction_cases(epsilon), audit::scalar_cases(epsilon)}) {
      all.insert(all.end(), cases.begin(), cases.end());
    }
  }
  return all;
}

/// The stems, each once, in order of appearance.
std::vector<std::string> stems_of(const std::vector<audit::AuditCase>& cases) {
  std::vector<std::string> stems;
  for (const audit::AuditCase& c : cases) {
    if (std::find(stems.begin(), stems.end(), c.stem) == stems.end()) stems.push_back(c.stem);
  }
  return stems;
}

Json row_json(const audit::AuditRow& r) {
  return {{"stem", r.stem},
          {"parameters", r.parameters},
          {"epsilon_declared", r.epsilon_declared},
          {"epsilon_delivered", r.epsilon_delivered},
          {"epsilon_event", r.epsilon_event},
          {"epsilon_lower_bound", r.epsilon_lower_bound},
          {"delta", r.delta},
          {"runs", r.runs},
          {"alpha", r.alpha},
          {"verdict", audit::verdict_name(r.verdict)}};
}

void print_table(const std::vector<audit::AuditRow>& rows) {
  say("Reports of the compiled device library for two inputs, counted. The bound is wrong with probability at most "
      "alpha = {}.\n\n",
      rows.front().alpha);
  std::size_t width = 10;
  for (const audit::AuditRow& r : rows) width = std::max(width, r.parameters.size());
  say("{:<18} {:<{}} {:>9} {:>12} {:>12} {:>9}  {}\n", "stem", "parameters", width, "declared", "delivered",
      "lower bound", "runs", "verdict");
  for (const audit::AuditRow& r : rows) {
    say("{:<18} {:<{}} {:>9.4g} {:>12.9f} {:>12.4f} {:>9}  {}\n", r.stem, r.parameters, width, r.epsilon_declared,
        r.epsilon_delivered, r.epsilon_lower_bound, r.runs, audit::verdict_name(r.verdict));
  }
}

int run_audit(const AuditOptions& options) {
  const std::vector<audit::AuditCase> cases = all_cases(options.audit);
  const std::vector<std::string> stems = stems_of(cases);
  if (!options.stem.empty() && std::find(stems.begin(), stems.end(), options.stem) == stems.end()) {
    return refuse({"audit.unknown_stem", "there is no such randomizer", options.stem,
                   fmt::format("use one of: {}", fmt::join(stems, ", "))},
                  options.json, usage);
  }
  std::vector<audit::AuditRow> rows;
  Progress progress("auditing", cases.size(), options.json);
  for (std::uint64_t number = 0; number < cases.size(); ++number) {
    progress.at(number);
    audit::AuditCase c = cases[number];
    if (!options.stem.empty() && c.stem != options.stem) continue;
    c.runs *= options.audit.runs_factor;
    analyzer::FleetEntropy seeded(options.audit.seed.value_or(0), number);
    rows.push_back(audit::audit(c, options.fresh ? analyzer::system_entropy() : seeded.source(), options.audit.alpha));
  }
  progress.finish();

  const bool spent_more = std::any_of(rows.begin(), rows.end(), [](const audit::AuditRow& r) {
    return r.verdict == audit::Verdict::overspent || r.verdict == audit::Verdict::refused;
  });
  if (options.json) {
    Json list = Json::array();
    for (const audit::AuditRow& r : rows) list.push_back(row_json(r));
    print_json({{"verdict", spent_more ? "overspent" : "agrees"}, {"rows", list}});
  } else {
    print_table(rows);
    say("\n{}\n", spent_more ? "A lower bound exceeds the declared epsilon, or the library refused: see the verdicts."
                             : "No lower bound exceeds the declared epsilon.");
  }
  return spent_more ? refused : done;
}

}  // namespace

void add_audit(CLI::App& app, Action& action) {
  auto options = std::make_shared<AuditOptions>();
  CLI::App* verb = app.add_subcommand("audit", "measure the epsilon that the built device library spends");
  verb->add_option("--stem", options->stem, "audit this randomizer only");
  verb->add_option("--runs-factor", options->audit.runs_factor, "multiplies the tabled number of reports")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000}))
      ->capture_default_str();
  verb->add_flag("--fresh", options->fresh, "use the operating system's entropy instead of a fixed seed");
  verb->add_flag("--json", options->json, "one JSON object on stdout");
  verb->callback([options, &action] { action = [options] { return run_audit(*options); }; });
}

}  // namespace sotto::cli
