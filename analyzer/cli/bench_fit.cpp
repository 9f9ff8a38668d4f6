// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <sys/resource.h>

#include <Eigen/SparseCore>
#include <algorithm>
#include <cmath>
#include <ctime>
#include <limits>

#include <fmt/format.h>

#include "bench.hpp"
#include "say.hpp"
#include "sotto/analyzer/central/fit.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"
#include "stopwatch.hpp"
#include "talk.hpp"

// `sotto bench fit`: time and memory of the central methods on a large sparse matrix.
namespace sotto::cli {
namespace {

namespace central = analyzer::central;

// The shape of RCV1: 20,242 documents, 47,236 terms, 74 in a document; common terms are far more frequent than rare
// ones.
constexpr std::size_t k_rows = 20242, k_columns = 47236, k_row_values = 74;
constexpr std::uint32_t k_nonzeros = 100, k_passes = 5;

/// The peak memory of this process so far.
double peak_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return 1024.0 * static_cast<double>(usage.ru_maxrss);
}

/// Processor seconds of this thread for one call, the minimum over many: a pass takes longer than an uninterrupted time
/// slice, so that wall-clock time would include other programs.
template <class Pass>
double least_seconds(double total, Pass pass) {
  const auto now = [] {
    timespec at{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
  };
  pass();  // warm-up: first touch of memory and caches
  double least = std::numeric_limits<double>::infinity(), spent = 0;
  for (int samples = 0; spent < total || samples < 3; ++samples) {
    const double began = now();
    pass();
    const double took = now() - began;
    least = std::min(least, took);
    spent += took;
  }
  return least;
}

central::Problem documents() {
  analyzer::Xoshiro random(1, 0x62656e6368);  // "bench"
  std::vector<std::uint64_t> first{0};
  std::vector<std::uint32_t> column, row;
  std::vector<float> values;
  central::Problem p;
  column.reserve(k_rows * k_row_values);
  values.reserve(k_rows * k_row_values);
  for (std::size_t r = 0; r < k_rows; ++r) {
    row.clear();
    while (row.size() < k_row_values) {
      const double u = random.unit();
      row.push_back(static_cast<std::uint32_t>(static_cast<double>(k_columns) * u * u * u));
    }
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
    for (const std::uint32_t at : row) {
      column.push_back(at);
      values.push_back(static_cast<float>(1 / std::sqrt(static_cast<double>(row.size()))));
    }
    first.push_back(values.size());
    p.y.push_back(static_cast<float>(random.below(2)));
  }
  p.x = central::Rows::sparse(std::move(first), std::move(column), std::move(values), k_columns);
  p.norms = p.x.norms();
  p.bounds = {.row = 1, .value = 0.2};
  return p;
}

Eigen::SparseMatrix<float, Eigen::RowMajor> as_eigen(const central::Rows& x) {
  std::vector<Eigen::Triplet<float>> all;
  for (std::size_t r = 0; r < x.size(); ++r) {
    x.visit(r, [&](std::uint32_t j, float v) { all.emplace_back(static_cast<int>(r), static_cast<int>(j), v); });
  }
  Eigen::SparseMatrix<float, Eigen::RowMajor> matrix(static_cast<int>(x.size()), static_cast<int>(x.columns()));
  matrix.setFromTriplets(all.begin(), all.end());
  return matrix;
}

}  // namespace

int bench_fit(const BenchOptions& options) {
  const double before = peak_bytes();
  const central::Problem problem = documents();
  const central::Sample sample = central::all_rows(problem);
  central::FitSettings settings;
  settings.method = central::Method::dp_iht;
  settings.budget = central::Budget{4, 1e-5};
  settings.nonzeros = k_nonzeros;
  settings.steps = k_passes;
  central::Coins coins(1);
  bool is_good = true;
  const double pass_seconds =
      least_seconds(options.seconds, [&] { is_good = central::fit(sample, settings, coins).ok() && is_good; });
  if (!is_good) return refuse({"bench.no_fit", "the fit was refused", "", ""}, options.json);

  const auto data_bytes = static_cast<double>(problem.x.bytes());
  const double fit_bytes = peak_bytes() - before;

  // A product with the matrix and one with its transpose: the cost of a gradient without privacy, in Eigen.
  const auto matrix = as_eigen(problem.x);
  Eigen::VectorXf w = Eigen::VectorXf::Constant(k_columns, 1e-3f), margin, gradient;
  const double pair_seconds = least_seconds(options.seconds, [&] {
    margin.noalias() = matrix * w;
    gradient.noalias() = matrix.transpose() * margin;
    keep(gradient.data());
  });
  const double ratio = pass_seconds / k_passes / pair_seconds;
  if (options.json) {
    print_json({{"setting",
                 {{"rows", k_rows},
                  {"features", k_columns},
                  {"values", matrix.nonZeros()},
                  {"nonzeros", k_nonzeros},
                  {"method", "dp-iht"}}},
                {"pass_seconds", pass_seconds / k_passes},
                {"product_pair_seconds", pair_seconds},
                {"pair_ratio", ratio},
                {"data_bytes", data_bytes},
                {"peak_bytes", fit_bytes},
                {"memory_ratio", fit_bytes / data_bytes}});
    return done;
  }
  say("{} rows, {} features, {} values\n", k_rows, k_columns, matrix.nonZeros());
  say("one pass of dp-iht        {:8.3f} ms\n", 1e3 * pass_seconds / k_passes);
  say("X w and X' r in Eigen     {:8.3f} ms   ratio {:.2f}\n", 1e3 * pair_seconds, ratio);
  say("memory over the rows'     {:8.2f}\n", fit_bytes / data_bytes);
  return done;
}

}  // namespace sotto::cli
