// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "validated.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "../frame/plan_parts.hpp"
#include "measures.hpp"
#include "sotto/analyzer/aggregate/scalar_law.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/propose/window.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_weights_max = 60000;
constexpr std::uint64_t k_devices_min = 2;  // fewer have no spread
// A cohort is drawn by coins: room for fewer than expected, above the study's minimum. At most this share validates.
constexpr double k_cohort_room = 1.5, k_share_max = 0.2;

class Validated final : public Protocol {
 public:
  Validated(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms, const Manifest& manifest,
            std::size_t first_cohort)
      : protocol_(std::move(protocol)),
        terms_(terms),
        study_(manifest_digest(manifest)),
        measure_(measure_of(terms), terms),
        cohort_(static_cast<std::uint32_t>(first_cohort)) {}

  [[nodiscard]] Result<std::optional<std::vector<std::uint8_t>>> open() override;
  Result<Done> close(const RoundAggregate& aggregate) override;
  [[nodiscard]] Model model() const override;

 private:
  void record(const RoundAggregate& aggregate);
  [[nodiscard]] std::string_view unmeasured() const;

  std::unique_ptr<Protocol> protocol_;
  RegressionTerms terms_;
  Digest study_;
  Measure measure_;
  std::uint32_t cohort_;  // of the next question
  std::uint16_t closed_ = 0;
  bool is_open_ = false, is_given_up_ = false;  // a question is open; one had too few answers
  AnySpec spec_;
  std::vector<RoundRecord> records_;
};

Result<std::optional<std::vector<std::uint8_t>>> Validated::open() {
  using Round = std::optional<std::vector<std::uint8_t>>;
  if (records_.empty() && !is_given_up_) {
    Result<Round> next = protocol_->open();
    if (!next || next.value() || terms_.validators == 0) return next;
  }
  const Model learned = protocol_->model();
  if (is_given_up_ || measure_.is_over() || learned.coefficients.empty())
    return Round{};  // there is nothing to measure

  const Result<WindowProposal> window = propose_window(terms_.epsilon);
  if (!window) return window.error();
  spec_ = window.value().spec;
  RoundDraft draft = measure_.draft(learned);
  draft.spec = spec_;
  draft.number = static_cast<std::uint16_t>(closed_ + 1);
  draft.cohort = static_cast<std::uint8_t>(cohort_);
  Result<std::vector<std::uint8_t>> bytes = write_round(draft, study_, terms_.rounds.of(draft.number));
  if (!bytes) return bytes.error();
  is_open_ = true;
  return Round(std::move(bytes).value());
}

Result<Done> Validated::close(const RoundAggregate& aggregate) {
  if (!is_open_) {
    Result<Done> closed = protocol_->close(aggregate);
    if (closed) ++closed_;
    return closed;
  }
  if (aggregate.used() < terms_.minimum) {
    return Error{
        "protocol.too_few", fmt::format("round {}, of the validation, has too few reports to close", closed_ + 1),
        fmt::format("{} used, {} needed", aggregate.used(), terms_.minimum), "collect more, or lower study.minimum"};
  }
  record(aggregate);
  ++closed_;
  ++cohort_;
  is_open_ = false;
  return Done{};
}

void Validated::record(const RoundAggregate& aggregate) {
  if (aggregate.used() < k_devices_min) {
    is_given_up_ = true;
    return;
  }
  const ScalarMean mean = aggregate.coordinates().means().front();
  const Result<ScalarLaw> law = ScalarLaw::of(spec_);
  // A small cohort may look calmer than the channel's law.
  const double of_law =
      law ? law.value().variance(std::clamp(mean.mean, -1.0, 1.0)) / static_cast<double>(mean.used) : 0;
  measure_.record({mean.mean, std::sqrt(std::max(mean.standard_error * mean.standard_error, of_law)), mean.used});
  records_.push_back({static_cast<std::uint16_t>(closed_ + 1), "value", std::string(recipe_name(Recipe::gain)),
                      static_cast<std::uint32_t>(protocol_->model().coefficients.size()), measure_.bound(), mean.used,
                      mean.noise_error * measure_.bound()});
}

std::string_view Validated::unmeasured() const {
  const MeasureKind kind = measure_of(terms_);
  if (kind == MeasureKind::none) return "no measure is defined for such a model";
  if (terms_.validation <= 0) return "validation = 0";
  if (terms_.validators == 0) return "too few devices to leave some for it";
  if (kind == MeasureKind::held_out) return "the reports that were held back say nothing";
  return is_given_up_ ? "fewer than two devices answered" : "the devices that measure have not answered yet";
}

Model Validated::model() const {
  Model out = protocol_->model();
  if (!records_.empty() && measure_.is_over()) out.validation = measure_.result(out);
  out.rounds.insert(out.rounds.end(), records_.begin(), records_.end());
  out.link = link_name(terms_.link);  // the verdict depends on it
  judge(unmeasured(), out);
  return out;
}

/// The devices that measure, of all that a study expects.
double validators_of(const RegressionTerms& terms) {
  const MeasureKind kind = measure_of(terms);
  const auto all = static_cast<double>(terms.devices);
  const double asked = all * terms.validation;
  const std::vector<double> shares = measure_shares(kind);
  if (kind == MeasureKind::none) return 0;
  if (shares.size() < 2) return asked;
  // Every one of several cohorts has to reach the study's minimum.
  const double least = k_cohort_room * std::max<double>(k_devices_min, terms.minimum) / std::ranges::min(shares);
  const double wanted = std::max(asked, std::min(least, k_share_max * all));
  return wanted < least ? 0 : wanted;
}

}  // namespace

void reserve_validators(RegressionTerms& terms) {
  if (terms.validation <= 0 || terms.validators > 0 || terms.devices < 2) return;
  terms.validators = std::min(static_cast<std::uint64_t>(std::llround(validators_of(terms))), terms.devices - 1);
  terms.devices -= terms.validators;
}

Result<Done> add_validation(const RegressionTerms& terms, ProtocolPlan& plan) {
  const std::vector<double> shares = measure_shares(measure_of(terms));
  if (terms.validators == 0 || shares.empty()) return Done{};
  if (plan.weights.size() + shares.size() > k_cohorts_max) {
    return Error{"protocol.too_many_cohorts",
                 fmt::format("a manifest has no room for the {} cohorts that validate", shares.size()),
                 fmt::format("{} rounds of at most {}", plan.weights.size(), k_cohorts_max),
                 "ask fewer rounds, or write validation = 0"};
  }
  const double teaching = std::accumulate(plan.weights.begin(), plan.weights.end(), 0.0);
  const double wanted = teaching * static_cast<double>(terms.validators) / static_cast<double>(terms.devices);
  // Weights are whole numbers of 16 bits: as fine as they can be.
  const double largest = std::max<double>(wanted, *std::ranges::max_element(plan.weights));
  const double finer = std::max(1.0, std::floor(k_weights_max / largest));
  for (std::uint16_t& weight : plan.weights) weight = static_cast<std::uint16_t>(weight * finer);
  for (const double share : shares)
    plan.weights.push_back(static_cast<std::uint16_t>(std::max(1.0, std::round(share * wanted * finer))));
  plan.validation_cohorts = shares.size();
  plan.questions |= question_bits({QuestionKind::value});
  return Done{};
}

std::unique_ptr<Protocol> validated(std::unique_ptr<Protocol> protocol, const RegressionTerms& terms,
                                    const Manifest& manifest, std::size_t first_cohort) {
  return std::make_unique<Validated>(std::move(protocol), terms, manifest, first_cohort);
}

}  // namespace sotto::analyzer
