// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <numeric>

#include "report_kit.hpp"
#include "sotto/analyzer/aggregate/round_sink.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/propose/direction.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"
#include "sotto/analyzer/simulate/study_text.hpp"
#include "sotto/analyzer/store/store_sink.hpp"
#include "sotto/public_coins.hpp"
#include "temporary_directory.hpp"

namespace sotto::analyzer {
namespace {

Bytes usual_manifest() {
  StudyDraft draft;
  draft.name = "sums";
  draft.epsilon = 4;
  draft.devices = 400;
  draft.features = 15;
  draft.target = {"y", "", 0, 1};
  const Study study = read_study(study_text(draft), "study.toml").value();
  return compile_study(study, repeatable_seed(5)).value().manifest;
}

template <class Spec>
Spec derived_spec(Spec spec) {
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

/// One study, and a round for each randomizer that protocols use.
class RoundSums : public testing::Test {
 protected:
  RoundSums() : manifest_bytes(usual_manifest()), manifest(read_manifest(manifest_bytes, "").value()) {
    constexpr EpsilonNano k_epsilon = 4 * k_epsilon_one;
    add(QuestionKind::vote, Recipe::screen, derived_spec(VoteSpec{k_epsilon, 15, 0, 0, 0}), 16);
    add_direction(derived_spec(CrossPolytopeSpec{k_epsilon, 6, 16, 8, 0}), 128);
    add_direction(derived_spec(SphereCodeSpec{k_epsilon, 16, 256, 20, 0}), 256);
    add_direction(derived_spec(HemisphereSpec{k_epsilon, 16, 0}), 2);
  }

  template <class Spec>
  void add_direction(const Spec& spec, std::uint32_t outcomes) {
    add(QuestionKind::direction, Recipe::means, spec, outcomes);
  }

  void add(QuestionKind question, Recipe recipe, const AnySpec& spec, std::uint32_t outcomes) {
    RoundDraft draft{question, recipe, static_cast<std::uint16_t>(rounds.size() + 1), 0, spec, {}, {}};
    if (question == QuestionKind::direction) {
      draft.parameter[recipe::vector::radius] = 1u << 24;
      draft.parameter[recipe::vector::scope] = k_scope_all;
    }
    const Result<Bytes> bytes = write_round(draft, manifest_digest(manifest));
    ASSERT_TRUE(bytes.ok()) << bytes.error().message();
    rounds.push_back(bytes.value());
    outcomes_of.push_back(outcomes);
  }

  Bytes manifest_bytes;
  Manifest manifest;
  std::vector<Bytes> rounds;
  std::vector<std::uint32_t> outcomes_of;
};

TEST_F(RoundSums, parts_merge_in_any_order_and_grouping_to_the_same_bytes) {
  constexpr std::uint64_t k_reports = 700;  // past two carries
  SeededEntropy draw(11);
  for (std::size_t r = 0; r < rounds.size(); ++r) {
    SCOPED_TRACE(r);
    const Round round = read_round(rounds[r], "").value();
    const RoundAggregate empty = RoundAggregate::open(manifest, round).value();
    std::vector<std::uint32_t> number(k_reports);
    for (std::uint32_t& n : number) n = draw.word() % outcomes_of[r];
    RoundAggregate whole = empty;
    for (std::uint64_t i = 0; i < k_reports; ++i) ASSERT_TRUE(whole.absorb(i + 1, number[i]));
    for (int trial = 0; trial < 5; ++trial) {
      // Reports in random order into random parts, which travel as bytes and are merged two by two.
      std::vector<std::uint64_t> order(k_reports);
      std::iota(order.begin(), order.end(), 0u);
      for (std::size_t i = k_reports; i-- > 1;) std::swap(order[i], order[draw.word() % (i + 1)]);
      std::vector<RoundAggregate> parts(1 + draw.word() % 9, empty);
      for (const std::uint64_t i : order) ASSERT_TRUE(parts[draw.word() % parts.size()].absorb(i + 1, number[i]));
      while (parts.size() > 1) {
        const std::size_t into = draw.word() % (parts.size() - 1);
        const Result<RoundAggregate> loaded = RoundAggregate::load(manifest, round, parts.back().save());
        ASSERT_TRUE(loaded.ok());
        ASSERT_TRUE(parts[into].merge(loaded.value()).ok());
        parts.pop_back();
      }
      EXPECT_EQ(parts[0].save(), whole.save());
      EXPECT_EQ(parts[0].used(), k_reports);
    }
    // And what is read from them is the same to the last bit.
    const RoundAggregate again = RoundAggregate::load(manifest, round, whole.save()).value();
    if (r == 0) {
      EXPECT_EQ(again.votes().share, whole.votes().share);
    } else {
      EXPECT_EQ(again.direction().mean, whole.direction().mean);
      EXPECT_EQ(again.direction().standard_error, whole.direction().standard_error);
      EXPECT_EQ(again.direction().mean.size(), 16u);
    }
  }
}

TEST_F(RoundSums, sums_of_two_rounds_do_not_add_up) {
  for (std::size_t a = 0; a < rounds.size(); ++a) {
    for (std::size_t b = 0; b < rounds.size(); ++b) {
      if (a == b) continue;
      RoundAggregate into = RoundAggregate::open(manifest, read_round(rounds[a], "").value()).value();
      const RoundAggregate other = RoundAggregate::open(manifest, read_round(rounds[b], "").value()).value();
      EXPECT_EQ(into.merge(other).error().code, "protocol.other_round");
      EXPECT_FALSE(RoundAggregate::load(manifest, read_round(rounds[a], "").value(), other.save()).ok());
    }
  }
}

TEST_F(RoundSums, numbers_outside_the_outcomes_are_not_taken) {
  for (const Bytes& bytes : rounds) {
    RoundAggregate sums = RoundAggregate::open(manifest, read_round(bytes, "").value()).value();
    EXPECT_FALSE(sums.absorb(1, ~std::uint32_t{0}));
    EXPECT_EQ(sums.used(), 0u);
  }
}

TEST(RoundSinks, a_sum_that_keeps_nothing_is_the_sum_of_what_is_stored) {
  ReportKit kit;
  std::vector<Bytes> batches(5);
  for (std::uint32_t i = 1; i <= 300; ++i) append_report(batches[i % 5], kit.vote_for(i, i % 9));
  append_report(batches[2], Bytes{1, 2, 3});  // counted, by both
  const auto summing = SummingSink::open(kit.compiled.manifest, test_master()).value();
  const TemporaryDirectory directory;
  const auto store = RunStore::create(directory / "run.sqlite", kit.compiled.manifest, "{}").value();
  const auto storing = StoreSink::open(*store, test_master()).value();
  for (RoundSink* const sink : {static_cast<RoundSink*>(summing.get()), static_cast<RoundSink*>(storing.get())}) {
    ASSERT_TRUE(sink->open_round(kit.round_bytes).ok());
  }
  for (std::uint64_t b = 0; b < 5; ++b) {
    EXPECT_FALSE(storing->has_batch(4 - b).value());
    ASSERT_TRUE(summing->put_batch(b, batches[b]).ok());
    ASSERT_TRUE(storing->put_batch(4 - b, batches[4 - b]).ok());  // in another order
    EXPECT_TRUE(storing->has_batch(4 - b).value());
  }
  const RoundAggregate summed = summing->close_round().value(), stored = storing->close_round().value();
  EXPECT_EQ(summed.save(), stored.save());
  EXPECT_EQ(summed.used(), 300u);
  EXPECT_EQ(summing->counts(), storing->counts());
}

}  // namespace
}  // namespace sotto::analyzer
