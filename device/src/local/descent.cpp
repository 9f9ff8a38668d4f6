// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "descent.hpp"

#include "column_ops.hpp"
#include "newton.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

// Rows whose products with the upper half of the residual are summed in 32 bits: Q23, at most sqrt(chunk * rows) = 128 and a
// half for each row that was rounded up, so one bit of 31 stays free.
constexpr std::uint32_t chunk_of(std::uint32_t rows) noexcept {
  std::uint32_t chunk = k_dot_rows_max;
  for (std::uint32_t reach = 128; reach < rows; reach *= 2) chunk /= 2;
  return chunk;
}
static_assert(chunk_of(100) == 128 && chunk_of(129) == 64 && chunk_of(k_rows_max) * k_rows_max == 1u << 14);

// |x'r| <= rows: the gradient keeps 23 fraction bits up to 128 rows and 20 at 1024, again with one bit free.
constexpr std::uint32_t coarser_of(std::uint32_t rows) noexcept {
  std::uint32_t shift = 0;
  for (std::uint32_t reach = 128; reach < rows; reach *= 2) ++shift;
  return shift;
}
static_assert((std::uint64_t{k_rows_max} << (23 - coarser_of(k_rows_max))) == std::uint64_t{1} << 30);

// Gradients and thresholds stay below this, so that their sums and differences fit in int32.
constexpr std::int32_t k_gradient_max = (1 << 30) - 1;
// What the rounding of the residual does to a gradient. Less is no reason to move: rounding must not select the second of two
// equal columns, nor keep a sweep going.
constexpr std::uint32_t k_gradient_noise = 16;
// Every so many passes, when they still move by more than half of the pass before, a leap along the way since the save.
constexpr std::uint32_t k_leap_period = 4, k_leap_save = 2;
constexpr std::uint32_t k_full_weight = 32768u << 16;

}  // namespace

Descent::Descent(const ColumnView& view, std::uint32_t nominal_rows, const std::span<std::byte>& work,
                 const std::span<std::int32_t>& beta_q24, std::uint32_t visits) noexcept
    : view_(view),
      nominal_rows_(nominal_rows),
      visits_(visits),
      columns_(static_cast<std::uint32_t>(view.column.size())) {
  Workspace space{work};
  inverse_ = space.take<std::uint32_t>(columns_);
  scale_ = space.take<std::uint32_t>(columns_);
  saved_ = space.take<std::int32_t>(columns_);
  gradient_ = space.take<std::int32_t>(columns_);
  beta_ = beta_q24.first(columns_);
  const std::size_t room = (space.left() - columns_) / sizeof(std::int32_t);
  if (view_.rows > room) view_.rows = static_cast<std::uint32_t>(room);
  if (view_.rows > k_rows_max) view_.rows = k_rows_max;
  residual_ = space.take<std::int32_t>(view_.rows);
  order_ = space.take<std::uint8_t>(columns_);
  coarser_ = coarser_of(view_.rows);
  for (std::uint32_t j = 0; j < columns_; ++j) {
    std::uint64_t square = 0;  // Q30, at most 1024 * 2^30
    const Q15* x = column(j);
    for (std::uint32_t i = 0; i < view_.rows; ++i, x += view_.stride) square += static_cast<std::uint32_t>(*x * *x);
    const Inverse inverse = invert(square, 0, coarser_);
    beta_[j] = 0;
    inverse_[j] = inverse.mantissa;
    scale_[j] = k_full_weight | inverse.shift;
  }
  refresh();
}

void Descent::refresh() noexcept {
  for (std::uint32_t i = 0; i < view_.rows; ++i) residual_[i] = view_.target[std::size_t{i} * view_.stride] * 512;
  for (std::uint32_t j = 0; j < columns_; ++j) {
    const std::int32_t b = beta_[j], half = b / 2;  // a step is at most 32, a coefficient 64
    if (b == 0) continue;
    beta_[j] = 0;
    move(j, half);
    move(j, b - half);
  }
}

std::int32_t Descent::gradient(std::uint32_t j) const noexcept {
  std::int64_t sum = 0;
  const Q15* x = column(j);
  const std::uint32_t chunk = chunk_of(view_.rows);
  for (std::uint32_t first = 0; first < view_.rows; first += chunk, x += std::size_t{chunk} * view_.stride) {
    const std::uint32_t rows = view_.rows - first < chunk ? view_.rows - first : chunk;
    sum += dot_rows(x, view_.stride, residual_.data() + first, rows);
  }
  sum >>= 16 + coarser_;  // Q39 to Q23
  if (sum > k_gradient_max) return k_gradient_max;
  return sum < -k_gradient_max ? -k_gradient_max : static_cast<std::int32_t>(sum);
}

void Descent::move(std::uint32_t j, std::int32_t step) noexcept {
  beta_[j] += step;
  subtract_rows(column(j), view_.stride, 2 * step, residual_.data(), view_.rows);  // Q25 times Q15, over 2^16, is Q24
}

