// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../frame/plan_parts.hpp"
#include "category.hpp"
#include "items.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"

// The heavy hitters of Ma et al. as printed: LocalRnd, FreqOracle and HeavyHitter, their Algorithms 2 to 4. For
// comparison with `top`, which differs in every choice. docs/protocols/top.md says what was corrected.
namespace sotto::analyzer {
namespace {

constexpr double k_median_to_mean = 1.2533;        // standard error of a median over that of a mean
constexpr std::size_t k_kept_prefixes_max = 4096;  // of memory; the threshold keeps far fewer
constexpr double k_two_sided = 1.959963984540054;

/// FreqOracle's number of groups, t = 3 log n.
std::size_t groups_of(double devices) {
  return static_cast<std::size_t>(std::max(1.0, std::ceil(3 * std::log(devices))));
}

/// Twice the error that Lemma B.6 allows to a share; its constant, which the paper leaves open, is 1.
double threshold_of(double epsilon, double devices) {
  return 2 * std::sqrt(std::log(devices) * k_key_bits * std::log(2.0) / devices) / epsilon;
}

/// One bit: LocalRnd's randomized response.
Result<GrrSpec> bit_spec(EpsilonNano epsilon) {
  GrrSpec spec{epsilon, 2, 0};
  if (const Status s = derive(spec); s != Status::ok)
    return spec_error(s, GrrSpec::k_stem, std::to_string(epsilon) + " nano-nats");
  return spec;
}

struct Counted {
  std::uint64_t prefix = 0;
  double share = 0;
};

class PaperTreeProtocol final : public RoundProtocol {
 public:
  PaperTreeProtocol(const RegressionTerms& terms, const Manifest& manifest)
      : RoundProtocol(terms, manifest), seed_(manifest.seed) {}

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override { return closed() == k_key_bits; }
  [[nodiscard]] Result<RoundDraft> draft() override;
  Result<Done> record(const RoundAggregate& aggregate) override;
  [[nodiscard]] std::vector<Counted> frequencies(const ItemRound& round, std::span<const NamedNumber> reports,
                                                 std::span<const std::uint64_t> words) const;
  [[nodiscard]] double epsilon() const { return static_cast<double>(terms_.epsilon) / 1e9; }

