// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "../frame/plan_parts.hpp"
#include "category.hpp"
#include "items.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/math/normal.hpp"
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/protocol/category/top_odds.hpp"
#include "sotto/analyzer/protocol/frame/round_protocol.hpp"
#include "sotto/analyzer/text/printable.hpp"
#include "sotto/question/top.hpp"

// The most common items. Ids: four levels of a prefix tree, 16 bits each, then a cohort that confirms. Strings: a hash,
// then fragments of two bytes of the strings with these hashes, then the same cohort.
namespace sotto::analyzer {
namespace {

constexpr double k_confirming = 0.2;      // the share of the devices that confirm
constexpr double k_hash_weight = 1.3;     // devices for the hash, those for one fragment being 1
constexpr double k_found_deviations = 5;  // an item of this many deviations is found more often than not

/// What the rounds ask for, in their order, and the share of the devices for each.
struct Stage {
  ItemPart part;  ///< with the number of fragments in place of one of them
  double share;
};

std::vector<Stage> stages_of(const TopTerms& top) {
  std::vector<Stage> out;
  const std::uint32_t length = top.length, hashed = top.strings ? 1 : 0;
  if (top.strings) {
    const std::uint32_t fragments = (length + 1) / 2;
    const double one = (1 - k_confirming) / (k_hash_weight + fragments);
    out.push_back({{length, hashed, k_string_hash_bits, 0}, k_hash_weight * one});
    out.push_back({{length, hashed, k_string_hash_bits, fragments}, fragments * one});
  } else {
    const std::uint32_t levels = k_key_bits / k_level_bits;
    for (std::uint32_t level = 1; level <= levels; ++level)
      out.push_back({{length, hashed, level * k_level_bits, 0}, (1 - k_confirming) / levels});
  }
  out.push_back({{length, hashed, k_key_bits, 0}, k_confirming});
  return out;
}

/// The hash with the least variance at this epsilon, for a domain of any size.
Result<GrrSpec> item_spec(EpsilonNano epsilon) {
  const Result<VoteProposal> vote = propose_vote(epsilon, k_categories_max - 1);
  if (!vote) return vote.error();
  GrrSpec spec{epsilon, std::uint32_t{1} << vote.value().spec.bits, 0};
  if (const Status s = derive(spec); s != Status::ok)
    return spec_error(s, GrrSpec::k_stem, std::to_string(epsilon) + " nano-nats");
  return spec;
}

/// The standard error of the share of an item that nobody has, from this many reports.
double share_noise(const GrrSpec& spec, double reports) {
  const double buckets = spec.categories, own = std::ldexp(spec.threshold, -32);
  return std::sqrt((buckets - 1) / reports) / (buckets * own - 1);
}

/// The share of devices that an item needs to be found about every other time.
double needed_share(const GrrSpec& spec, const std::vector<Stage>& stages, double devices) {
  double least = 1;
  for (const Stage& stage : stages) {
    const double parts = stage.part.fragment == 0 ? 1 : stage.part.fragment;
    least = std::min(least, stage.share / parts);
  }
  return k_found_deviations * share_noise(spec, least * devices);
}

class TopProtocol final : public RoundProtocol {
 public:
  TopProtocol(const RegressionTerms& terms, const Manifest& manifest)
      : RoundProtocol(terms, manifest), seed_(manifest.seed), stages_(stages_of(terms.everyday->top)) {}

  [[nodiscard]] Model model() const override;

 private:
  [[nodiscard]] bool is_over() const override { return closed() == stages_.size() || (closed() > 0 && lost_); }
  [[nodiscard]] Result<RoundDraft> draft() override;
  Result<Done> record(const RoundAggregate& aggregate) override;
  void descend(const ItemRound& round, std::span<const NamedNumber> reports);
  void confirm(const ItemRound& round, std::span<const NamedNumber> reports);

