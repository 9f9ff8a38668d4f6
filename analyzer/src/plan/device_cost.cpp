// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "device_cost.hpp"

#include <algorithm>
#include <string_view>

#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/value.hpp"
#include "sotto/question/vote.hpp"

namespace sotto::analyzer {
namespace {

/// Instructions on a Cortex-M0+ and on a Cortex-M4F.
struct Instructions {
  double m0 = 0, m4 = 0;

  friend Instructions operator+(Instructions a, Instructions b) { return {a.m0 + b.m0, a.m4 + b.m4}; }
  friend Instructions operator-(Instructions a, Instructions b) { return {a.m0 - b.m0, a.m4 - b.m4}; }
  friend Instructions operator*(double factor, Instructions a) { return {factor * a.m0, factor * a.m4}; }
};

struct Counted {
  std::string_view name;
  double m0, m4;
};
constexpr Counted k_counted[] = {
#include <device_counts.inc>
};

/// A count of the table; a name that is none of its own does not compile.
template <std::size_t size>
consteval Instructions counted(const char (&name)[size]) {
  for (const Counted& c : k_counted) {
    if (c.name == std::string_view(name)) return {c.m0, c.m4};
  }
  throw "no such count in docs/SIZES.md";
}

constexpr double k_rows = 100;  // of the counted local answers

/// What own units cost for each reading: least squares of 100 rows and 8 columns with a target, with and without.
Instructions of_own_units(double readings) {
  return readings / (k_rows * 9) * (counted("least_squares_own_100x8") - counted("least_squares_100x8"));
}

/// From the counts at 8 and at 32 columns: a part by reading, and one by pair of columns.
Instructions of_least_squares(double rows, double columns) {
  const Instructions few = (1 / k_rows) * counted("least_squares_100x8");
  const Instructions many = (1 / k_rows) * counted("least_squares_100x32");
  const Instructions by_pair = (1.0 / (32 * 32 - 4 * 8 * 8)) * (many - 4 * few);
  const Instructions by_reading = (1.0 / 8) * (few - 64 * by_pair);
  return rows * (columns * by_reading + columns * columns * by_pair);
}

Instructions of_local_answer(const Manifest& manifest, const Round& round) {
  const double m = manifest.nominal_rows, d = manifest.features, k = round.model_size;
  const bool own = manifest.units == RowUnits::own;
  const Instructions units = own ? of_own_units(m * (k + 1)) : Instructions{};
  switch (round.recipe) {
    case Recipe::screen:
      return m * d / (k_rows * 1024) * (own ? counted("screen_own_scores") : counted("screen_scores")) + units;
    case Recipe::least_squares: return of_least_squares(m, k) + units;
    case Recipe::gain: return m * (k + 1) / (k_rows * 9) * counted("gain_100x8");
    case Recipe::means:
    case Recipe::largest_mean: return m * d / (k_rows * 64) * counted("means_100x64");
    case Recipe::row_gradient:
    case Recipe::signs: return std::max(1.0, k / 64) * counted("gradient_one_row_64");
    default: return m * (k + 1) / (k_rows * 64) * counted("gradient_100x64") + units;
  }
}

Instructions of_randomizer(const AnySpec& any) {
  if (const auto* s = std::get_if<SphereCodeSpec>(&any))
    return s->codewords * static_cast<double>(s->dimension) / (16.0 * 1024) * counted("sphere_code_d16_m1024");
  if (const auto* s = std::get_if<CrossPolytopeSpec>(&any)) {
    const double size = 1u << s->log2_size;
    return size / 256 * counted("cross_polytope_d256");
  }
  if (const auto* s = std::get_if<HemisphereSpec>(&any)) return s->dimension / 256.0 * counted("hemisphere_d256");
  if (std::holds_alternative<BlockSpec>(any)) return counted("block_k24");
  if (std::holds_alternative<WindowSpec>(any)) return counted("window");
  return counted("vote");
}

std::size_t work_of(const Manifest& manifest, const Round& round) {
  for (const Question* question : {&k_vote_screen, &k_vote, &k_bin, &k_block, &k_value, &k_direction}) {
    Asked asked{{}, {}, round, {}, true, manifest};
    if (question->kind == round.question && question->check(asked) == Status::ok) return asked.plan.work_bytes;
  }
  return 0;
}

}  // namespace

DeviceCost device_cost(const Manifest& manifest, const Round& round, const AnySpec& spec) {
  // A sealed vote, from the answer to the stored bytes, contains the randomizer of a vote.
  const Instructions all =
      of_local_answer(manifest, round) + of_randomizer(spec) + counted("send_vote") - counted("vote");
  return {all.m0, all.m4, work_of(manifest, round)};
}

}  // namespace sotto::analyzer
