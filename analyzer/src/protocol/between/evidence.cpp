// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "evidence.hpp"

#include <algorithm>
#include <cmath>

#include "clipping.hpp"

namespace sotto::analyzer {
namespace {

// Stated offsets may be wrong by about a standard deviation before anybody was asked.
constexpr double k_offset_doubt = 1;
// Columns alone are clipped to this many roots of their number.
constexpr double k_columns_clip = 1.5;
// Poles outside say too little of the spread; and one cohort's pole is not trusted beyond this, in logarithms.
constexpr double k_pole_min = 0.03, k_pole_max = 0.97, k_pole_doubt = 0.05;
// What clipping leaves of a product is computed for normal levels and columns; others differ by about this.
constexpr double k_gain_doubt = 0.1;

}  // namespace

double LevelEvidence::spread() const { return std::exp(log_spread_.value); }

Measured LevelEvidence::centre(std::uint32_t column) const {
  const auto found = centres_.find(column);
  return found == centres_.end() ? Measured{0, k_offset_doubt, 0} : found->second;
}

LevelAsk LevelEvidence::ask_products(const std::vector<std::uint32_t>& columns, double clip) const {
  LevelAsk out;
  for (const std::uint32_t column : columns) out.centres.push_back({column, centre(column).value});
  out.level = level_.value;
  out.radius = clip * spread() * std::sqrt(static_cast<double>(columns.size()) + 1);
  return out;
}

void LevelEvidence::add_products(const LevelAsk& ask, const VectorMean& answer) {
  const std::size_t k = ask.centres.size();
  // The pole tells how full the ball was, and so how far levels spread.
  const double pole = std::clamp(answer.mean[k + 1], k_pole_min, k_pole_max), error = answer.standard_error[k + 1];
  const double radius = radius_of_pole(pole, k);
  const double slope =
      (clip_products(1.1 * radius, k).pole - clip_products(radius / 1.1, k).pole) / (2 * std::log(1.1));
  log_spread_ =
      pooled(log_spread_, {std::log(ask.radius / radius), std::hypot(error / slope, k_pole_doubt), answer.used});
  const ClippedProducts left = clip_products(ask.radius / spread(), k);
  level_ = pooled(level_, {ask.level + ask.radius * answer.mean[0] / left.level,
                           ask.radius * answer.standard_error[0] / left.level, answer.used});
  for (std::size_t j = 0; j < k; ++j) {
    products_[ask.centres[j].feature].push_back({ask.radius * answer.mean[j + 1] / left.column,
                                                 ask.radius * answer.standard_error[j + 1] / left.column, ask.level,
                                                 ask.centres[j].value, answer.used});
  }
}

LevelAsk LevelEvidence::ask_columns(const std::vector<std::uint32_t>& columns) const {
  LevelAsk out;
  for (const std::uint32_t column : columns) out.centres.push_back({column, centre(column).value});
  out.radius = k_columns_clip * std::sqrt(static_cast<double>(columns.size()));
  return out;
}

void LevelEvidence::add_columns(const LevelAsk& ask, const VectorMean& answer) {
  const double left = clip_columns(ask.radius, ask.centres.size());
  for (std::size_t j = 0; j < ask.centres.size(); ++j) {
    const Measured said{ask.centres[j].value + ask.radius * answer.mean[j] / left,
                        ask.radius * answer.standard_error[j] / left, answer.used};
    centres_[ask.centres[j].feature] = pooled(centre(ask.centres[j].feature), said);
  }
}

Measured LevelEvidence::corrected(const Product& product, const Measured& centre) const {
  const double level_off = level_.value - product.level, column_off = centre.value - product.centre;
  // Of the product of two numbers that are known with errors.
  const double error =
      std::hypot(std::hypot(level_off * centre.error, column_off * level_.error), centre.error * level_.error);
  return {product.mean - level_off * column_off, std::hypot(product.error, error), product.used};
}

std::vector<std::uint32_t> LevelEvidence::strongest(const std::vector<std::uint32_t>& columns,
                                                    std::size_t count) const {
  std::vector<std::uint32_t> out = columns;
  const auto strength = [this](std::uint32_t column) {
    const Measured all = effect_of(column).all;
    return std::abs(all.value / all.error);
  };
  std::ranges::stable_sort(out, std::ranges::greater{}, strength);
  out.resize(std::min(count, out.size()));
  std::ranges::sort(out);
  return out;
}

LevelEffect LevelEvidence::effect_of(std::uint32_t column) const {
  LevelEffect out;
  out.feature = column;
  const auto found = products_.find(column);
  if (found == products_.end()) return out;
  const Measured at = centre(column);
  bool first = true;
  for (const Product& product : found->second) {
    out.last = corrected(product, at);
    out.all = first ? out.last : pooled(out.all, out.last);
    first = false;
  }
  out.last.error = std::hypot(out.last.error, k_gain_doubt * out.last.value);
  return out;
}

}  // namespace sotto::analyzer