std::int32_t Descent::limit(std::uint32_t j, std::uint32_t threshold) const noexcept {
  if (scale_[j] >= k_full_weight) return static_cast<std::int32_t>(threshold);
  return static_cast<std::int32_t>(multiply_32(threshold, scale_[j] >> 16) >> 15);
}

// The minimum in one coordinate; how far it is away. Steps below an eighth of the tolerance are not worth a move.
std::uint32_t Descent::visit(std::uint32_t j, std::uint32_t threshold, std::uint32_t tolerance) noexcept {
  --visits_;
  const std::int32_t g = gradient(j), b = beta_[j], most = limit(j, threshold);
  gradient_[j] = g;
  const Inverse inverse{inverse_[j], scale_[j] & 0xffu};
  std::int32_t target = 0;
  if (b == 0) {
    if (magnitude(g) <= static_cast<std::uint32_t>(most) + k_gradient_noise) return 0;
    target = newton_q24(inverse, g < 0 ? g + most : g - most);
  } else {
    // On b's side of zero the penalty has the slope +-most, on the other side the opposite, and between the two lies zero.
    const std::int32_t slope = b < 0 ? -most : most;
    if (magnitude(g - slope) <= k_gradient_noise) return 0;
    target = b + newton_q24(inverse, g - slope);
    if ((target < 0) != (b < 0)) {
      target = b + newton_q24(inverse, g + slope);
      if ((target < 0) == (b < 0)) target = 0;
    }
  }
  if (target > k_beta_q24_max) target = k_beta_q24_max;
  if (target < -k_beta_q24_max) target = -k_beta_q24_max;
  const std::int32_t step = target - b;
  const std::uint32_t length = magnitude(step);
  if (length > tolerance / 8 || (target == 0 && step != 0)) move(j, step);
  return length;
}

std::uint32_t Descent::largest_gradient() noexcept {
  for (std::uint32_t j = 0; j < columns_; ++j) {
    gradient_[j] = gradient(j);
    std::uint32_t at = j;
    for (; at > 0 && magnitude(gradient_[order_[at - 1]]) < magnitude(gradient_[j]); --at) order_[at] = order_[at - 1];
    order_[at] = static_cast<std::uint8_t>(j);
  }
  return columns_ == 0 ? 0 : magnitude(gradient_[order_[0]]);
}

std::uint32_t Descent::threshold_of(std::uint32_t lambda_q24) const noexcept {
  const std::uint64_t wide = multiply_32(lambda_q24, nominal_rows_) >> (1 + coarser_);  // Q24 to Q(23-coarser)
  return wide < k_gradient_max ? static_cast<std::uint32_t>(wide) : k_gradient_max;
}

Descent::Pass Descent::sweep(bool whole, std::uint32_t threshold, std::uint32_t tolerance,
                             std::uint32_t visits_kept) noexcept {
  Pass pass{0, 0, 0};
  for (const std::uint32_t j : order_) {
    if ((scale_[j] & k_in_set) == 0 || (!whole && beta_[j] == 0)) continue;
    if (visits_ <= visits_kept) break;
    const std::uint32_t moved = visit(j, threshold, tolerance);
    pass.longest = moved > pass.longest ? moved : pass.longest;
    ++pass.visited;
    pass.active += beta_[j] != 0;
  }
  return pass;
}

// The working set, then (where that is much less) what is not zero in it until that rests, until the working set rests too.
void Descent::rest(std::uint32_t threshold, std::uint32_t tolerance, std::uint32_t visits_kept) noexcept {
  std::uint32_t passes = 0, before = 0;
  for (bool whole = true; visits_ > visits_kept;) {
    const Pass pass = sweep(whole, threshold, tolerance, visits_kept);
    if (pass.longest <= tolerance) {
      if (whole) return;
      whole = true;
      continue;
    }
    if (2 * pass.active < pass.visited) whole = false;
    ++passes;
    if (passes % k_leap_period == k_leap_save) save();
    if (passes % k_leap_period == 0 && pass.longest > before / 2) leap(threshold);
    before = pass.longest;
  }
}

void Descent::minimise(std::uint32_t threshold, std::uint32_t before, std::uint32_t tolerance_q24,
                       std::uint32_t visits_kept) noexcept {
  // The strong rule: a gradient rarely changes faster than the threshold, so columns below 2*threshold - before stay out. It
  // can err; the pass over the rest finds out.
  const std::uint32_t strong = 2 * threshold > before ? 2 * threshold - before : 0;
  for (std::uint32_t j = 0; j < columns_; ++j) {
    const bool in = inverse_[j] != 0 && (beta_[j] != 0 || magnitude(gradient_[j]) >= strong);
    scale_[j] = (scale_[j] & ~k_in_set) | (in ? k_in_set : 0);
  }
  for (bool more = true; more && visits_ > visits_kept;) {
    rest(threshold, tolerance_q24, visits_kept);
    more = false;
    for (const std::uint32_t j : order_) {
      if ((scale_[j] & k_in_set) != 0 || inverse_[j] == 0) continue;
      if (visits_ <= visits_kept) break;
      if (visit(j, threshold, tolerance_q24) == 0) continue;
      scale_[j] |= k_in_set;
      more = true;
    }
  }
}

}  // namespace sotto
