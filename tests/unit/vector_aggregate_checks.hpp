// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/public_coins.hpp"

namespace sotto::analyzer {

inline constexpr std::array<std::uint8_t, 32> k_seed = {1, 2, 3, 5, 8, 13, 21, 34, 55, 89, 144, 233};

inline CoinLabel label_of(std::uint64_t pseudonym) { return {k_seed.data(), pseudonym, 7}; }

/// Reports of public fiction: any outcome will do for sums.
inline std::uint32_t report_of(std::uint64_t pseudonym, std::uint32_t outcomes) {
  PublicCoins coins{label_of(pseudonym), CoinPurpose::slot};
  return coins.below(outcomes);
}

template <class Aggregate>
std::vector<std::uint8_t> bytes_of(const Aggregate& aggregate) {
  std::vector<std::uint8_t> bytes;
  aggregate.save(bytes);
  return bytes;
}

/// 700 reports, past two carries: in one go, backwards, and in three parts merged in another order, give the same bytes.
template <class Aggregate>
void expect_the_same_bytes_in_any_order(const Aggregate& empty, std::uint32_t outcomes) {
  constexpr std::uint64_t k_reports = 700;
  Aggregate forward = empty, backward = empty;
  std::array<Aggregate, 3> part = {empty, empty, empty};
  for (std::uint64_t i = 1; i <= k_reports; ++i) {
    ASSERT_TRUE(forward.absorb(label_of(i), report_of(i, outcomes)));
    ASSERT_TRUE(part[i % 3].absorb(label_of(i), report_of(i, outcomes)));
    const std::uint64_t j = k_reports + 1 - i;
    ASSERT_TRUE(backward.absorb(label_of(j), report_of(j, outcomes)));
  }
  ASSERT_TRUE(part[2].merge(part[0]).ok());
  ASSERT_TRUE(part[2].merge(part[1]).ok());
  EXPECT_EQ(bytes_of(forward), bytes_of(backward));
  EXPECT_EQ(bytes_of(forward), bytes_of(part[2]));
  EXPECT_EQ(forward.close().used, k_reports);
  EXPECT_EQ(forward.close().mean, part[2].close().mean);
}

/// Counts refusals, keeps them apart, and saves them.
template <class Aggregate>
void expect_reports_beyond_the_wire_to_be_refused(const Aggregate& empty, std::uint32_t outcomes) {
  Aggregate aggregate = empty;
  EXPECT_FALSE(aggregate.absorb(label_of(1), outcomes));
  EXPECT_FALSE(aggregate.absorb(label_of(2), ~std::uint32_t{0}));
  EXPECT_TRUE(aggregate.absorb(label_of(3), outcomes - 1));
  const VectorMean mean = aggregate.close();
  EXPECT_EQ(mean.used, 1u);
  EXPECT_EQ(mean.refused, 2u);
}

template <class Aggregate>
void expect_no_reports_to_have_infinite_errors(const Aggregate& empty, std::size_t dimension) {
  const VectorMean mean = empty.close();
  ASSERT_EQ(mean.mean.size(), dimension);
  EXPECT_EQ(mean.mean[0], 0.0);
  EXPECT_TRUE(std::isinf(mean.standard_error[0]));
  EXPECT_TRUE(std::isinf(mean.noise_error[dimension - 1]));
}

/// Reload is a function of bytes. Saved bytes come back, every cut and every changed byte is refused with a reason.
template <class Aggregate, class Reload>
void expect_bytes_to_come_back_or_be_refused(const Aggregate& empty, std::uint32_t outcomes, Reload reload) {
  Aggregate aggregate = empty;
  for (std::uint64_t i = 1; i <= 300; ++i) ASSERT_TRUE(aggregate.absorb(label_of(i), report_of(i, outcomes)));
  const std::vector<std::uint8_t> bytes = bytes_of(aggregate);
  const auto loaded = reload(bytes);
  ASSERT_TRUE(loaded.ok());
  EXPECT_EQ(bytes_of(loaded.value()), bytes);
  for (std::size_t size = 0; size < bytes.size(); size += 13) {
    EXPECT_FALSE(
        reload(std::vector<std::uint8_t>(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size))).ok());
  }
  std::vector<std::uint8_t> longer = bytes;
  longer.push_back(0);
  EXPECT_EQ(reload(longer).error().code, "aggregate.bytes_left_over");
  for (std::size_t at = 0; at < bytes.size(); at += 11) {
    std::vector<std::uint8_t> changed = bytes;
    changed[at] ^= 1;
    EXPECT_FALSE(reload(changed).ok()) << at;
  }
}

}  // namespace sotto::analyzer
