// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "sotto/analyzer/model/learned_function.hpp"
#include "sotto/analyzer/model/verdict.hpp"

namespace sotto::analyzer {

/// One variable of a model. Values are per standard deviation of feature and target; `per_unit` is in the units of the study.
struct Coefficient {
  std::uint32_t feature = 0;
  std::string name, unit;
  double estimate = 0;        ///< from all cohorts, shrunken: the best guess, and what predicts
  double per_unit = 0;        ///< the same in target units per feature unit
  double last_cohort = 0;     ///< unbiased, from the last cohort alone, whose support and centre were fixed before
  double standard_error = 0;  ///< of last_cohort; NaN: no interval is known
  double low = 0, high = 0;   ///< 95 % interval around last_cohort
  double p_value = 1;         ///< of "it is zero", from the last cohort; boost: of "noise alone carried it there"
  bool found = false;         ///< confirmed at the stated level, over all candidates together (Holm)
};

/// Where the error of the coefficients comes from: predicted squared l2 error, by cause.
struct ErrorSplit {
  double privacy = 0;   ///< what the randomizers add, and variables that stay hidden in it
  double sampling = 0;  ///< what devices would differ by without them
  double clipping = 0;  ///< answers pulled into the ball: predicted from the model, never measured on devices
};

/// Votes of the selection rounds.
struct VoteTally {
  std::string name;
  std::uint32_t feature = 0;
  double share = 0, standard_error = 0;
};

/// What one round asked, and how much came back.
struct RoundRecord {
  std::uint16_t number = 0;
  std::string question;          ///< "vote", "direction"
  std::string recipe;            ///< "screen", "least_squares"
  std::uint32_t candidates = 0;  ///< features that were asked about
  double radius = 0;             ///< that answers were clipped to, in standardised units; 0: none
  std::uint64_t reports = 0;     ///< used
  double noise = 0;              ///< standard error of one coordinate that privacy adds
};

/// A learned model with everything that a reader needs to judge it.
struct Model {
  std::string study;         ///< name
  std::string study_digest;  ///< hex
  std::string protocol;      ///< "cascade"
  std::string why_protocol;  ///< one sentence: why this protocol
  std::string target, target_unit;
  double intercept = 0;  ///< in target units
  std::uint32_t features = 0;
  Verdict verdict = Verdict::cannot_learn;
  std::string why_verdict;                ///< one sentence, with numbers
  std::vector<Coefficient> coefficients;  ///< the support, strongest first; every other coefficient is zero
  std::string link = "identity";          ///< of the target to the sum of coefficients: "logistic" is the chance of +1
  LearnedFunction function;               ///< of protocols that learn one, which have no coefficients
  ErrorSplit error;
  double level = 0.05;                            ///< of `found`
  double empty_share = 0, empty_share_error = 0;  ///< of devices with nothing to say, divided out
  std::vector<VoteTally> votes;                   ///< strongest first
  std::vector<RoundRecord> rounds;
  double epsilon = 0, epsilon_delivered = 0, delta = 0;  ///< of the unit
  std::string unit = "device";  ///< that they protect: "device", or "label" where features are known to the analyst
  std::vector<std::string> privacy;         ///< the statement, sentence by sentence
  std::vector<std::string> assumed_public;  ///< what the analyst had to know or guess
  std::uint64_t reports_used = 0, reports_refused = 0;
  std::vector<std::pair<std::string, std::uint64_t>> refused_by_reason;
  double bytes_per_report = 0;
  std::string command;     ///< that makes this model again
  bool simulated = false;  ///< the devices were, and a reader must not take them for real ones
  std::string made_by;     ///< "sotto 0.1.0"
};

/// From one report of each device: coefficients are in full scales, and there are no cohorts.
[[nodiscard]] bool is_collected_once(const Model& model);
/// Of the features themselves: there is no target.
[[nodiscard]] bool is_mean(const Model& model);

}  // namespace sotto::analyzer
