// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The result of a study: a learned model with its errors, verdict, privacy statement and provenance. Protocols fill it
/// in, model_file.hpp stores it as model.json, and the pages show it.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sotto/analyzer/model/everyday.hpp"
#include "sotto/analyzer/model/learned_function.hpp"
#include "sotto/analyzer/model/verdict.hpp"

namespace sotto::analyzer {

/// One variable of a model. Values are for one standard deviation of feature and target; `per_unit` is in the units of
/// the study.
struct Coefficient {
  std::uint32_t feature = 0;
  std::string name, unit;
  double estimate = 0;        ///< shrunken estimate from all cohorts; predictions use it
  double per_unit = 0;        ///< the same in target units per feature unit
  double last_cohort = 0;     ///< unbiased, from the last cohort alone, whose support and centre were fixed before
  double standard_error = 0;  ///< standard error of last_cohort; NaN: no interval is known
  double low = 0, high = 0;   ///< 95 % interval around last_cohort
  /// The p-value of the hypothesis that the coefficient is zero, from the last cohort. For protocol boost, of the
  /// hypothesis that the variable was selected by noise alone.
  double p_value = 1;
  bool found = false;  ///< significant at the stated level, corrected for all candidates (Holm)
};

/// The predicted squared l2 error of the coefficients, by cause.
struct ErrorSplit {
  double privacy = 0;   ///< randomizer noise, and variables that it hides
  double sampling = 0;  ///< sampling variance of the devices, without randomizers
  double clipping = 0;  ///< bias of clipped answers: predicted from the model, never measured on devices
};

/// The estimated share of votes of one feature in the selection rounds.
struct VoteTally {
  std::string name;
  std::uint32_t feature = 0;
  double share = 0, standard_error = 0;
};

/// What one round asked, and how many reports were used.
struct RoundRecord {
  std::uint16_t number = 0;
  std::string question;          ///< "vote", "direction"
  std::string recipe;            ///< "screen", "least_squares"
  std::uint32_t candidates = 0;  ///< number of features asked about
  double radius = 0;             ///< norm that answers were clipped to, in standardised units; 0: no clipping
  std::uint64_t reports = 0;     ///< reports used
  double noise = 0;              ///< standard error of one coordinate from privacy noise
};

/// What a model was compared with.
enum class Against : std::uint8_t {
  device,  ///< the device's own mean, or its own larger class
  all,     ///< the mean of all devices, or the larger class of all
  zero,    ///< a mean of zero
};
/// "device", "all" or "zero", as model.json writes it.
[[nodiscard]] std::string_view against_text(Against against);

/// How well the model predicts on devices that were not used to learn it, measured from their private reports.
struct Validation {
  std::uint64_t devices = 0;  ///< reports; 0: nothing was measured
  Against against = Against::device;
  bool classes = false;  ///< the target is a class
  /// The gain of the model over the comparison, with a 95 % interval. For numbers it is (A - B) / (A + B), with A the
  /// squared error of the mean and B that of the model, averaged over devices or computed for all devices together. For
  /// classes it is the share of rows that the model classifies correctly minus that of the larger class. For a learned
  /// mean c, with mu the true mean, it is (|mu|^2 - |mu - c|^2) / |c|^2.
  double gain = 0, gain_low = 0, gain_high = 0;
  double least = 0, most = 0;  ///< one-sided bounds of the gain, 97 % and 95 %, which decide the verdict
  double bound = 0;            ///< the answer of a device was clipped to this; 0: it was not clipped
  double error = 0, error_low = 0, error_high = 0;  ///< classes: misclassified share, with a 95 % interval

  /// The share of the variance that the model explains, 2 g / (1 + g); for classes and for means the gain itself.
  [[nodiscard]] double r2() const noexcept { return share(gain); }
  [[nodiscard]] double low() const noexcept { return share(gain_low); }
  [[nodiscard]] double high() const noexcept { return share(gain_high); }

 private:
  [[nodiscard]] double share(double g) const noexcept {
    return classes || against == Against::zero ? g : 2 * g / (1 + (g > -0.5 ? g : -0.5));
  }
};

/// What the stage [between] of a study found: how the target's level, its mean on a device, goes along with columns that
/// never change on a device. Its variables are in stated standard deviations of column and target.
struct Between {
  std::uint32_t columns = 0;  ///< that were asked about; 0: the study has no such stage
  Verdict verdict = Verdict::cannot_learn;
  std::string why_verdict;                ///< one sentence, with numbers
  double strength = 0;                    ///< z of an effect of the assumed size, from the study alone
  double level = 0, spread = 0;           ///< mean and standard deviation of the devices' levels, in target units
  std::vector<Coefficient> coefficients;  ///< what was found, strongest first; nothing else is stated
  std::vector<double> centres;            ///< of these columns, over the devices, in their units
  Validation validation;                  ///< against the mean of all levels
};

/// A column of text, or one with missing values, from which features such as "mode=eco", "mode=other" or "mode is
/// missing" were made.
struct ModelColumn {
  std::string name;
  std::vector<std::string> levels;  ///< empty: a number
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
  std::string kind = "number";            ///< kind of the target: "number", "class", "count"
  std::vector<ModelColumn> columns;       ///< only those that are not plain numbers
  std::string link = "identity";          ///< link function; "logistic": the model gives P(target = +1)
  LearnedFunction function;               ///< only for protocols that learn a nonlinear function
  Everyday everyday;                      ///< only for everyday questions
  ErrorSplit error;
  Validation validation;
  Between between;
  std::string units = "stated";  ///< standard deviations of coefficients: "stated", or of each "device"
  double level = 0.05;           ///< significance level of `found`
  double empty_share = 0, empty_share_error = 0;  ///< share of devices without an answer, corrected for
  std::vector<VoteTally> votes;                   ///< strongest first
  std::vector<RoundRecord> rounds;
  double epsilon = 0, epsilon_delivered = 0, delta = 0;  ///< for one unit
  std::string unit = "device";              ///< unit of privacy: "device", or "label" if the analyst knows the features
  std::vector<std::string> privacy;         ///< the privacy statement, sentence by sentence
  std::vector<std::string> assumed_public;  ///< what the analyst had to know or to guess
  std::uint64_t reports_used = 0, reports_refused = 0;
  std::vector<std::pair<std::string, std::uint64_t>> refused_by_reason;
  double bytes_per_report = 0;
  std::string command;     ///< the command that reproduces this model
  bool simulated = false;  ///< the devices were simulated; pages state this
  std::string made_by;     ///< for example "sotto 0.2.0"
};

/// Whether the model was learned from one report of each device, collected at once. Its coefficients are then for the
/// full scale of feature and target, and there are no cohorts.
[[nodiscard]] bool is_collected_once(const Model& model);
/// Whether the model is a mean of the features, without a target.
[[nodiscard]] bool is_mean(const Model& model);

}  // namespace sotto::analyzer
