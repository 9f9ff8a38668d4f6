// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <algorithm>
#include <bit>
#include <boost/math/distributions/chi_squared.hpp>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace sotto::joint {

/// The joint tests together raise a false alarm with probability below 10^-6: each of the (at most) ten test cases gets a tenth,
/// and shares it among its hypotheses (Bonferroni). Seeds are fixed, so that a result does not change between runs.
inline constexpr double k_alpha = 1e-6 / 10;

/// p-values of one test case.
class Hypotheses {
 public:
  void add(double p, const std::string& name) {
    ++count_;
    if (p < smallest_) {
      smallest_ = p;
      name_ = name;
    }
  }
  [[nodiscard]] bool hold() const { return smallest_ >= k_alpha / static_cast<double>(count_); }
  [[nodiscard]] std::size_t count() const { return count_; }
  [[nodiscard]] std::string worst() const {
    std::ostringstream text;
    text << name_ << " has p = " << smallest_ << ", the smallest of " << count_;
    return text.str();
  }

 private:
  std::size_t count_ = 0;
  double smallest_ = 1;
  std::string name_;
};

/// Chi-square of counts against a fully known law. Cells that expect fewer than ten are joined into one; a count where the law has
/// no mass at all is impossible, p = 0.
inline double chi_square_p(const std::vector<std::uint64_t>& counts, const std::vector<double>& law) {
  double total = 0;
  for (const std::uint64_t c : counts) total += static_cast<double>(c);
  double statistic = 0, cells = 0, rare_count = 0, rare_expected = 0;
  const auto add = [&](double count, double expected) {
    statistic += (count - expected) * (count - expected) / expected;
    ++cells;
  };
  for (std::size_t y = 0; y < counts.size(); ++y) {
    const double count = static_cast<double>(counts[y]), expected = total * law[y];
    if (law[y] <= 0 && count > 0) return 0;
    if (expected < 10) {
      rare_count += count;
      rare_expected += expected;
    } else {
      add(count, expected);
    }
  }
  if (rare_expected >= 1) add(rare_count, rare_expected);
  if (cells < 2) return 1;
  return boost::math::cdf(boost::math::complement(boost::math::chi_squared(cells - 1), statistic));
}

/// Samples of up to 64 bits, kept by bit: how often two bits are set together is a popcount of their columns.
class BitColumns {
 public:
  explicit BitColumns(std::uint32_t bits) : columns_(bits) {}
  void add(std::uint64_t sample) {
    if (size_ % 64 == 0) {
      for (auto& column : columns_) column.push_back(0);
    }
    for (std::size_t i = 0; i < columns_.size(); ++i) columns_[i].back() |= ((sample >> i) & 1u) << (size_ % 64);
    ++size_;
  }
  [[nodiscard]] std::uint32_t bits() const { return static_cast<std::uint32_t>(columns_.size()); }

  /// Counts of (bit i, bit j of other) = 00, 01, 10, 11; both have the same number of samples.
  [[nodiscard]] std::vector<std::uint64_t> together(std::uint32_t i, const BitColumns& other, std::uint32_t j) const {
    std::uint64_t both = 0, first = 0, second = 0;
    for (std::size_t w = 0; w < columns_[i].size(); ++w) {
      const std::uint64_t a = columns_[i][w], b = other.columns_[j][w];
      both += static_cast<std::uint64_t>(std::popcount(a & b));
      first += static_cast<std::uint64_t>(std::popcount(a));
      second += static_cast<std::uint64_t>(std::popcount(b));
    }
    return {size_ - first - second + both, second - both, first - both, both};
  }

 private:
  std::vector<std::vector<std::uint64_t>> columns_;
  std::uint64_t size_ = 0;
};

/// Does a pair (t, t + lag) begin at t? Chosen so that no two pairs share a sample: overlapping ones would count marginals twice.
inline bool begins_pair(std::size_t t, std::size_t lag) { return t % (2 * lag) < lag; }

inline std::string pair_name(const std::string& what, std::uint32_t i, std::uint32_t j) {
  return what + ", bits " + std::to_string(i) + " and " + std::to_string(j);
}

}  // namespace sotto::joint
