// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/coins/private_coins.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer::audit {

/// What an audit of one randomizer says.
enum class Verdict : std::uint8_t {
  agrees,     ///< the bound stays below the declared epsilon, and near what these runs should show
  overspent,  ///< the bound is above the declared epsilon: the mechanism spends more than it says
  weak,     ///< the bound is far below what these runs should show: the audit, or the mechanism, is not wired as stated
  refused,  ///< the device library refused to report
};
[[nodiscard]] std::string_view verdict_name(Verdict verdict);

/// One line of the audit: what a randomizer declares, what its integers deliver, and what its reports show.
struct AuditRow {
  std::string stem;
  std::string parameters;
  double epsilon_declared = 0;
  double epsilon_delivered = 0;  ///< exact, from the integers of the spec
  double epsilon_event = 0;  ///< what the chosen event shows with endless runs; below delivered only for the Gaussian
  double epsilon_lower_bound = 0;  ///< from the reports of the compiled library, at confidence 1 - alpha
  double delta = 0;
  std::uint64_t runs = 0;  ///< for each of the two inputs
  double alpha = 0;
  Verdict verdict = Verdict::refused;
};

/// A mechanism, two private inputs and an event, all fixed before the first run.
struct AuditCase {
  std::string stem;
  std::string parameters;
  double epsilon_declared = 0;
  double epsilon_delivered = 0;
  double first_probability = 0;   ///< of the event under the first input, by the exact law
  double second_probability = 0;  ///< and under the second
  double delta = 0;
  std::uint64_t runs = 0;
  /// One report of the first or the second input: did it fall into the event?
  std::function<Status(bool first, PrivateCoins& coins, bool& hit)> run;
};

struct AuditOptions {
  std::vector<EpsilonNano> epsilons = {1 * k_epsilon_one, 4 * k_epsilon_one};
  /// Of each row. With three times the tabled runs the bound reaches 0.9 epsilon in 99 of 100 audits.
  double alpha = 0.001;
  std::uint64_t runs_factor = 3;
  std::optional<std::uint64_t> seed = 1;  ///< none: the operating system's entropy, another result each time
};

/// Runs a case.
/// Estimate  epsilon_lower_bound() on case.runs reports of each input, each begun with fresh entropy.
/// Error     `overspent` is wrong with probability at most alpha.
/// Refuses   nothing; a device library that refuses is the verdict `refused`.
[[nodiscard]] AuditRow audit(const AuditCase& audit_case, const EntropySource& entropy, double alpha);

/// Every randomizer of the device library at each epsilon; the Gaussian only where (epsilon, delta) is a certified point.
/// Such an audit finds wiring errors; that no report spends a nano-nat more than declared is shown by the exact certificates.
[[nodiscard]] std::vector<AuditRow> audit_all(const AuditOptions& options);

}  // namespace sotto::analyzer::audit