  const std::uint8_t* seed_;
  std::vector<Stage> stages_;
  GrrSpec spec_;
  std::vector<std::uint64_t> words_{0};  ///< prefixes or hashes that are left, then the keys of the candidates
  std::vector<std::string> strings_;     ///< the candidates, where they are strings
  bool lost_ = false;                    ///< nothing stands out, and later rounds have nothing to ask
};

Result<RoundDraft> TopProtocol::draft() {
  const Result<GrrSpec> spec = item_spec(terms_.epsilon);
  if (!spec) return spec.error();
  spec_ = spec.value();
  RoundDraft out{QuestionKind::top, Recipe::item, number(), cohort(), spec_, {}, {}};
  const ItemPart& part = stages_[closed()].part;
  out.parameter[recipe::item::length] = part.length;
  out.parameter[recipe::item::hashed] = part.hashed;
  out.parameter[recipe::item::key_bits] = part.key_bits;
  out.parameter[recipe::item::fragments] = part.fragment;
  return out;
}

/// One step towards candidates: a level of the tree, the hashes of strings, or their fragments.
void TopProtocol::descend(const ItemRound& round, std::span<const NamedNumber> reports) {
  const TopTerms& top = terms_.everyday->top;
  if (stages_[closed()].part.fragment != 0) {
    strings_ = join_fragments(round, reports, words_, top.length);
    words_.clear();
    for (const std::string& s : strings_) {
      words_.push_back(item_word({top.length, 1, k_key_bits, 0}, seed_, reinterpret_cast<const std::uint8_t*>(s.data()),
                                 static_cast<std::uint32_t>(s.size())));
    }
  } else {
    const std::vector<ScoredWord> best = top.strings
                                             ? best_children(round, reports, words_, k_string_hash_bits, k_hash_cut)
                                             : best_children(round, reports, words_, k_level_bits, k_prefix_cut);
    words_.clear();
    for (const ScoredWord& word : best) words_.push_back(word.word);
  }
  lost_ = words_.empty();
}

void TopProtocol::confirm(const ItemRound& round, std::span<const NamedNumber> reports) {
  for (const ConfirmedItem& item : confirm_items(round, reports, words_)) {
    std::string name = strings_.empty()                   ? id_text(words_[item.candidate])
                       : strings_[item.candidate].empty() ? "(nothing)"
                                                          : printable(strings_[item.candidate]);
    model_.everyday.items.push_back({std::move(name), item.share, item.low, item.high, item.p_value});
  }
}

Result<Done> TopProtocol::record(const RoundAggregate& aggregate) {
  const std::vector<NamedNumber> reports = aggregate.reports().sorted();
  const ItemRound round{seed_, number(), spec_};
  const auto asked = static_cast<std::uint32_t>(words_.size());
  if (closed() + 1 == stages_.size())
    confirm(round, reports);
  else
    descend(round, reports);
  model_.rounds.push_back({number(), "top", "item", asked, 0, reports.size(),
                           share_noise(spec_, static_cast<double>(std::max<std::size_t>(1, reports.size())))});
  return Done{};
}

Model TopProtocol::model() const {
  Model out = model_;
  out.everyday.kind = "top";
  out.everyday.what =
      terms_.everyday->top.strings ? "share of devices with each string" : "share of devices with each id";
  double devices = 0;
  for (const RoundRecord& round : out.rounds) devices += static_cast<double>(round.reports);
  const double needed = devices > 0 && spec_.categories > 0 ? 100 * needed_share(spec_, stages_, devices) : 100;
  const std::size_t found = out.everyday.items.size();
  out.verdict = found > 0 ? Verdict::learned : Verdict::cannot_learn;
  out.why_verdict =
      found == 0
          ? fmt::format("no item stands out; with this many devices one must be on about {:.1f} % of them", needed)
          : fmt::format(
                "{} item{} confirmed by devices that did not name {}; one on fewer than about {:.1f} % of "
                "the devices stays unseen",
                found, found == 1 ? " is" : "s are", found == 1 ? "it" : "them", needed);
  return out;
}

}  // namespace

Result<ProtocolPlan> plan_top(RegressionTerms& terms) {
  if (terms.paper) return plan_paper_tree(terms);
  const Result<GrrSpec> spec = item_spec(terms.epsilon);
  if (!spec) return spec.error();
  const std::vector<Stage> stages = stages_of(terms.everyday->top);
  std::vector<double> shares;
  for (const Stage& stage : stages) shares.push_back(stage.share);
  ProtocolPlan plan{share_weights(shares), question_bits({QuestionKind::top}), spec.value()};
  plan.why = fmt::format("{}, then a fifth of the devices confirms; an item on about {:.1f} % of {} devices is found",
                         terms.everyday->top.strings ? "the hash of a string, then its fragments"
                                                     : "four levels of 16 bits of a prefix tree",
                         100 * std::min(1.0, needed_share(spec.value(), stages, static_cast<double>(terms.devices))),
                         terms.devices);
  return plan;
}

namespace {

// Of the last cohort: what Holm's correction asks of an item among the usual number of candidates.
constexpr double k_confirm_cut = 2.8;
// Of a fragment: the best of all 2^16 that nobody has reach about this far.
constexpr double k_fragment_cut = 3.9;

/// The chance that an item's support passes a cut, which is in deviations of a word that nobody has.
double passes(const GrrSpec& spec, double reports, double share, double cut) {
  const double other = 1.0 / spec.categories, own = std::ldexp(spec.threshold, -32), gap = own - other;
  const double agreeing = other + share * gap;
  const double error = std::sqrt(agreeing * (1 - agreeing) / reports) / gap;
  return normal_below((share - cut * share_noise(spec, reports)) / error);
}

}  // namespace

Result<TopOdds> top_odds(const RegressionTerms& terms, double devices, double share) {
  const Result<GrrSpec> derived = item_spec(terms.epsilon);
  if (!derived) return derived.error();
  const GrrSpec& spec = derived.value();
  const TopTerms& top = terms.everyday->top;
  const std::vector<Stage> stages = stages_of(top);
  TopOdds out{1, 0, 0};
  for (const Stage& stage : stages) {
    const double parts = std::max<double>(1, stage.part.fragment);
    const double reports = std::max(1.0, devices * stage.share / parts);
    const bool is_last = &stage == &stages.back();
    const double cut = is_last                    ? k_confirm_cut
                       : stage.part.fragment != 0 ? k_fragment_cut
                       : top.strings              ? k_hash_cut
                                                  : k_prefix_cut;
    out.found *= std::pow(passes(spec, reports, share, cut), parts);
    if (!is_last) continue;
    const double other = 1.0 / spec.categories, own = std::ldexp(spec.threshold, -32), gap = own - other;
    const double agreeing = other + share * gap, error = std::sqrt(agreeing * (1 - agreeing) / reports) / gap;
    constexpr double k_mean_size = 0.7978845608028654;  // of a standard normal number
    out.error = k_mean_size * error;
    out.half = k_interval_95 * error;
  }
  return out;
}

std::unique_ptr<Protocol> start_top(const RegressionTerms& terms, const Manifest& manifest) {
  if (terms.paper) return start_paper_tree(terms, manifest);
  return std::make_unique<TopProtocol>(terms, manifest);
}

}  // namespace sotto::analyzer
