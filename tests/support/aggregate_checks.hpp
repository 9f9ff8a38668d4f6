// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sotto/status.hpp"

namespace sotto::analyzer {

using Bytes = std::vector<std::uint8_t>;

template <class Aggregate>
[[nodiscard]] Bytes saved(const Aggregate& a) {
  Bytes bytes;
  a.save(bytes);
  return bytes;
}

/// What must hold for the bytes of every aggregate: they come back, and nothing else is taken for them.
template <class Aggregate, class Spec>
void expect_total_loading(const Spec& spec, const Aggregate& aggregate) {
  const Bytes bytes = saved(aggregate);
  const auto back = Aggregate::load(spec, bytes);
  ASSERT_TRUE(back.ok()) << back.error().message();
  EXPECT_EQ(saved(back.value()), bytes);

  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const auto cut = Aggregate::load(spec, std::span(bytes).first(size));
    ASSERT_FALSE(cut.ok()) << size << " bytes";
    EXPECT_EQ(cut.error().code, "aggregate.truncated") << size << " bytes";
  }
  for (std::size_t at = 0; at < bytes.size(); ++at) {
    Bytes other = bytes;
    other[at] ^= 0x10;
    const auto altered = Aggregate::load(spec, other);
    ASSERT_FALSE(altered.ok()) << "byte " << at;
    const auto expected = at == 0 ? "aggregate.bad_version" : at < 34 ? "aggregate.other_spec" : "aggregate.altered";
    EXPECT_EQ(altered.error().code, expected) << "byte " << at;
  }
  Bytes longer = bytes;
  longer.push_back(0);
  const auto left_over = Aggregate::load(spec, longer);
  ASSERT_FALSE(left_over.ok());
  EXPECT_EQ(left_over.error().code, "aggregate.bytes_left_over");
}

/// feed(aggregate, i) absorbs report i of n. Whatever the order and the grouping, the bytes are the same.
template <class Aggregate, class Feed>
void expect_any_order_gives_the_same_bytes(const Aggregate& empty, std::uint32_t n, Feed feed) {
  Aggregate forward = empty, backward = empty;
  for (std::uint32_t i = 0; i < n; ++i) feed(forward, i);
  for (std::uint32_t i = n; i > 0; --i) feed(backward, i - 1);
  ASSERT_GT(forward.sums().used(), 0u);
  const Bytes bytes = saved(forward);
  EXPECT_EQ(saved(backward), bytes);

  std::vector<Aggregate> parts(5, empty);
  for (std::uint32_t i = 0; i < n; ++i) feed(parts[i * i % parts.size()], i);
  Aggregate chain = empty;
  for (const Aggregate& part : parts) ASSERT_TRUE(chain.merge(part).ok());
  EXPECT_EQ(saved(chain), bytes);
  Aggregate left = parts[4], right = parts[1];
  ASSERT_TRUE(left.merge(parts[0]).ok() && right.merge(parts[3]).ok() && right.merge(parts[2]).ok());
  ASSERT_TRUE(right.merge(left).ok());
  EXPECT_EQ(saved(right), bytes);
}

/// An aggregate of another spec is not merged, and its bytes are not loaded.
template <class Aggregate, class Spec>
void expect_another_spec_is_refused(Aggregate mine, const Spec& spec, const Aggregate& other) {
  const Bytes before = saved(mine);
  const auto merged = mine.merge(other);
  ASSERT_FALSE(merged.ok());
  EXPECT_EQ(merged.error().code, "aggregate.other_spec");
  EXPECT_EQ(saved(mine), before);
  const auto loaded = Aggregate::load(spec, saved(other));
  ASSERT_FALSE(loaded.ok());
  EXPECT_EQ(loaded.error().code, "aggregate.other_spec");
}

template <class Opened>
void expect_refused(const Opened& opened, const std::string& code) {
  ASSERT_FALSE(opened.ok());
  EXPECT_EQ(opened.error().code, code);
  EXPECT_FALSE(opened.error().value.empty());
  EXPECT_FALSE(opened.error().fix.empty());
}

/// The spec with what derive() fills in: threshold, bits or variance.
template <class Spec>
[[nodiscard]] Spec derived(Spec spec) {
  EXPECT_EQ(derive(spec), Status::ok);
  return spec;
}

}  // namespace sotto::analyzer
