// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "run_kit.hpp"

// The same sentences hold for the index in memory and the one on disk.
namespace sotto::analyzer {
namespace {

class InMemory {
 public:
  MemoryIndex index;
};

/// In one transaction, as a batch is.
class OnDisk {
 private:
  TemporaryDirectory directory_;
  std::shared_ptr<Database> database_ = [this] {
    const std::filesystem::path path = directory_ / "run.sqlite";
    { const auto store = RunKit(0).create(path); }
    return Database::open(path, Database::Mode::existing, {}).value();
  }();
  Transaction transaction_ = Transaction::begin(*database_).value();

 public:
  StoreIndex index{SeenTable::open(database_).value()};
};

template <class Place>
class Index : public testing::Test {
 protected:
  std::vector<Reading> all(std::uint16_t round = 1) {
    std::vector<Reading> out;
    place_.index.each(round, [&](const Reading& r) { out.push_back(r); });
    return out;
  }
  DuplicateIndex& index() { return place_.index; }

 private:
  Place place_;
};
using Places = testing::Types<InMemory, OnDisk>;
TYPED_TEST_SUITE(Index, Places, );

TYPED_TEST(Index, a_reading_counts_once) {
  EXPECT_EQ(this->index().put(0, {1, 7, 3}).seen, Seen::first);
  for (int i = 0; i < 3; ++i) {
    const auto found = this->index().put(0, {1, 7, 3});
    EXPECT_EQ(found.seen, Seen::again);
    EXPECT_FALSE(found.taken_back);
  }
  EXPECT_EQ(this->all(), (std::vector<Reading>{{1, 7, 3}}));
}

TYPED_TEST(Index, a_contradiction_takes_back_what_counted_exactly_once) {
  EXPECT_EQ(this->index().put(0, {1, 7, 3}).seen, Seen::first);
  const auto second = this->index().put(0, {1, 7, 4});
  EXPECT_EQ(second.seen, Seen::contradicted);
  EXPECT_EQ(second.taken_back, (Reading{1, 7, 3}));
  for (const std::uint32_t number : {5u, 6u}) {
    const auto later = this->index().put(0, {1, 7, number});
    EXPECT_EQ(later.seen, Seen::contradicted);
    EXPECT_FALSE(later.taken_back);
  }
  for (const std::uint32_t number : {3u, 4u, 5u, 6u})
    EXPECT_EQ(this->index().put(0, {1, 7, number}).seen, Seen::again) << number;
  EXPECT_TRUE(this->all().empty());
}

TYPED_TEST(Index, beyond_eight_other_answers_new_ones_are_not_remembered) {
  for (std::uint32_t number = 0; number < 9; ++number) (void)this->index().put(0, {1, 7, number});
  EXPECT_EQ(this->index().put(0, {1, 7, 8}).seen, Seen::again);
  for (int i = 0; i < 2; ++i) EXPECT_EQ(this->index().put(0, {1, 7, 9}).seen, Seen::contradicted);
  EXPECT_TRUE(this->all().empty());
}

TYPED_TEST(Index, slots_do_not_see_each_other_and_rounds_of_one_slot_do) {
  EXPECT_EQ(this->index().put(1, {1, 7, 3}).seen, Seen::first);
  EXPECT_EQ(this->index().put(2, {2, 7, 4}).seen, Seen::first);
  EXPECT_EQ(this->index().put(0, {1, 8, 3}).seen, Seen::first);
  const auto found = this->index().put(0, {2, 8, 3});
  EXPECT_EQ(found.seen, Seen::contradicted);
  EXPECT_EQ(found.taken_back, (Reading{1, 8, 3}));
  EXPECT_EQ(this->all(1), (std::vector<Reading>{{1, 7, 3}}));
  EXPECT_EQ(this->all(2), (std::vector<Reading>{{2, 7, 4}}));
  EXPECT_TRUE(this->all(3).empty());
}

TYPED_TEST(Index, vectors_are_kept_with_their_payloads) {
  const std::vector<std::uint8_t> first{1, 2, 3, 4, 5, 6}, other{1, 2, 3, 4, 5, 7};
  EXPECT_EQ(this->index().put(0, {1, 7, 40, first}).seen, Seen::first);
  EXPECT_EQ(this->index().put(0, {1, 7, 40, first}).seen, Seen::again);
  EXPECT_EQ(this->index().put(0, {1, 8, 40, first}).seen, Seen::first);
  EXPECT_EQ(this->all(), (std::vector<Reading>{{1, 7, 40, first}, {1, 8, 40, first}}));
  // The same number by chance, other bytes: neither counts.
  const auto found = this->index().put(0, {1, 7, 40, other});
  EXPECT_EQ(found.seen, Seen::contradicted);
  EXPECT_EQ(found.taken_back, (Reading{1, 7, 40, first}));
  EXPECT_EQ(this->all(), (std::vector<Reading>{{1, 8, 40, first}}));
}

TYPED_TEST(Index, readings_come_by_rising_pseudonym_from_both_kinds_of_slots) {
  constexpr std::uint64_t k_high = std::uint64_t{1} << 63;
  const std::vector<std::uint64_t> names = {k_high, 0, ~std::uint64_t{0}, k_high - 1, 5, k_high + 1, 4};
  for (std::size_t i = 0; i < names.size(); ++i)
    (void)this->index().put(static_cast<std::uint16_t>(i % 2), {1, names[i], 0xffffffff});
  std::vector<Reading> expected;
  for (const std::uint64_t name : std::set(names.begin(), names.end())) expected.push_back({1, name, 0xffffffff});
  EXPECT_EQ(this->all(), expected);
}

TYPED_TEST(Index, thousands_of_readings_in_any_order_follow_the_rule) {
  SeededEntropy draw(3);
  std::map<std::uint64_t, std::set<std::uint32_t>> answers;
  std::int64_t counting = 0;
  for (int i = 0; i < 3000; ++i) {
    const std::uint64_t name = draw.word() % 1500 * 0x9e3779b97f4a7c15u;
    const std::uint32_t number = draw.word() % 3;
    std::set<std::uint32_t>& known = answers[name];
    const auto found = this->index().put(0, {1, name, number});
    ASSERT_EQ(found.seen, known.contains(number) ? Seen::again : known.empty() ? Seen::first : Seen::contradicted);
    ASSERT_EQ(found.taken_back.has_value(), known.size() == 1 && !known.contains(number));
    counting += (found.seen == Seen::first ? 1 : 0) - (found.taken_back ? 1 : 0);
    known.insert(number);
  }
  std::vector<Reading> expected;
  for (const auto& [name, known] : answers) {
    if (known.size() == 1) expected.push_back({1, name, *known.begin()});
  }
  EXPECT_EQ(this->all(), expected);
  EXPECT_EQ(static_cast<std::size_t>(counting), expected.size());
}

}  // namespace
}  // namespace sotto::analyzer
