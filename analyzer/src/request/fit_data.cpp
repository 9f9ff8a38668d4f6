// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <charconv>

#include <fmt/format.h>

#include "fit_rows.hpp"
#include "sotto/analyzer/central/moments.hpp"

// `sotto fit`: reads or makes the rows.
namespace sotto::analyzer::request {

central::Adjacency adjacency_of(const FitOptions& o) {
  return o.adjacency == "add-remove" ? central::Adjacency::add_remove : central::Adjacency::replace_one;
}

Result<SyntheticSize> synthetic_size(const std::string& text) {
  std::size_t numbers[3] = {};
  const char *at = text.data(), *const end = at + text.size();
  for (int i = 0; i < 3; ++i) {
    const auto [next, status] = std::from_chars(at, end, numbers[i]);
    if (status != std::errc() || (i < 2 ? next == end || *next != ',' : next != end) || numbers[i] == 0) at = nullptr;
    if (at == nullptr) break;
    at = next + 1;
  }
  if (at == nullptr || numbers[2] > numbers[1]) {
    return Error{"fit.bad_synthetic", "--synthetic needs three numbers: rows, features and nonzero coefficients", text,
                 "write three whole numbers, such as 800,1000,10"};
  }
  constexpr std::size_t k_values_max = std::size_t{1} << 28;  // values of 4 bytes each
  if (numbers[0] > k_values_max / numbers[1]) {
    return Error{"fit.too_large", "so many synthetic values take more than 1 GB of memory", text,
                 "ask for at most 2^28 = 268435456 values, rows times features"};
  }
  return SyntheticSize{numbers[0], numbers[1], numbers[2]};
}

central::PreparedData synthetic_data(const SyntheticSize& size, const FitOptions& o, std::uint64_t seed,
                                     std::vector<double>& truth) {
  constexpr double k_variance = 0.1;
  central::SyntheticData made = central::synthetic_rows(size.rows, size.columns, size.nonzeros, k_variance, seed);
  central::PreparedData data;
  data.problem = std::move(made.problem);
  data.problem.loss = o.loss == "huber" ? central::Loss::huber : central::Loss::squared;
  data.problem.l2 = o.l2;
  truth = std::move(made.truth);
  data.target = "y";
  data.scaling = central::RowScaling::none;
  for (std::size_t j = 0; j < size.columns; ++j) data.names.push_back(fmt::format("x{}", j + 1));
  data.assumed_public.emplace_back("everything about these synthetic rows but themselves");
  return data;
}

Result<central::PreparedData> file_data(const FitOptions& o) {
  central::DataSettings s;
  s.file = o.data;
  s.rows = o.rows;
  s.is_libsvm = o.libsvm;
  s.target = o.target;
  s.left_out = o.table.leave_out;
  s.is_missing = o.table.is_missing;
  s.positive = o.table.positive;
  auto levels = read_levels(o.table);
  if (!levels) return levels.error();
  s.levels = std::move(levels).value();
  s.is_count = o.target_kind == "count";
  s.loss = o.loss == "linear" || (o.loss.empty() && (o.target_kind == "number" || s.is_count)) ? central::Loss::squared
           : o.loss == "huber"                                                                 ? central::Loss::huber
                               : central::Loss::logistic;
  s.l2 = o.l2;
  s.scaling = o.scale == "standard" ? central::RowScaling::standard
              : o.scale == "rows"   ? central::RowScaling::rows
                                    : central::RowScaling::none;
  s.transform = o.transform == "log" ? Transform::log : Transform::none;
  s.scales_file = o.scales;
  s.row_bound = o.row_bound;
  s.value_bound = o.value_bound;
  s.target_bound = o.target_bound;
  s.is_independent = o.independent;
  s.features = o.features;
  if (o.no_privacy) return central::prepare(s, nullptr);
  const auto precision = central::moments_precision(*o.epsilon, o.delta, o.moments_share);
  if (!precision) return precision.error();
  constexpr std::uint64_t k_moments_stream = 0x6d6f6d656e7473;  // "moments"
  central::Coins coins(o.seed, k_moments_stream);
  const central::MomentsPayment payment{precision.value(), adjacency_of(o), coins};
  return central::prepare(s, &payment);
}

}  // namespace sotto::analyzer::request
