// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "descent.hpp"

#include "column_ops.hpp"
#include "newton.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

// |x'r| <= rows: the gradient has 23 fraction bits up to 128 rows and 20 at 1024, again with one bit free.
constexpr std::uint32_t coarser_of(std::uint32_t rows) noexcept {
  std::uint32_t shift = 0;
  for (std::uint32_t reach = 128; reach < rows; reach *= 2) ++shift;
  return shift;
}
static_assert((std::uint64_t{k_rows_max} << (23 - coarser_of(k_rows_max))) == std::uint64_t{1} << 30);

// Gradients and thresholds stay below this, so that their sums and differences fit in int32.
constexpr std::int32_t k_gradient_max = (1 << 30) - 1;
// The effect of the residual's rounding on a gradient. A smaller gradient causes no step: rounding must not select the
// second of two equal columns, nor keep a sweep going.
constexpr std::uint32_t k_gradient_noise = 16;
// The period of leaps, in passes: a leap follows the steps since the save, if the last pass still moved by more than
// half of the pass before.
constexpr std::uint32_t k_leap_period = 4, k_leap_save = 2;
constexpr std::uint32_t k_full_weight_q15 = 32768;

}  // namespace

Descent::Descent(const ColumnView& view, std::uint32_t nominal_rows, const std::span<std::byte>& work,
                 std::uint32_t visits) noexcept
    : view_(view), nominal_rows_(nominal_rows), visits_(visits) {
  Workspace space{work};
  columns_.first = reinterpret_cast<Column*>(
      space.take_data<std::uint32_t>(view.column.size() * sizeof(Column) / sizeof(std::uint32_t)));
  columns_.last = columns_.first + view.column.size();
  residual_ = space.take_data<std::int32_t>(view_.rows);
  coarser_ = coarser_of(view_.rows);
  for (Column& c : columns_) c.beta = 0;
  refresh();
  std::uint8_t number = 0;
  for (Column& c : columns_) {  // insertion sort by decreasing |x'y|
    c.number = number;
    const std::int32_t g = gradient(c);
    Column* at = &c;
    for (; at != columns_.first && magnitude(at[-1].gradient) < magnitude(g); --at) {
      at->gradient = at[-1].gradient;
      at->number = at[-1].number;
    }
    at->gradient = g;
    at->number = number++;
  }
  for (Column& c : columns_) {
    const Q15* const x = view_.base + offset(c);
    const Inverse inverse =
        invert(static_cast<std::uint64_t>(dot_samples(x, x, view_.stride, view_.rows)), 0, coarser_);
    c.inverse = inverse.mantissa;
    c.shift = static_cast<std::uint8_t>(inverse.shift);
    c.weight_q15 = k_full_weight_q15;
  }
}

void Descent::refresh() noexcept {
  for (std::uint32_t i = 0; i < view_.rows; ++i) residual_[i] = view_.target[std::size_t{i} * view_.stride] * 512;
  for (Column& c : columns_) {
    const std::int32_t b = c.beta, half = b / 2;  // a step is at most 32, a coefficient 64
    if (b == 0) continue;
    c.beta = 0;
    move(c, half);
    move(c, b - half);
  }
}

void Descent::write(const std::span<std::int32_t>& beta_q24) const noexcept {
  for (const Column& c : columns_) beta_q24[c.number & ~k_in_set] = c.beta;
}

std::int32_t Descent::in_format(std::int64_t v, std::uint32_t bits_more) const noexcept {
  return saturate(shift_right_floor(v, bits_more + coarser_), k_gradient_max);
}

std::int32_t Descent::gradient(const Column& c) const noexcept {
  return in_format(dot_column(view_.base + offset(c), view_.stride, residual_, view_.rows), 39 - 23);
}

void Descent::move(Column& c, std::int32_t step) noexcept {
  c.beta += step;
  // Q25 times Q15, over 2^16, is Q24
  subtract_rows(view_.base + offset(c), view_.stride, 2 * step, residual_, view_.rows);
}

