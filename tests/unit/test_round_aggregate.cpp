// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/round_aggregate.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "regression_kit.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/analyzer/propose/defaults.hpp"
#include "sotto/analyzer/propose/vote.hpp"
#include "sotto/analyzer/protocol/rounds/coordinate.hpp"
#include "sotto/choices.hpp"

namespace sotto::analyzer {
namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr EpsilonNano k_epsilon = 2 * k_epsilon_one;
constexpr std::uint32_t k_features = 24;

Bytes manifest_bytes() {
  RegressionTerms terms;
  terms.protocol = find_protocol("cascade");
  terms.features = k_features;
  terms.devices = 1000;
  terms.epsilon = k_epsilon;
  return compile_study(study_of(terms).value(), repeatable_seed(3)).value().manifest;
}

/// A round of one kind with everything that its sums need.
struct Kind {
  std::string name;
  RoundDraft draft;
};

template <class Spec>
AnySpec derived(Spec spec) {
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

std::vector<Kind> every_kind() {
  RegressionTerms terms;
  terms.epsilon = k_epsilon;
  terms.features = k_features;
  const Entries five{{1, 0}, {3, 0.5}, {4, 0}, {9, -0.25}, {20, 0}};
  CoordinateQuestion question{LocalAnswer::least_squares, five, {{-1, 1}}};
  const auto coordinate = [&](QuestionKind kind, const AnySpec& spec) {
    return draft_coordinate(terms, kind, spec, question, 2, 0);
  };
  RoundDraft hash_vote = draft_vote(terms, false, {}, 2, 0).value();
  VoteSpec hashed{k_epsilon, k_features, static_cast<std::uint32_t>(VoteOracle::walsh_hash), 3, 0};
  hashed.threshold = std::get<WalshHashSpec>(derived(as_walsh_hash(hashed))).threshold;
  hash_vote.spec = hashed;
  RoundDraft grr_vote = hash_vote;
  const GrrSpec as_categories = std::get<GrrSpec>(derived(GrrSpec{k_epsilon, k_features + 1, 0}));
  grr_vote.spec =
      VoteSpec{k_epsilon, k_features, static_cast<std::uint32_t>(VoteOracle::grr), 0, as_categories.threshold};
  RoundDraft cross = draft_direction(terms, {LocalAnswer::gradient, 1, five}, 2, 0).value();
  RoundDraft code = cross, hemisphere = cross;
  cross.spec = default_cross_polytope(k_epsilon, 6, 6).value();
  code.spec = default_sphere_code(k_epsilon, 6, 256).value();
  hemisphere.spec = derived(HemisphereSpec{k_epsilon, 6, 0});
  return {
      {"vote by hash", hash_vote},
      {"vote by grr", grr_vote},
      {"direction by cross-polytope", cross},
      {"direction by sphere code", code},
      {"direction by hemisphere", hemisphere},
      {"bin by grr", coordinate(QuestionKind::bin, derived(GrrSpec{k_epsilon, 7, 0}))},
      {"bin by hash", coordinate(QuestionKind::bin, derived(WalshHashSpec{k_epsilon, 40, 3, 0}))},
      {"bin by hadamard response", coordinate(QuestionKind::bin, derived(HadamardResponseSpec{k_epsilon, 4, 9, 0}))},
      {"value by window", coordinate(QuestionKind::value, default_window(k_epsilon).value())},
      {"value by laplace", coordinate(QuestionKind::value, derived(LaplaceSpec{k_epsilon, 16, 0}))},
  };
}

class RoundSums : public ::testing::Test {
 protected:
  RoundSums() : bytes_(manifest_bytes()), manifest_(read_manifest(bytes_, "m").value()) {}

  /// The bytes of a draft as round `number`; they live as long as the test.
  Round written(RoundDraft draft, std::uint16_t number) {
    draft.number = number;
    rounds_.push_back(std::make_unique<Bytes>(write_round(draft, manifest_digest(manifest_)).value()));
    return read_round(*rounds_.back(), "r").value();
  }

  std::uint32_t outcomes(const Round& round) const {
    const ChannelFacts facts = facts_of(round_spec(manifest_, round).value());
    return facts.channel ? facts.channel->outcomes : 1u << facts.payload_bits;
  }

  Bytes bytes_;
  Manifest manifest_;
  std::vector<std::unique_ptr<Bytes>> rounds_;
};

struct FakeReport {
  std::uint64_t pseudonym;
  std::uint32_t number;
};

TEST_F(RoundSums, any_partition_and_order_gives_the_same_bytes_for_every_kind) {
  Xoshiro random(11, 0);
  for (const Kind& kind : every_kind()) {
    SCOPED_TRACE(kind.name);
    const Round round = written(kind.draft, 2);
    const RoundAggregate empty = RoundAggregate::open(manifest_, round).value();
    std::vector<FakeReport> reports(300);
    for (FakeReport& r : reports) r = {random.word() | 1, random.below(outcomes(round))};
    reports[7].number = outcomes(round);  // refused, and counted in every part alike
    RoundAggregate all = empty;
    for (const FakeReport& r : reports) all.absorb(r.pseudonym, r.number);
    EXPECT_EQ(all.used(), reports.size() - 1);
    const Bytes expected = all.save();
    for (int trial = 0; trial < 12; ++trial) {
      std::vector<RoundAggregate> parts(1 + random.below(6), empty);
      for (std::size_t i = reports.size(); i > 1; --i)
        std::swap(reports[i - 1], reports[random.below(static_cast<std::uint32_t>(i))]);
      for (const FakeReport& r : reports)
        parts[random.below(static_cast<std::uint32_t>(parts.size()))].absorb(r.pseudonym, r.number);
      while (parts.size() > 1) {
        const std::size_t at = random.below(static_cast<std::uint32_t>(parts.size() - 1));
        RoundAggregate last = parts.back();
        parts.pop_back();
        // Half of them come back from their bytes first, as from another machine.
        if (random.below(2) == 0) last = RoundAggregate::load(manifest_, round, last.save()).value();
        ASSERT_TRUE(parts[at].merge(last).ok());
      }
      ASSERT_EQ(parts.front().save(), expected) << "trial " << trial;
    }
  }
}

TEST_F(RoundSums, sums_of_another_round_or_kind_are_not_merged) {
  const std::vector<Kind> kinds = every_kind();
  for (const Kind& kind : kinds) {
    SCOPED_TRACE(kind.name);
    RoundAggregate mine = RoundAggregate::open(manifest_, written(kind.draft, 2)).value();
    const Bytes before = mine.save();
    const auto later = mine.merge(RoundAggregate::open(manifest_, written(kind.draft, 3)).value());
    ASSERT_FALSE(later.ok());
    EXPECT_EQ(later.error().code, "protocol.other_round");
    for (const Kind& other : kinds) {
      if (other.name == kind.name || round_spec(manifest_, written(other.draft, 2)).value().index() ==
                                         round_spec(manifest_, written(kind.draft, 2)).value().index())
        continue;
      EXPECT_FALSE(mine.merge(RoundAggregate::open(manifest_, written(other.draft, 2)).value()).ok()) << other.name;
      EXPECT_FALSE(RoundAggregate::load(manifest_, written(other.draft, 2), before).ok()) << other.name;
    }
    EXPECT_EQ(mine.save(), before);
  }
}

TEST_F(RoundSums, a_coordinate_round_of_another_size_is_not_merged) {
  for (const Kind& kind : every_kind()) {
    if (kind.draft.question != QuestionKind::bin && kind.draft.question != QuestionKind::value) continue;
    SCOPED_TRACE(kind.name);
    RoundDraft six = kind.draft, two = kind.draft;
    six.model.push_back({22, 0});  // pads to the same eight coordinates, and is another rotation
    two.model.resize(2);
    for (const RoundDraft& other : {six, two}) {
      RoundAggregate mine = RoundAggregate::open(manifest_, written(kind.draft, 2)).value();
      const auto merged = mine.merge(RoundAggregate::open(manifest_, written(other, 2)).value());
      ASSERT_FALSE(merged.ok());
      EXPECT_EQ(merged.error().code, "aggregate.other_spec");
      const Bytes bytes = RoundAggregate::open(manifest_, written(other, 2)).value().save();
      const auto loaded = RoundAggregate::load(manifest_, written(kind.draft, 2), bytes);
      ASSERT_FALSE(loaded.ok());
      EXPECT_EQ(loaded.error().code, "aggregate.other_spec");
    }
  }
}

TEST_F(RoundSums, cut_or_altered_bytes_of_coordinates_are_refused) {
  for (const Kind& kind : every_kind()) {
    if (kind.draft.question != QuestionKind::bin && kind.draft.question != QuestionKind::value) continue;
    SCOPED_TRACE(kind.name);
    const Round round = written(kind.draft, 2);
    RoundAggregate sums = RoundAggregate::open(manifest_, round).value();
    for (std::uint64_t p = 1; p < 50; ++p) sums.absorb(p, static_cast<std::uint32_t>(p % 2));
    const Bytes bytes = sums.save();
    for (std::size_t size = 0; size < bytes.size(); size += 13)
      EXPECT_EQ(RoundAggregate::load(manifest_, round, std::span(bytes).first(size)).error().code,
                "aggregate.truncated");
    for (std::size_t at = 0; at < bytes.size(); at += 7) {
      Bytes other = bytes;
      other[at] ^= 0x10;
      EXPECT_FALSE(RoundAggregate::load(manifest_, round, other).ok()) << "byte " << at;
    }
    Bytes longer = bytes;
    longer.push_back(0);
    EXPECT_EQ(RoundAggregate::load(manifest_, round, longer).error().code, "aggregate.bytes_left_over");
  }
}

TEST_F(RoundSums, a_report_counts_for_the_coordinate_that_public_coins_name) {
  RegressionTerms terms;
  terms.epsilon = k_epsilon;
  const CoordinateQuestion question{LocalAnswer::least_squares, {{0, 0}, {1, 0}, {2, 0}}, {{-1, 1}}};
  const AnySpec window = default_window(k_epsilon).value();
  const Round round = written(draft_coordinate(terms, QuestionKind::value, window, question, 2, 0), 2);
  RoundAggregate sums = RoundAggregate::open(manifest_, round).value();
  std::vector<std::uint64_t> expected(4);
  for (std::uint64_t p = 1; p <= 200; ++p) {
    ASSERT_TRUE(sums.absorb(p, 0));
    ++expected[chosen_coordinate({manifest_.seed, p, 2}, 3)];
  }
  const std::vector<ScalarMean> means = sums.coordinates().means();
  ASSERT_EQ(means.size(), 4u);
  for (std::size_t j = 0; j < 4; ++j) EXPECT_EQ(means[j].used, expected[j]) << j;
  EXPECT_TRUE(sums.coordinates().counts().empty());
}

TEST_F(RoundSums, a_stem_that_does_not_serve_the_question_has_no_sums) {
  RegressionTerms terms;
  terms.epsilon = k_epsilon;
  const CoordinateQuestion question{LocalAnswer::least_squares, {{0, 0}}, {{-1, 1}}};
  const AnySpec grr = derived(GrrSpec{k_epsilon, 7, 0}), window = default_window(k_epsilon).value();
  for (const RoundDraft& draft : {draft_coordinate(terms, QuestionKind::value, grr, question, 2, 0),
                                  draft_coordinate(terms, QuestionKind::bin, window, question, 2, 0)}) {
    const auto opened = RoundAggregate::open(manifest_, written(draft, 2));
    ASSERT_FALSE(opened.ok());
    EXPECT_EQ(opened.error().code, "protocol.no_aggregate");
  }
}

TEST(Rotation, comes_back_for_every_size_and_keeps_the_length) {
  Xoshiro random(5, 0);
  for (std::size_t size = 1; size <= 70; ++size) {
    const StudySeed seed = repeatable_seed(size);
    std::vector<double> vector(size);
    double length = 0, rotated_length = 0;
    for (double& v : vector) {
      v = random.unit() - 0.5;
      length += v * v;
    }
    const std::vector<double> rotated = rotate(seed.data(), vector);
    ASSERT_EQ(rotated.size(), rotated_size(static_cast<std::uint32_t>(size)));
    for (const double v : rotated) rotated_length += v * v;
    EXPECT_NEAR(rotated_length, length, 1e-12 * static_cast<double>(size));
    const std::vector<double> back = rotate_back(seed.data(), rotated, size);
    ASSERT_EQ(back.size(), size);
    for (std::size_t i = 0; i < size; ++i) EXPECT_NEAR(back[i], vector[i], 1e-13);
  }
}

}  // namespace
}  // namespace sotto::analyzer
