// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <algorithm>

#include "report_kit.hpp"
#include "sotto/analyzer/aggregate/vote.hpp"
#include "sotto/analyzer/ingest/batch.hpp"

namespace sotto::analyzer {
namespace {

std::vector<Reading> readings(const Collector& collector, std::uint16_t round = 1) {
  std::vector<Reading> out;
  collector.each(round, [&](const Reading& r) { out.push_back(r); });
  return out;
}

TEST(Collector, a_report_of_a_device_counts_and_is_handed_out) {
  ReportKit kit;
  const auto collector = kit.collector();
  const Absorbed a = collector->absorb(kit.pack(0x1122334455667788, 5));
  EXPECT_EQ(a.reason, Reason::accepted);
  ASSERT_TRUE(a.accepted.has_value());
  EXPECT_EQ(*a.accepted, (Reading{1, 0x1122334455667788, 5}));
  EXPECT_EQ(readings(*collector), (std::vector<Reading>{{1, 0x1122334455667788, 5}}));
  EXPECT_EQ(collector->counts()[Reason::accepted], 1u);
  EXPECT_EQ(collector->counts().total(), 1u);
}

TEST(Collector, what_the_device_library_sends_is_accepted_sealed_or_plain) {
  for (const char* terms : {"authenticated = true", "authenticated = false"}) {
    ReportKit kit(vote_study(terms));
    const auto collector = kit.collector();
    for (std::uint32_t p = 1; p <= 200; ++p)
      ASSERT_EQ(collector->absorb(kit.vote_for(p, p % 9)).reason, Reason::accepted);
    EXPECT_EQ(readings(*collector).size(), 200u);
  }
}

TEST(Collector, a_replay_counts_once) {
  ReportKit kit;
  const auto collector = kit.collector();
  const Bytes report = kit.pack(9, 3);
  EXPECT_EQ(collector->absorb(report).reason, Reason::accepted);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(collector->absorb(report).reason, Reason::duplicate);
  EXPECT_EQ(readings(*collector).size(), 1u);
  EXPECT_EQ(collector->counts()[Reason::duplicate], 5u);
}

TEST(Collector, every_flipped_bit_of_a_sealed_report_is_refused) {
  ReportKit kit;
  const Bytes report = kit.pack(0x0102030405060708, 4);
  const auto collector = kit.collector();
  for (std::size_t bit = 0; bit < 8 * report.size(); ++bit) {
    Bytes flipped = report;
    flipped[bit / 8] ^= static_cast<std::uint8_t>(1u << bit % 8);
    const Absorbed a = collector->absorb(flipped);
    EXPECT_NE(a.reason, Reason::accepted) << "bit " << bit;
    EXPECT_NE(a.reason, Reason::conflict) << "bit " << bit;
    if (bit / 8 >= 8) {  // pseudonym, payload and tag
      EXPECT_EQ(a.reason, Reason::forged) << "bit " << bit;
    }
  }
  EXPECT_TRUE(readings(*collector).empty());
  EXPECT_EQ(collector->absorb(report).reason, Reason::accepted);
}

TEST(Collector, another_master_key_forges) {
  ReportKit kit;
  const auto collector = kit.collector();
  EXPECT_EQ(collector->absorb(kit.pack(kit.header(9), {3}, test_master(8))).reason, Reason::forged);
  EXPECT_EQ(kit.collector(test_master(8))->absorb(kit.pack(9, 3)).reason, Reason::forged);
  EXPECT_EQ(kit.collector(std::nullopt)->absorb(kit.pack(9, 3)).reason, Reason::forged);
}

TEST(Collector, a_report_without_a_tag_is_forged_where_the_study_seals) {
  ReportKit kit;
  ReportHeader plain = kit.header(9);
  plain.authenticated = false;
  EXPECT_EQ(kit.collector()->absorb(kit.pack(plain, {3})).reason, Reason::forged);
  ReportKit open(vote_study("authenticated = false"));
  ReportHeader sealed = open.header(9);
  sealed.authenticated = true;
  EXPECT_EQ(open.collector()->absorb(open.pack(sealed, {3})).reason, Reason::forged);
}

TEST(Collector, truncated_and_extended_reports_are_refused) {
  ReportKit kit;
  const Bytes report = kit.pack(9, 3);
  const auto collector = kit.collector();
  for (std::size_t size = 0; size < report.size(); ++size) {
    const Absorbed a = collector->absorb(std::span(report).first(size));
    EXPECT_EQ(a.reason, Reason::malformed) << size;
    EXPECT_EQ(a.status, Status::truncated) << size;
  }
  Bytes longer = report;
  for (int extra = 1; extra < 40; ++extra) {
    longer.push_back(0);
    EXPECT_EQ(collector->absorb(longer).reason, Reason::forged);
  }
  longer.resize(1025);
  EXPECT_EQ(collector->absorb(longer).status, Status::too_large);
  EXPECT_TRUE(readings(*collector).empty());
}

TEST(Collector, plain_reports_of_another_size_are_malformed) {
  ReportKit kit(vote_study("authenticated = false"));
  const auto collector = kit.collector();
  const Absorbed a = collector->absorb(kit.pack(kit.header(9), {3, 0}));
  EXPECT_EQ(a.reason, Reason::malformed);
  EXPECT_EQ(a.status, Status::trailing_bytes);
}

TEST(Collector, a_sealed_payload_of_another_size_is_malformed_although_its_tag_is_right) {
  ReportKit kit;
  EXPECT_EQ(kit.collector()->absorb(kit.pack(kit.header(9), {3, 0})).status, Status::trailing_bytes);
}

TEST(Collector, a_number_that_the_randomizer_cannot_give_is_refused) {
  ReportKit kit;  // 8 features and none: 0 .. 8
  const auto collector = kit.collector();
  EXPECT_EQ(collector->absorb(kit.pack(1, 8)).reason, Reason::accepted);
  for (const int number : {9, 16, 255})
    EXPECT_EQ(collector->absorb(kit.pack(2, static_cast<std::uint8_t>(number))).reason, Reason::bad_payload);
  EXPECT_EQ(collector->absorb(kit.pack(2, 0)).reason,
            Reason::accepted);  // what was refused does not count against anybody
}

TEST(Collector, another_version_and_another_study_are_refused_by_name) {
  ReportKit kit, other(vote_study("samples = 99"));
  const auto collector = kit.collector();
  Bytes report = kit.pack(9, 3);
  report[0] = static_cast<std::uint8_t>(report[0] + 16);
  EXPECT_EQ(collector->absorb(report).reason, Reason::unsupported_version);
  EXPECT_EQ(collector->absorb(other.pack(9, 3)).reason, Reason::foreign_study);
}

TEST(Collector, a_study_with_the_same_prefix_still_fails_the_tag) {
  ReportKit kit, other(vote_study("samples = 99"));
  ReportHeader head = other.header(9);
  head.study_prefix = load_u32(kit.digest.data());  // as if somebody had ground the prefix
  EXPECT_EQ(kit.collector()->absorb(other.pack(head, {3})).reason, Reason::forged);
}

TEST(Collector, another_round_object_of_the_same_number_fails_the_tag) {
  ReportKit kit;
  const auto collector = kit.collector();
  Bytes changed = kit.compiled.round;
  changed[60] ^= 1;  // a parameter
  kit.use_round(changed);
  EXPECT_EQ(collector->absorb(kit.pack(9, 3)).reason, Reason::forged);
}

TEST(Collector, a_round_is_early_until_it_opens_and_late_when_it_is_closed) {
  ReportKit kit;
  const auto collector = kit.collector();
  const Bytes second = kit.round_with(2, k_every_cohort);
  EXPECT_EQ(collector->absorb(kit.pack(1, 3)).reason, Reason::accepted);
  kit.use_round(second);
  EXPECT_EQ(collector->absorb(kit.pack(2, 3)).reason, Reason::early);
  ASSERT_TRUE(collector->open_round(second).ok());
  EXPECT_EQ(collector->absorb(kit.pack(2, 3)).reason, Reason::accepted);
  kit.use_round(kit.compiled.round);
  EXPECT_TRUE(collector->close_round(1));
  EXPECT_FALSE(collector->close_round(1));
  EXPECT_FALSE(collector->close_round(77));
  EXPECT_EQ(collector->absorb(kit.pack(3, 3)).reason, Reason::late);
  EXPECT_EQ(readings(*collector, 1).size(), 1u);
  EXPECT_EQ(readings(*collector, 2).size(), 1u);
}

TEST(Collector, a_question_that_the_round_does_not_ask_is_refused) {
  ReportKit kit;
  ReportHeader head = kit.header(9);
  head.question = QuestionKind::value;
  EXPECT_EQ(kit.collector()->absorb(kit.pack(head, {3})).reason, Reason::wrong_question);
}

TEST(Collector, only_the_cohort_that_is_asked_counts) {
  ReportKit kit(vote_study("cohorts = [3, 1]", "cohort = 1"));
  const auto collector = kit.collector();
  std::uint64_t asked = 0;
  for (std::uint64_t p = 1; p <= 400; ++p) {
    const bool mine = cohort_of(kit.manifest, p) == 1;
    ASSERT_EQ(collector->absorb(kit.pack(p, 3)).reason, mine ? Reason::accepted : Reason::wrong_cohort) << p;
    asked += mine ? 1 : 0;
  }
  // A quarter of 400: 4 standard deviations are 35.
  EXPECT_NEAR(static_cast<double>(asked), 100, 35);
}

TEST(Collector, a_conflict_in_any_order_leaves_the_same_sums_and_counts) {
  ReportKit kit;
  std::vector<Bytes> reports = {kit.pack(1, 0), kit.pack(2, 1), kit.pack(2, 5), kit.pack(2, 5), kit.pack(2, 7),
                                kit.pack(3, 4), kit.pack(3, 4), kit.pack(4, 8), kit.pack(4, 0)};
  std::vector<std::size_t> order(reports.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  SeededEntropy shuffle(5);
  std::optional<ReasonCounts> counts;
  for (int n = 0; n < 200; ++n) {
    for (std::size_t i = order.size(); i > 1; --i) std::swap(order[i - 1], order[shuffle.word() % i]);
    const auto collector = kit.collector();
    // Sums kept while reports come, with what is taken back subtracted.
    std::vector<int> running(9, 0), expected(9, 0);
    for (const std::size_t i : order) {
      const Absorbed a = collector->absorb(reports[i]);
      if (a.accepted) ++running[a.accepted->number];
      if (a.taken_back) --running[a.taken_back->number];
    }
    expected[0] = 1;
    expected[4] = 1;
    ASSERT_EQ(running, expected);
    ASSERT_EQ(readings(*collector), (std::vector<Reading>{{1, 1, 0}, {1, 3, 4}}));
    if (!counts) counts = collector->counts();
    ASSERT_EQ(collector->counts(), *counts);
  }
  EXPECT_EQ((*counts)[Reason::accepted], 2u);
  EXPECT_EQ((*counts)[Reason::conflict], 5u);
  EXPECT_EQ((*counts)[Reason::duplicate], 2u);
}

TEST(Collector, one_pseudonym_counts_in_one_round_of_a_study_that_asks_once) {
  for (const bool twice : {false, true}) {
    ReportKit kit(vote_study(twice ? "answers = 2" : "answers = 1"));
    const auto collector = kit.collector();
    const Bytes first = kit.pack(9, 3), second_round = kit.round_with(2, k_every_cohort);
    ASSERT_TRUE(collector->open_round(second_round).ok());
    kit.use_round(second_round);
    EXPECT_EQ(collector->absorb(first).reason, Reason::accepted);
    EXPECT_EQ(collector->absorb(kit.pack(9, 3)).reason, twice ? Reason::accepted : Reason::conflict);
    EXPECT_EQ(readings(*collector, 1).size(), twice ? 1u : 0u);
  }
}

TEST(Collector, a_round_of_another_study_is_not_opened) {
  ReportKit kit, other(vote_study("samples = 99"));
  const auto collector = kit.collector();
  EXPECT_EQ(collector->open_round(other.compiled.round).error().code, "ingest.foreign_round");
  EXPECT_EQ(collector->open_round(kit.compiled.round).error().code, "ingest.round_order");
  EXPECT_EQ(collector->open_round({1, 2, 3}).error().code, "wire.truncated");
  Bytes generous = kit.round_with(2, k_every_cohort);
  generous[59] = 255;  // a threshold that spends more than the manifest's epsilon
  EXPECT_EQ(collector->open_round(generous).error().code, "spec.overspent");
  EXPECT_EQ(Collector::open({}, std::nullopt, std::make_unique<MemoryIndex>()).error().code, "wire.truncated");
}

TEST(Collector, a_batch_is_its_reports_and_a_torn_end_is_one_malformed_one) {
  ReportKit kit;
  Bytes batch;
  for (std::uint64_t p = 1; p <= 10; ++p) append_report(batch, kit.pack(p, 3));
  append_report(batch, kit.pack(1, 3));
  append_report(batch, {});
  const auto collector = kit.collector();
  const ReasonCounts counts = collector->absorb_batch(batch);
  EXPECT_EQ(counts[Reason::accepted], 10u);
  EXPECT_EQ(counts[Reason::duplicate], 1u);
  EXPECT_EQ(counts[Reason::malformed], 1u);
  EXPECT_EQ(collector->counts(), counts);

  const std::size_t one = 2 + kit.pack(1, 3).size();
  for (std::size_t size = 1; size < 2 * one; ++size) {
    const ReasonCounts cut = kit.collector()->absorb_batch(std::span(batch).first(size));
    EXPECT_EQ(cut[Reason::accepted], size / one) << size;
    EXPECT_EQ(cut[Reason::malformed], size % one == 0 ? 0u : 1u) << size;
  }
  const Bytes large(k_batch_max_bytes + 1, 0);
  EXPECT_EQ(kit.collector()->absorb_batch(large).total(), 1u);
}

TEST(Collector, what_counts_gives_the_estimate_of_the_votes) {
  ReportKit kit;
  const auto collector = kit.collector();
  for (std::uint64_t p = 1; p <= 4000; ++p)
    ASSERT_EQ(collector->absorb(kit.vote_for(p, p % 2 == 0 ? 2 : 8)).reason, Reason::accepted);
  auto aggregate = VoteAggregate::open(kit.spec).value();
  std::vector<CoinReport> reports;
  collector->each(1, [&](const Reading& r) { reports.push_back({r.pseudonym, r.number}); });
  EXPECT_EQ(aggregate.absorb(kit.manifest.seed, 1, reports), 4000u);
  const VoteShares shares = aggregate.close();
  // Seed fixed; 4 standard errors: odds of 6e-5 for each of the three.
  EXPECT_NEAR(shares.share[2], 0.5, 4 * shares.standard_error[2]);
  EXPECT_NEAR(shares.none, 0.5, 4 * shares.none_standard_error);
  EXPECT_NEAR(shares.share[5], 0, 4 * shares.standard_error[5]);
}

}  // namespace
}  // namespace sotto::analyzer
