// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/validate.hpp"

#include <chrono>
#include <numeric>
#include <utility>

#include <fmt/format.h>

namespace sotto::analyzer::central {
namespace {

constexpr std::uint64_t k_fold_stream = 0x666f6c6473;  // "folds"

/// The fold of every row: folds of equal size in random order.
std::vector<std::uint32_t> fold_of_rows(std::size_t rows, std::uint32_t folds, std::optional<std::uint64_t> seed) {
  std::vector<std::uint32_t> fold(rows);
  for (std::size_t row = 0; row < rows; ++row) fold[row] = static_cast<std::uint32_t>(row % folds);
  Coins coins(seed, k_fold_stream);
  for (std::size_t left = rows; left > 1; --left) std::swap(fold[left - 1], fold[coins.below(left)]);
  return fold;
}

}  // namespace

Result<Validation> cross_validate(const Problem& problem, const FitSettings& settings, std::uint32_t folds,
                                  std::optional<std::uint64_t> seed,
                                  const std::function<bool(double share)>& progress) {
  if (folds < 2 || folds > problem.x.size()) {
    return Error{"fit.bad_folds", "cross-validation needs at least two folds, with a row in each",
                 fmt::format("{}", folds), fmt::format("choose --folds from 2 to {}", problem.x.size())};
  }
  using Clock = std::chrono::steady_clock;
  const std::vector<std::uint32_t> fold = fold_of_rows(problem.x.size(), folds, seed);
  Validation validation;
  for (std::uint32_t f = 0; f < folds; ++f) {
    if (progress && !progress(static_cast<double>(f) / folds))
      return Error{"fit.stopped", "stopped on request", "", ""};
    Sample train{problem, {}, 0};
    std::vector<std::uint32_t> held_out;
    for (std::uint32_t row = 0; row < fold.size(); ++row) (fold[row] == f ? held_out : train.rows).push_back(row);
    train.count = static_cast<double>(train.rows.size());
    FitSettings one = settings;
    double watching = 0;
    one.watch = [&](double passes, const Weights& w) {
      if (f != 0) return;
      const auto began = Clock::now();
      validation.curve.push_back({passes, measure(problem, held_out, w).loss});
      watching += std::chrono::duration<double>(Clock::now() - began).count();
    };
    Coins coins(seed, f + 1);
    const auto began = Clock::now();
    auto made = fit(train, one, coins);
    if (!made) return made.error();
    validation.seconds += (std::chrono::duration<double>(Clock::now() - began).count() - watching) / folds;
    validation.last = std::move(made).value();
    validation.folds.push_back(measure(problem, held_out, validation.last.w));
  }
  if (progress) (void)progress(1);
  return validation;
}

}  // namespace sotto::analyzer::central
