// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// An empirical audit of what devices send (`sotto audit`): sessions of the compiled device library answer every
/// question through every randomizer, many times for two data sets, and the statistical lower bound of epsilon that
/// their reports show is compared with what was promised.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/audit/asked_pair.hpp"
#include "sotto/analyzer/audit/event.hpp"
#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/coins/entropy.hpp"
#include "sotto/units.hpp"

namespace sotto::analyzer::audit {

/// The outcome of one audit.
enum class Verdict : std::uint8_t {
  agrees,     ///< the bound is below the promised epsilon and near the delivered one
  overspent,  ///< the bound exceeds the promised epsilon: more is spent than was promised
  weak,       ///< the bound is far below the delivered epsilon: too few runs, or data sets that hardly differ
  refused,    ///< the device library refused to report
  misdrawn,   ///< it draws with another threshold, or less noise, than it certified
};
[[nodiscard]] std::string_view verdict_name(Verdict verdict);

/// What is asked of a device in one run.
enum class Asking : std::uint8_t {
  once,        ///< one round
  two_rounds,  ///< two rounds whose data sets differ in the second alone: both reports together may show one epsilon
  over_cap,    ///< two rounds under a cap that pays one
};
[[nodiscard]] std::string_view asking_name(Asking asking);

/// One row: what was promised, what the integers of the randomizer deliver, and what reports show.
struct AuditRow {
  std::string question;
  std::string stem;
  std::string asking;  ///< asking_name(), "captured" or "timing"
  std::string parameters;
  double epsilon_declared = 0;
  double epsilon_delivered = 0;    ///< the exact certificate of one report, from the integers of the spec; 0: unknown
  double epsilon_event = 0;        ///< what the event showed, without confidence
  double epsilon_lower_bound = 0;  ///< from the reports, at confidence 1 - alpha
  double delta = 0;
  std::uint64_t runs = 0;  ///< for each of the two data sets; half of them measure
  double alpha = 0;
  std::string event;  ///< what told the data sets apart: a statistic of event.hpp
  /// The threshold of the coin that keeps an answer, as the certificate has it and as it was read from the compiled
  /// device; of a Laplace number that of its first digit, or of the first that differs; of Gaussian noise the variance,
  /// and an upper bound of what the runs show. Rows of one round only.
  std::optional<double> certified, read;
  Verdict verdict = Verdict::refused;
};

/// Settings of an audit.
struct AuditOptions {
  std::vector<EpsilonNano> epsilons = {1 * k_epsilon_one, 4 * k_epsilon_one};
  double alpha = 1e-5;  ///< error probability of a row: a hundred rows err together with at most 1/1000
  std::uint64_t runs_factor = 3;
  std::optional<std::uint64_t> seed = 1;  ///< empty: entropy of the operating system; results then differ
};

/// The runs of each data set at runs_factor 1.
inline constexpr std::uint64_t k_audit_runs = 1500;

/// One row of an audit, before it is run.
struct AuditCase {
  const QuestionStem* pair = nullptr;
  Asking asking = Asking::once;
  EpsilonNano epsilon = 0;
};
/// Every pair of a question and a randomizer at each epsilon, the Gaussian where (epsilon, delta) is a certified point;
/// then two rounds of each randomizer, and one question over its cap.
[[nodiscard]] std::vector<AuditCase> audit_cases(const std::vector<EpsilonNano>& epsilons);

/// The randomizer's name without the oracle behind it.
[[nodiscard]] std::string stem_of(const QuestionStem& pair);
/// The epsilon that a randomizer delivers, in nats, from its integers.
[[nodiscard]] double delivered_nats(const AnySpec& spec);

/// Runs one case.
/// Estimate  measure_reports() on `runs` runs of each data set.
/// Error     `overspent` is wrong with probability at most alpha.
/// Refuses   nothing; if the device library refuses to report, the verdict is `refused`.
[[nodiscard]] AuditRow audit(const AuditCase& audit_case, const EntropySource& entropy, std::uint64_t runs,
                             double alpha);

/// Reads the thresholds of a pair from the compiled device into its row: `misdrawn` if one is not what was certified.
void read_coins(const QuestionStem& which, AskedPair& pair, AuditRow& row);

/// Completes a row whose promise is filled in from runs.
void judge(AuditRow& row, const Runs& runs, const MeasuredEvent& event);

/// Runs every case. Such an audit finds wiring errors. That no report spends more than declared, to the nano-nat, is
/// shown by the exact certificates, not by an audit.
[[nodiscard]] std::vector<AuditRow> audit_all(const AuditOptions& options);

}  // namespace sotto::analyzer::audit