std::int32_t Descent::limit(const Column& c) const noexcept {
  return static_cast<std::int32_t>(multiply_32(threshold_, c.weight_q15) >> 15);
}

// Moves one coefficient to its minimum and returns the distance. Steps below an eighth of the tolerance are not made.
std::uint32_t Descent::visit(Column& c) noexcept {
  --visits_;
  const std::int32_t g = gradient(c), b = c.beta, slope_max = limit(c);
  c.gradient = g;
  // On b's side of zero (the gradient's if b is zero) the penalty has the slope +-limit, on the other side the
  // opposite; between the two slopes the minimum is zero.
  const bool negative = (b == 0 ? g : b) < 0;
  const std::int32_t slope = negative ? -slope_max : slope_max;
  if (magnitude(g - slope) <= k_gradient_noise || (b == 0 && magnitude(g) <= static_cast<std::uint32_t>(slope_max)))
    return 0;
  std::int32_t target = b + newton_q24(g - slope, c.inverse, c.shift);
  if ((target < 0) != negative) {
    target = b + newton_q24(g + slope, c.inverse, c.shift);
    if ((target < 0) == negative) target = 0;
  }
  target = saturate(target, k_beta_q24_max);
  const std::int32_t step = target - b;
  const std::uint32_t length = magnitude(step);
  if (length > tolerance_ / 8 || (target == 0 && step != 0)) move(c, step);
  return length;
}

std::uint32_t Descent::threshold_of(std::uint32_t lambda_q24) const noexcept {
  return static_cast<std::uint32_t>(
      in_format(static_cast<std::int64_t>(multiply_32(lambda_q24, nominal_rows_)), 24 - 23));
}

// Iterates over the working set until no coefficient moves. If most of its coefficients are zero, passes over the
// others alone come first, until these converge.
void Descent::rest() noexcept {
  std::uint32_t passes = 0, before = 0;
  for (bool whole = true; !spent();) {
    std::uint32_t longest = 0, visited = 0, active = 0;
    for (Column& c : columns_) {
      if ((c.number & k_in_set) == 0 || (!whole && c.beta == 0)) continue;
      if (spent()) break;
      const std::uint32_t moved = visit(c);
      longest = moved > longest ? moved : longest;
      ++visited;
      active += c.beta != 0;
    }
    if (longest <= tolerance_) {
      if (whole) return;
      whole = true;
      continue;
    }
    if (2 * active < visited) whole = false;
    ++passes;
    if (passes % k_leap_period == k_leap_save) {
      for (Column& c : columns_) c.saved = c.beta;
    }
    if (passes % k_leap_period == 0 && longest > before / 2) leap();
    before = longest;
  }
}

void Descent::minimise(std::uint32_t threshold, std::uint32_t before, std::uint32_t tolerance_q24,
                       std::uint32_t visits_kept) noexcept {
  threshold_ = threshold;
  tolerance_ = tolerance_q24;
  visits_kept_ = visits_kept;
  // The strong rule: a gradient rarely changes faster than the threshold, so columns below 2*threshold - before are
  // left out. The rule can err; the pass over the remaining columns detects that.
  const std::uint32_t strong = 2 * threshold > before ? 2 * threshold - before : 0;
  for (Column& c : columns_) {
    const bool in = c.inverse != 0 && (c.beta != 0 || magnitude(c.gradient) >= strong);
    c.number = static_cast<std::uint8_t>((c.number & ~k_in_set) | (in ? k_in_set : 0));
  }
  for (bool more = true; more && !spent();) {
    rest();
    more = false;
    for (Column& c : columns_) {
      if ((c.number & k_in_set) != 0 || c.inverse == 0) continue;
      if (spent()) break;
      if (visit(c) == 0) continue;
      c.number |= k_in_set;
      more = true;
    }
  }
}

}  // namespace sotto
