// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>
#include <Eigen/Core>

#include "../frame/plan_parts.hpp"
#include "category.hpp"
#include "sotto/analyzer/math/normal.hpp"
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/solve/association.hpp"
#include "sotto/analyzer/solve/l1_ball.hpp"

// The shares of categories: the vote of each device, the simplex for what is shown, and for a cross-tab the test of
// association.
namespace sotto::analyzer {
namespace {

constexpr double k_level = 0.05;

/// Sums over rounds of unbiased counts, of each category and of none of them, with their variance.
struct Tally {
  std::vector<double> count, variance;
  double reports = 0;

  void add(const VoteShares& votes) {
    const auto n = static_cast<double>(votes.used);
    count.resize(votes.share.size() + 1);
    variance.resize(count.size());
    reports += n;
    for (std::size_t i = 0; i < count.size(); ++i) {
      const bool is_none = i == votes.share.size();
      count[i] += n * (is_none ? votes.none : votes.share[i]);
      variance[i] += std::pow(n * (is_none ? votes.none_standard_error : votes.standard_error[i]), 2);
    }
  }
  [[nodiscard]] double share(std::size_t i) const { return count[i] / reports; }
  /// Of the share in the population that the devices stand for: noise, and the spread of the devices.
  [[nodiscard]] double error(std::size_t i) const {
    const double held = std::clamp(share(i), 0.0, 1.0);
    return std::sqrt(variance[i] / reports + held * (1 - held)) / std::sqrt(reports);
  }
  /// The shares that are shown: none below 0, and together 1.
  [[nodiscard]] Eigen::VectorXd shown() const {
    Eigen::VectorXd raw(static_cast<Eigen::Index>(count.size()));
    for (std::size_t i = 0; i < count.size(); ++i) raw[static_cast<Eigen::Index>(i)] = share(i);
    return project_simplex(raw, 1);
  }
};

/// The share that is shown, with the interval of the unbiased one, which covers and may reach beyond.
EverydayCell cell_of(const Tally& tally, std::size_t i, double shown, std::string name) {
  const double half = k_interval_95 * tally.error(i), share = tally.share(i);
  EverydayCell out;
  out.name = std::move(name);
  out.share = shown;
  out.low = std::min(std::max(share - half, 0.0), shown);
  out.high = std::max(std::min(share + half, 1.0), shown);
  return out;
}

class CategoryProtocol final : public RoundProtocol {
 public:
  CategoryProtocol(const RegressionTerms& terms, const Manifest& manifest) : RoundProtocol(terms, manifest) {}

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] const CategoryTerms& asked() const { return terms_.everyday->category; }
  [[nodiscard]] bool is_table() const { return !asked().rows.empty(); }
  [[nodiscard]] bool is_over() const override { return closed() == terms_.everyday->periods; }
  [[nodiscard]] Result<RoundDraft> draft() override;
  Result<Done> record(const RoundAggregate& aggregate) override;
  void judge(const Tally& tally, Model& model) const;
  void add_association(const Tally& tally, Model& model) const;

