// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "audit.hpp"

#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sotto/analyzer/simulate/fleet_entropy.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto audit`: what the device library that is built shows of two data sets, or what captured reports show.
namespace sotto::cli {
namespace {

namespace audit = analyzer::audit;

struct AuditVerb {
  std::string stem, question;
  audit::AuditOptions audit;
  CapturedAudit captured;
  bool fresh = false;
  bool json = false;
};

/// Whether a case is asked for; without a name all are.
bool is_named(const std::string& wanted, const std::string& name) { return wanted.empty() || wanted == name; }

/// Each name once, in order of appearance.
void add_name(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

int run_audit(const AuditVerb& options) {
  const std::vector<audit::AuditCase> cases = audit::audit_cases(options.audit.epsilons);
  std::vector<std::string> stems, questions;
  std::uint64_t wanted = 0;
  const auto is_wanted = [&](const audit::AuditCase& c) {
    return is_named(options.stem, audit::stem_of(*c.pair)) && is_named(options.question, c.pair->question);
  };
  for (const audit::AuditCase& c : cases) {
    add_name(stems, audit::stem_of(*c.pair));
    add_name(questions, c.pair->question);
    wanted += is_wanted(c) ? 1 : 0;
  }
  const auto is_known = [](const std::vector<std::string>& names, const std::string& name) {
    return name.empty() || std::find(names.begin(), names.end(), name) != names.end();
  };
  if (!is_known(stems, options.stem)) {
    return refuse({"audit.unknown_stem", "there is no such randomizer", options.stem,
                   fmt::format("use one of: {}", fmt::join(stems, ", "))},
                  options.json, usage);
  }
  if (!is_known(questions, options.question)) {
    return refuse({"audit.unknown_question", "there is no such question", options.question,
                   fmt::format("use one of: {}", fmt::join(questions, ", "))},
                  options.json, usage);
  }
  if (wanted == 0) {
    return refuse({"audit.unknown_pair", "this question does not take this randomizer",
                   fmt::format("{} with {}", options.question, options.stem), "sotto audit lists all pairs"},
                  options.json, usage);
  }
  std::vector<audit::AuditRow> rows;
  Progress progress("auditing", wanted, options.json);
  // A case keeps its number, and thereby its coins, when others are left out.
  for (std::uint64_t number = 0; number < cases.size(); ++number) {
    if (!is_wanted(cases[number])) continue;
    progress.at(rows.size());
    analyzer::FleetEntropy seeded(options.audit.seed.value_or(0), number);
    rows.push_back(audit::audit(cases[number], options.fresh ? analyzer::system_entropy() : seeded.source(),
                                audit::k_audit_runs * options.audit.runs_factor, options.audit.alpha));
  }
  progress.finish();
  return show_audit(rows, options.json);
}

}  // namespace

void add_audit(CLI::App& app, Action& action) {
  auto options = std::make_shared<AuditVerb>();
  CLI::App* verb = app.add_subcommand("audit", "measure the epsilon that the built device library spends");
  verb->add_option("--stem", options->stem, "audit this randomizer only");
  verb->add_option("--question", options->question, "audit this question only");
  verb->add_option("--runs-factor", options->audit.runs_factor,
                   fmt::format("multiplies the {} runs of each data set", audit::k_audit_runs))
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1000}))
      ->capture_default_str();
  verb->add_flag("--fresh", options->fresh, "use the operating system's entropy instead of a fixed seed");
  CapturedAudit& captured = options->captured;
  CLI::Option* reports =
      verb->add_option("--reports", captured.reports, "audit captured reports instead: one run a line (docs/AUDIT.md)");
  CLI::Option* truth =
      verb->add_option("--truth", captured.truth, "which of two data sets each run was made on: 1 or 2 a line");
  reports->needs(truth);
  truth->needs(reports);
  verb->add_option("--study", captured.study, "directory of the study that the captured reports answer")
      ->needs(reports);
  verb->add_option("--epsilon", captured.epsilon, "what captured runs may spend together; otherwise the study says it")
      ->check(CLI::Range(1e-9, 1e3))
      ->needs(reports);
  verb->add_option("--delta", captured.delta, "the delta that goes with --epsilon")
      ->check(CLI::Range(0.0, 1.0))
      ->needs(reports);
  verb->add_flag("--numbers", captured.numbers, "captured payloads are numbers of three bytes, as of Gaussian noise")
      ->needs(reports);
  verb->add_flag("--json", options->json, "one JSON object on stdout");
  verb->callback([options, &action] {
    options->captured.json = options->json;
    options->captured.alpha = options->audit.alpha;
    action = [options] {
      return options->captured.reports.empty() ? run_audit(*options) : run_captured_audit(options->captured);
    };
  });
}

}  // namespace sotto::cli
