// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "number.hpp"

// An event: 1 where it happened, by one-bit randomized response, which is optimal for one bit.
namespace sotto::analyzer {
namespace {

// A share that is known to this much is an answer, even if it may be 0; one that is off by this much is none.
constexpr double k_share_close = 0.01, k_share_useless = 0.25;

/// The share with its interval, from the reports that say yes among n. Wilson's interval of the reported share is
/// mapped through the channel, so that few reports do not make it short.
EverydayEstimate event_share(const GrrSpec& spec, double yes, double n, std::string name) {
  const double p = std::ldexp(static_cast<double>(spec.threshold), -32), slope = 2 * p - 1, z = k_two_sided;
  const double reported = yes / n, centre = (reported + z * z / (2 * n)) / (1 + z * z / n);
  const double half = z / (1 + z * z / n) * std::sqrt(reported * (1 - reported) / n + z * z / (4 * n * n));
  const auto true_share = [&](double share) { return (share - (1 - p)) / slope; };
  return {std::move(name), "", true_share(reported), true_share(centre - half), true_share(centre + half)};
}

class EventProtocol final : public RoundProtocol {
 public:
  EventProtocol(const RegressionTerms& terms, const Manifest& manifest) : RoundProtocol(terms, manifest) {}

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override { return closed() == terms_.everyday->periods; }
  [[nodiscard]] Result<RoundDraft> draft() override;
  Result<Done> record(const RoundAggregate& aggregate) override;

  GrrSpec spec_;
  double yes_ = 0, reports_ = 0;
};

Result<RoundDraft> EventProtocol::draft() {
  const Result<AnySpec> spec = category_spec(terms_.epsilon, 2);
  if (!spec) return spec.error();
  spec_ = std::get<GrrSpec>(spec.value());
  return number_draft(terms_, spec.value(), number(), cohort(), {{0, 1}});
}

Result<Done> EventProtocol::record(const RoundAggregate& aggregate) {
  const CategoryCounts counts = aggregate.categories();
  const auto n = static_cast<double>(counts.used);
  const double p = std::ldexp(static_cast<double>(spec_.threshold), -32);
  const double yes = counts.count[1] * (2 * p - 1) + n * (1 - p);  // the reports that said so
  yes_ += yes;
  reports_ += n;
  const EverydayTerms& terms = *terms_.everyday;
  if (terms.periods > 1)
    model_.everyday.series.push_back(event_share(spec_, yes, n, fmt::format("{} {}", terms.every, number())));
  model_.rounds.push_back({number(), "number", "event", 2, 0, counts.used, counts.standard_error[1] / n});
  return Done{};
}

Model EventProtocol::model() const {
  Model out = model_;
  out.everyday.kind = "event";
  out.everyday.what = "share of devices on which it happened";
  if (reports_ == 0) {
    out.verdict = Verdict::cannot_learn;
    out.why_verdict = "no device has answered";
    return out;
  }
  EverydayEstimate share = event_share(spec_, yes_, reports_, "share");
  const double half = (share.high - share.low) / 2;
  out.verdict = half > k_share_useless                   ? Verdict::cannot_learn
                : share.low > 0 || half <= k_share_close ? Verdict::learned
                                                         : Verdict::uncertain;
  out.why_verdict = fmt::format("{:.2f} % of devices, give or take {:.2f}{}", 100 * share.value, 100 * half,
                                out.verdict == Verdict::learned        ? ""
                                : out.verdict == Verdict::cannot_learn ? ": too few reports for this epsilon"
                                                                       : ": it may not have happened at all");
  out.everyday.estimates = {std::move(share)};
  return out;
}

}  // namespace

Result<ProtocolPlan> plan_event(RegressionTerms& terms) {
  Result<AnySpec> spec = category_spec(terms.epsilon, 2);
  if (!spec) return spec.error();
  return number_plan(period_shares(*terms.everyday, 1), std::move(spec).value(),
                     "one-bit randomized response, which no other report of one bit beats");
}

std::unique_ptr<Protocol> start_event(const RegressionTerms& terms, const Manifest& manifest) {
  return std::make_unique<EventProtocol>(terms, manifest);
}

}  // namespace sotto::analyzer
