// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "validated.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <boost/math/distributions/students_t.hpp>

#include "../frame/plan_parts.hpp"
#include "sotto/analyzer/aggregate/scalar_law.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/propose/window.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/local/link.hpp"

namespace sotto::analyzer {
namespace {

// A gain below this is none that anybody would use, however well it is known.
constexpr double k_gain_of_use = 0.02;
constexpr double k_one_sided = 0.05, k_two_sided = 0.025;
constexpr double k_weights_max = 60000;
constexpr std::uint64_t k_devices_min = 2;  // fewer have no spread

class Validated final : public Protocol {
 public:
  Validated(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms, const Manifest& manifest)
      : protocol_(std::move(protocol)),
        terms_(terms),
        study_(manifest_digest(manifest)),
        cohort_(static_cast<std::uint8_t>(manifest.cohorts - 1)) {}

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() override;
  Result<Done> close(const RoundAggregate& aggregate) override;
  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_class() const noexcept {
    return terms_.kind == TargetKind::two_classes || terms_.link == TargetLink::logistic;
  }
  void measure(const RoundAggregate& aggregate);
  void judge(Model& model) const;

  std::unique_ptr<Protocol> protocol_;
  RegressionTerms terms_;
  Digest study_;
  std::uint8_t cohort_;
  std::uint16_t closed_ = 0;
  bool is_open_ = false, is_closed_ = false;  // the validation round is
  AnySpec spec_;
  Validation found_;
  double one_sided_low_ = 0, one_sided_high_ = 0;  // 95 % bounds of the gain
  RoundRecord record_;
};

/// What a finished model would explain, were its features not correlated.
double explained_by(const Model& model) {
  double length = 0;
  for (const Coefficient& c : model.coefficients) length += c.estimate * c.estimate;
  return length;
}

Result<std::optional<std::vector<std::uint8_t>>> Validated::open() {
  if (is_closed_) return std::optional<std::vector<std::uint8_t>>{};
  Result<std::optional<std::vector<std::uint8_t>>> next = protocol_->open();
  if (!next || next.value() || terms_.validators == 0) return next;
  const Model learned = protocol_->model();
  if (learned.coefficients.empty()) return next;  // there is nothing to measure

  const Result<WindowProposal> window = propose_window(terms_.epsilon);
  if (!window) return window.error();
  spec_ = window.value().spec;
  found_.classes = is_class();
  // A model that explains more than the study assumed is given room, or its gain would be cut off.
  // No more than half of the rows can be told better than the larger class tells them.
  found_.bound =
      is_class() ? 0.5 : gain_bound(std::clamp(std::max(terms_.explained(), explained_by(learned)), 0.0, 1.0));
  RoundDraft draft{QuestionKind::value, Recipe::gain, static_cast<std::uint16_t>(closed_ + 1), cohort_, spec_, {}, {}};
  for (const Coefficient& c : learned.coefficients) draft.model.push_back({c.feature, c.estimate});
  std::ranges::sort(draft.model, {}, &Entry::feature);
  draft.parameter[recipe::gain::bound] = static_cast<std::uint32_t>(std::lround(found_.bound * 32768));
  draft.parameter[recipe::gain::classes] = is_class() ? 1 : 0;
  draft.link = static_cast<std::uint8_t>(terms_.link == TargetLink::logistic ? LinkKind::logistic : LinkKind::identity);
  Result<std::vector<std::uint8_t>> bytes = write_round(draft, study_);
  if (!bytes) return bytes.error();
  is_open_ = true;
  return std::optional(std::move(bytes).value());
}

Result<Done> Validated::close(const RoundAggregate& aggregate) {
  if (!is_open_) {
    Result<Done> closed = protocol_->close(aggregate);
    if (closed) ++closed_;
    return closed;
  }
  if (aggregate.used() < terms_.minimum) {
    return Error{"protocol.too_few", fmt::format("round {}, the validation, has too few reports to close", closed_ + 1),
                 fmt::format("{} used, {} needed", aggregate.used(), terms_.minimum),
                 "collect more, or lower study.minimum"};
  }
  if (aggregate.used() >= k_devices_min) measure(aggregate);
  is_closed_ = true;
  ++closed_;
  is_open_ = false;
  return Done{};
}

void Validated::measure(const RoundAggregate& aggregate) {
  const ScalarMean mean = aggregate.coordinates().means().front();
  const auto n = static_cast<double>(mean.used);
  const Result<ScalarLaw> law = ScalarLaw::of(spec_);
  // A small cohort may look calmer than the channel's law.
  const double of_law = law ? law.value().variance(std::clamp(mean.mean, -1.0, 1.0)) / n : 0;
  // Devices without rows answer 0: the gain is that of the others.
  const double held = 1 - protocol_->model().empty_share;
  const double unit = found_.bound / held;
  const double error = std::sqrt(std::max(mean.standard_error * mean.standard_error, of_law)) * unit;
  const boost::math::students_t student(n - 1);
  const double one = quantile(complement(student, k_one_sided)) * error;
  const double two = quantile(complement(student, k_two_sided)) * error;
  found_.devices = mean.used;
  found_.gain = mean.mean * unit;
  found_.gain_low = std::max(-1.0, found_.gain - two);
  found_.gain_high = std::min(1.0, found_.gain + two);
  one_sided_low_ = found_.gain - one;
  one_sided_high_ = found_.gain + one;
  record_ = {static_cast<std::uint16_t>(closed_ + 1),
             "value",
             std::string(recipe_name(Recipe::gain)),
             static_cast<std::uint32_t>(protocol_->model().coefficients.size()),
             found_.bound,
             mean.used,
             mean.noise_error * unit};
}

Model Validated::model() const {
  Model out = protocol_->model();
  out.validation = found_;
  if (record_.reports > 0) out.rounds.push_back(record_);
  judge(out);
  return out;
}

/// The verdict is what was measured; what the protocol says of its own estimates stays in the second half.
void Validated::judge(Model& model) const {
  if (model.coefficients.empty()) {
    model.verdict = Verdict::cannot_learn;
    return;
  }
  if (found_.devices == 0) {
    model.verdict = Verdict::uncertain;
    model.why_verdict = fmt::format("nothing was measured{}; {}",
                                    terms_.validators == 0 ? ": validation = 0"
                                    : is_closed_           ? ": fewer than two devices validated"
                                                           : " yet",
                                    model.why_verdict);
    return;
  }
  const bool is_useless = one_sided_high_ < k_gain_of_use;
  const bool is_sound = one_sided_low_ > 0 && found_.gain >= k_gain_of_use;
  model.verdict = is_useless ? Verdict::cannot_learn : is_sound ? Verdict::learned : Verdict::uncertain;
  const std::string measured =
      is_class() ? fmt::format("tells {:.1f} % more rows right than the device's larger class does ({:.1f} to {:.1f})",
                               100 * found_.gain, 100 * found_.gain_low, 100 * found_.gain_high)
                 : fmt::format("predicts better than the device's own mean by R^2 = {:.2f} ({:.2f} to {:.2f})",
                               found_.r2(), found_.low(), found_.high());
  model.why_verdict =
      fmt::format("{}, measured on {} devices that taught nothing; {}", measured, found_.devices, model.why_verdict);
}

}  // namespace

double gain_bound(double explained) {
  // Devices differ: room for two and a half times the gain of a typical one, e / (2 - e), on a coarse grid.
  const double wanted = 2.5 * explained / (2 - explained);
  return wanted <= 0.26 ? 0.25 : wanted <= 0.52 ? 0.5 : 1;
}

void reserve_validators(RegressionTerms& terms) {
  if (terms.validation <= 0 || terms.validators > 0 || terms.devices < 2) return;
  const auto all = static_cast<double>(terms.devices);
  terms.validators = std::min(static_cast<std::uint64_t>(std::llround(all * terms.validation)), terms.devices - 1);
  terms.devices -= terms.validators;
}

Result<Done> add_validation(const RegressionTerms& terms, ProtocolPlan& plan) {
  if (terms.validators == 0) return Done{};
  if (plan.weights.size() >= k_cohorts_max) {
    return Error{"protocol.too_many_cohorts", "a manifest has no room for the cohort that validates",
                 fmt::format("{} rounds of at most {}", plan.weights.size(), k_cohorts_max),
                 "ask fewer rounds, or write validation = 0"};
  }
  const double teaching = std::accumulate(plan.weights.begin(), plan.weights.end(), 0.0);
  const double wanted = teaching * static_cast<double>(terms.validators) / static_cast<double>(terms.devices);
  // Weights are whole numbers of 16 bits: as fine as they can be.
  const double largest = std::max<double>(wanted, *std::ranges::max_element(plan.weights));
  const double finer = std::max(1.0, std::floor(k_weights_max / largest));
  for (std::uint16_t& weight : plan.weights) weight = static_cast<std::uint16_t>(weight * finer);
  plan.weights.push_back(static_cast<std::uint16_t>(std::max(1.0, std::round(wanted * finer))));
  plan.questions |= question_bits({QuestionKind::value});
  return Done{};
}

std::unique_ptr<Protocol> validated(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms,
                                    const Manifest& manifest) {
  return std::make_unique<Validated>(std::move(protocol), terms, manifest);
}

}  // namespace sotto::analyzer
