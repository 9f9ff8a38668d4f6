// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/vector_sums.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

namespace sotto::analyzer {

namespace {
constexpr std::uint32_t k_term_bits = 23;  // width of every term in Sums
static_assert(k_term_max == std::int64_t{1} << k_term_bits);
}  // namespace

SumsShape VectorSums::sums_shape(const VectorShape& shape) noexcept {
  SumsShape sums;
  sums.stem = shape.stem;
  sums.spec = shape.spec;
  sums.count = shape.with_squares ? std::size_t{2} * shape.dimension : shape.dimension;
  sums.term_max = std::int64_t{1} << std::min(k_term_bits, shape.with_squares ? 2 * shape.term_bits : shape.term_bits);
  return sums;
}

VectorSums::VectorSums(const VectorShape& shape, Sums sums)
    : shape_(shape),
      square_shift_(2 * shape.term_bits > k_term_bits ? 2 * shape.term_bits - k_term_bits : 0),
      sums_(std::move(sums)),
      pending_(shape.dimension, 0),
      pending_squares_(shape.with_squares ? shape.dimension : 0, 0) {}

template <class Int>
void VectorSums::add(const Int* terms) noexcept {
  // The square of an int16 fits 32 bits, and numbers of half the width fill a vector register twice as densely.
  using Square = std::conditional_t<sizeof(Int) <= 2, std::uint32_t, std::uint64_t>;
  const std::size_t n = shape_.dimension;
  std::int32_t* __restrict sums = pending_.data();
  if (shape_.with_squares) {
    std::uint32_t* __restrict squares = pending_squares_.data();
    const std::uint32_t shift = square_shift_;
    for (std::size_t j = 0; j < n; ++j) {
      const std::int32_t term = terms[j];  // a number, no character: NOLINT(bugprone-signed-char-misuse)
      const auto size = static_cast<std::uint32_t>(term < 0 ? -term : term);
      sums[j] += term;
      squares[j] += static_cast<std::uint32_t>((Square{size} * size) >> shift);
    }
  } else {
    for (std::size_t j = 0; j < n; ++j) sums[j] += terms[j];
  }
  sums_.count_used();
  if (++pending_reports_ == k_pending_max) {
    carry_over(sums_);
    std::ranges::fill(pending_, 0);
    std::ranges::fill(pending_squares_, 0u);
    pending_reports_ = 0;
  }
}

template void VectorSums::add(const std::int8_t*) noexcept;
template void VectorSums::add(const std::int16_t*) noexcept;
template void VectorSums::add(const std::int32_t*) noexcept;

void VectorSums::carry_over(Sums& into) const noexcept {
  std::int64_t* sums = into.values().data();
  for (std::size_t j = 0; j < pending_.size(); ++j) sums[j] += pending_[j];
  sums += pending_.size();
  for (std::size_t j = 0; j < pending_squares_.size(); ++j) sums[j] += pending_squares_[j];
}

Sums VectorSums::settled() const {
  Sums all = sums_;
  carry_over(all);
  return all;
}

Result<Done> VectorSums::merge(const VectorSums& other) { return sums_.merge(other.settled()); }

void VectorSums::save(std::vector<std::uint8_t>& out) const { settled().save(out); }

Result<VectorSums> VectorSums::load(const VectorShape& shape, std::span<const std::uint8_t> bytes) {
  Result<Sums> sums = Sums::load(sums_shape(shape), bytes);
  if (!sums) return sums.error();
  return VectorSums{shape, std::move(sums).value()};
}

VectorMean VectorSums::mean(const DirectionError& law, double unit) const {
  const Sums all = settled();
  const std::size_t d = shape_.dimension;
  constexpr double k_unknown = std::numeric_limits<double>::infinity();
  VectorMean out{std::vector<double>(d, 0.0), std::vector<double>(d, k_unknown), std::vector<double>(d, k_unknown),
                 all.used(), all.refused()};
  if (all.used() == 0) return out;
  const double n = static_cast<double>(all.used()), step = unit / law.scale;
  for (std::size_t j = 0; j < d; ++j) {
    const double mean = step * static_cast<double>(all.values()[j]) / n;
    out.mean[j] = mean;
    out.noise_error[j] = std::sqrt(std::max(0.0, law.variance(std::min(1.0, mean * mean))) / n);
    if (!shape_.with_squares) {
      out.standard_error[j] = std::sqrt(std::max(0.0, law.across - mean * mean) / n);
    } else if (all.used() > 1) {
      // Truncation reduces a square by half of its lowest kept bit on average.
      const double cut = std::ldexp(1.0, static_cast<int>(square_shift_));
      const double squares = static_cast<double>(all.values()[d + j]) * cut + n * 0.5 * (cut - 1.0);
      out.standard_error[j] = std::sqrt(std::max(0.0, step * step * squares / n - mean * mean) / (n - 1.0));
    }
  }
  return out;
}

}  // namespace sotto::analyzer
