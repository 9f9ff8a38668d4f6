// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "level_law.hpp"
#include "sotto/analyzer/aggregate/vector_sums.hpp"
#include "sotto/analyzer/protocol/frame/measured.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"

// What the cohorts between devices have said so far, in stated standard deviations of columns and target.
namespace sotto::analyzer {

/// A vector that a cohort is asked for: products of level and columns around these centres, or the columns alone.
struct LevelAsk {
  Entries centres;   ///< the columns, ascending, each with the centre that devices subtract
  double level = 0;  ///< that they subtract from the target's level; not for columns alone
  double radius = 1;
};

/// The effect of one column on the level.
struct LevelEffect {
  std::uint32_t feature = 0;
  Measured all;   ///< from every cohort that was asked about it
  Measured last;  ///< from the last one alone, which did not choose it
};

/// If the centre of a column is off by a and that of the level by e, a product is off by a e: with wrong offsets columns
/// without any effect would be found. So every cohort of products also says how far off its level was, the last columns
/// say where they lie, and what a e comes to is taken off every cohort's answers, with its own error.
class LevelEvidence {
 public:
  explicit LevelEvidence(const LevelLaw& law) : level_(law.mean), log_spread_(law.log_spread) {}

  /// The question around the best centres so far; answers are clipped to `clip` usual lengths of a product.
  [[nodiscard]] LevelAsk ask_products(const std::vector<std::uint32_t>& columns, double clip) const;
  void add_products(const LevelAsk& ask, const VectorMean& answer);
  [[nodiscard]] LevelAsk ask_columns(const std::vector<std::uint32_t>& columns) const;
  void add_columns(const LevelAsk& ask, const VectorMean& answer);

  /// The columns with the strongest evidence, ascending.
  [[nodiscard]] std::vector<std::uint32_t> strongest(const std::vector<std::uint32_t>& columns,
                                                     std::size_t count) const;
  [[nodiscard]] LevelEffect effect_of(std::uint32_t column) const;

  [[nodiscard]] const Measured& level() const noexcept { return level_; }
  [[nodiscard]] double spread() const;
  [[nodiscard]] const Measured& log_spread() const noexcept { return log_spread_; }
  /// Where the values of a column lie.
  [[nodiscard]] Measured centre(std::uint32_t column) const;

 private:
  /// One cohort's answer about one column: the mean product without clipping, around these centres.
  struct Product {
    double mean = 0, error = 0, level = 0, centre = 0;
    std::uint64_t used = 0;
  };
  [[nodiscard]] Measured corrected(const Product& product, const Measured& centre) const;

  Measured level_, log_spread_;
  std::map<std::uint32_t, Measured> centres_;
  std::map<std::uint32_t, std::vector<Product>> products_;
};

}  // namespace sotto::analyzer