  VoteSpec spec_;
  std::vector<Tally> periods_;
};

Result<RoundDraft> CategoryProtocol::draft() {
  const Result<VoteProposal> vote = propose_vote(terms_.epsilon, terms_.features);
  if (!vote) return vote.error();
  spec_ = vote.value().spec;
  return RoundDraft{QuestionKind::vote, Recipe::given, number(), cohort(), spec_, {}, {}};
}

Result<Done> CategoryProtocol::record(const RoundAggregate& aggregate) {
  const VoteShares votes = aggregate.votes();
  Tally& tally = periods_.emplace_back();
  tally.add(votes);
  model_.rounds.push_back(
      {number(), "vote", "given", terms_.features, 0, votes.used, *std::ranges::min_element(votes.standard_error)});
  return Done{};
}

/// Learned where the categories that are surely not empty hold half of the devices.
void CategoryProtocol::judge(const Tally& tally, Model& model) const {
  const Eigen::VectorXd shown = tally.shown();
  // One-sided, for all categories together; a normal quantile to a hundredth is enough here.
  double cut = 1;
  while (normal_below(-cut) > k_level / static_cast<double>(shown.size())) cut += 0.01;
  double sure = 0;
  std::size_t seen = 0;
  for (std::size_t i = 0; i < tally.count.size(); ++i) {
    if (tally.share(i) <= cut * tally.error(i)) continue;
    sure += shown[static_cast<Eigen::Index>(i)];
    ++seen;
  }
  const double noise = std::ranges::min_element(model.rounds, {}, &RoundRecord::noise)->noise;
  model.verdict = seen == 0 ? Verdict::cannot_learn : sure >= 0.5 ? Verdict::learned : Verdict::uncertain;
  model.why_verdict =
      seen == 0
          ? fmt::format("no share of {} stands out of the noise, which is {:.2f} % for each", shown.size(), 100 * noise)
          : fmt::format(
                "{} of {} shares are surely above 0 and hold {:.0f} % of the devices; the noise of each is "
                "{:.2f} %",
                seen, shown.size(), 100 * sure, 100 * noise);
}

void CategoryProtocol::add_association(const Tally& tally, Model& model) const {
  const auto rows = static_cast<Eigen::Index>(asked().rows.size()),
             columns = static_cast<Eigen::Index>(asked().columns.size());
  Eigen::MatrixXd shares(rows, columns);
  for (Eigen::Index i = 0; i < rows * columns; ++i)
    shares(i / columns, i % columns) = tally.share(static_cast<std::size_t>(i));
  const double own = std::ldexp(spec_.threshold, -32);
  const OracleNoise noise = spec_.bits == 0 ? OracleNoise{own, (1 - own) / spec_.features, true}
                                            : OracleNoise{own, std::ldexp(1.0, -static_cast<int>(spec_.bits)), false};
  const Association found = association_of(shares, noise, tally.reports);
  model.everyday.rows = asked().rows;
  model.everyday.columns = asked().columns;
  model.everyday.association_p = found.p_value;
  model.everyday.cramers_v = found.p_value <= k_level ? found.cramers_v : 0;
  model.why_verdict += found.p_value <= k_level
                           ? fmt::format("; rows and columns go along (p {:.2g}, Cramer's V about {:.2f})",
                                         found.p_value, found.cramers_v)
                           : fmt::format("; no association is seen (p {:.2f})", found.p_value);
}

Model CategoryProtocol::model() const {
  Model out = model_;
  Everyday& day = out.everyday;
  day.kind = is_table() ? "crosstab" : "category";
  day.what = is_table() ? "share of devices in each cell" : "share of devices in each category";
  Tally all;
  for (const Tally& period : periods_) {
    all.count.resize(period.count.size());
    all.variance.resize(period.count.size());
    std::ranges::transform(all.count, period.count, all.count.begin(), std::plus{});
    std::ranges::transform(all.variance, period.variance, all.variance.begin(), std::plus{});
    all.reports += period.reports;
  }
  if (all.reports == 0) {
    out.verdict = Verdict::cannot_learn;
    out.why_verdict = "no device has answered";
    return out;
  }
  const Eigen::VectorXd shown = all.shown();
  const std::size_t columns = asked().columns.size();
  const auto name = [&](std::size_t i) -> std::string {
    if (i + 1 == all.count.size()) return "none of these";
    return is_table() ? asked().rows[i / columns] + " / " + asked().columns[i % columns] : asked().names[i];
  };
  for (std::size_t i = 0; i < all.count.size(); ++i)
    day.cells.push_back(cell_of(all, i, shown[static_cast<Eigen::Index>(i)], name(i)));
  judge(all, out);
  if (is_table()) {
    add_association(all, out);  // cells stay in the order of the table
    return out;
  }
  const auto most = static_cast<std::size_t>(std::ranges::max_element(shown) - shown.begin());
  std::ranges::stable_sort(day.cells, std::ranges::greater{}, &EverydayCell::share);
  if (periods_.size() > 1) {
    for (std::size_t t = 0; t < periods_.size(); ++t) {
      const EverydayCell cell = cell_of(periods_[t], most, std::clamp(periods_[t].share(most), 0.0, 1.0), "");
      day.series.push_back(
          {fmt::format("{} {}", terms_.everyday->every, t + 1), name(most), cell.share, cell.low, cell.high});
    }
  }
  return out;
}

}  // namespace

Result<ProtocolPlan> plan_category(RegressionTerms& terms) {
  const Result<VoteProposal> vote = propose_vote(terms.epsilon, terms.features);
  if (!vote) return vote.error();
  const double noise = std::sqrt(vote.value().variance / static_cast<double>(terms.devices));
  const std::vector<double> shares(terms.everyday->periods, 1.0 / terms.everyday->periods);
  ProtocolPlan plan{share_weights(shares), question_bits({QuestionKind::vote}), vote.value().spec};
  plan.why =
      fmt::format("one vote of each device for one of {} {}; with {} devices each share is known to about +-{:.2g} %",
                  terms.features, terms.everyday->category.rows.empty() ? "categories" : "cells", terms.devices,
                  100 * k_interval_95 * noise * std::sqrt(terms.everyday->periods));
  return plan;
}

std::unique_ptr<Protocol> start_category(const RegressionTerms& terms, const Manifest& manifest) {
  return std::make_unique<CategoryProtocol>(terms, manifest);
}

}  // namespace sotto::analyzer