  const std::uint8_t* seed_;
  GrrSpec spec_;
  std::vector<Counted> prefixes_{{}};  ///< the printed start, no prefix at all, has no children: the empty one has
};

Result<RoundDraft> PaperTreeProtocol::draft() {
  const Result<GrrSpec> spec = bit_spec(terms_.epsilon);
  if (!spec) return spec.error();
  spec_ = spec.value();
  RoundDraft out{QuestionKind::top, Recipe::item, number(), cohort(), spec_, {}, {}};
  out.parameter[recipe::item::length] = terms_.everyday->top.length;
  out.parameter[recipe::item::key_bits] = static_cast<std::uint32_t>(closed() + 1);
  return out;
}

/// FreqOracle: the median over the groups of the unbiased share of each word.
std::vector<Counted> PaperTreeProtocol::frequencies(const ItemRound& round, std::span<const NamedNumber> reports,
                                                    std::span<const std::uint64_t> words) const {
  const std::size_t groups = groups_of(static_cast<double>(terms_.devices));
  std::vector<std::vector<NamedNumber>> of_group(groups);
  for (const NamedNumber& one : reports) of_group[one.pseudonym % groups].push_back(one);
  std::vector<std::vector<double>> shares(words.size());
  for (const std::vector<NamedNumber>& group : of_group) {
    if (group.empty()) continue;
    const std::vector<std::uint64_t> hits = count_agreeing(round, group, words);
    const auto n = static_cast<double>(group.size());
    for (std::size_t i = 0; i < words.size(); ++i)
      shares[i].push_back((static_cast<double>(hits[i]) / n - round.other()) / (round.own() - round.other()));
  }
  std::vector<Counted> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    std::vector<double>& s = shares[i];
    std::ranges::sort(s);
    const double middle = s.empty() ? 0 : (s[(s.size() - 1) / 2] + s[s.size() / 2]) / 2;
    out.push_back({words[i], middle});
  }
  return out;
}

/// HeavyHitter: one more bit of every prefix that is left.
Result<Done> PaperTreeProtocol::record(const RoundAggregate& aggregate) {
  const std::vector<NamedNumber> reports = aggregate.reports().sorted();
  std::vector<std::uint64_t> children;
  for (const Counted& of : prefixes_) {
    children.push_back(of.prefix << 1);
    children.push_back(of.prefix << 1 | 1);
  }
  std::vector<Counted> counted = frequencies({seed_, number(), spec_}, reports, children);
  std::ranges::sort(counted, std::ranges::greater{}, &Counted::share);
  const double threshold = threshold_of(epsilon(), static_cast<double>(terms_.devices));
  const auto below = std::ranges::find_if(counted, [&](const Counted& of) { return of.share < threshold; });
  const auto kept = static_cast<std::size_t>(below - counted.begin());
  counted.resize(std::clamp<std::size_t>(kept, 1, k_kept_prefixes_max));  // never empty, as printed
  prefixes_ = std::move(counted);
  model_.rounds.push_back(
      {number(), "top", "item", static_cast<std::uint32_t>(children.size()), 0, reports.size(),
       1 / (std::tanh(epsilon() / 2) * std::sqrt(std::max<double>(1, static_cast<double>(reports.size()))))});
  return Done{};
}

Model PaperTreeProtocol::model() const {
  Model out = model_;
  out.everyday.kind = "top";
  out.everyday.what = "share of devices with each id, by the paper's tree";
  const double threshold = threshold_of(epsilon(), static_cast<double>(terms_.devices));
  const double half = out.rounds.empty() ? 1 : k_two_sided * k_median_to_mean * out.rounds.back().noise;
  if (!is_over()) {
    out.verdict = Verdict::cannot_learn;
    out.why_verdict = "no device has answered";
    return out;
  }
  for (const Counted& of : prefixes_)
    out.everyday.items.push_back({id_text(of.prefix), std::clamp(of.share, 0.0, 1.0),
                                  std::clamp(of.share - half, 0.0, 1.0), std::clamp(of.share + half, 0.0, 1.0), 1});
  // The paper's list is never empty and nothing confirms it, so that it is never learned.
  const bool stands = prefixes_.front().share >= threshold;
  out.verdict = stands ? Verdict::uncertain : Verdict::cannot_learn;
  if (!stands) out.everyday.items.clear();
  out.why_verdict =
      stands ? fmt::format(
                   "{} id{} reached the paper's threshold, {:.1f} % of devices, at its last bit; no other device "
                   "confirms them, and noise can carry an id there",
                   prefixes_.size(), prefixes_.size() == 1 ? "" : "s", 100 * threshold)
             : fmt::format("no id reached the paper's threshold, {:.1f} % of devices", 100 * threshold);
  return out;
}

}  // namespace

Result<ProtocolPlan> plan_paper_tree(RegressionTerms& terms) {
  const Result<GrrSpec> spec = bit_spec(terms.epsilon);
  if (!spec) return spec.error();
  ProtocolPlan plan{share_weights(std::vector<double>(k_key_bits, 1.0 / k_key_bits)),
                    question_bits({QuestionKind::top}), spec.value()};
  const auto devices = static_cast<double>(terms.devices);
  plan.why = fmt::format(
      "the paper's tree: {} levels of one bit, the median of {} groups, ids on more than {:.1f} % of "
      "devices",
      k_key_bits, groups_of(devices), 100 * threshold_of(static_cast<double>(terms.epsilon) / 1e9, devices));
  return plan;
}

std::unique_ptr<Protocol> start_paper_tree(const RegressionTerms& terms, const Manifest& manifest) {
  return std::make_unique<PaperTreeProtocol>(terms, manifest);
}

}  // namespace sotto::analyzer
