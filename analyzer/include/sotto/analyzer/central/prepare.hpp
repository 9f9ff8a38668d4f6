// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/central/coins.hpp"
#include "sotto/analyzer/central/meter.hpp"
#include "sotto/analyzer/central/problem.hpp"
#include "sotto/analyzer/data/standardise.hpp"

namespace sotto::analyzer::central {

/// What is done to the rows before a fit.
/// standard: every feature (and the target of a regression) minus its offset, over its deviation, cut at 5; dense rows only.
/// rows: every row divided by its own length. none: nothing; the bounds must be given.
enum class RowScaling : std::uint8_t { standard, rows, none };

struct DataSettings {
  std::filesystem::path
      file;  ///< CSV, or LIBSVM when the name says so (.libsvm, .svm, each also with .gz) or is_libsvm
  bool is_libsvm = false;
  std::string target = "y";  ///< CSV only
  std::string left_out;      ///< CSV only: a column that is no feature, such as a row's number
  Loss loss = Loss::logistic;
  double l2 = 0;
  RowScaling scaling = RowScaling::standard;
  Transform transform = Transform::none;
  std::filesystem::path scales_file;  ///< CSV with columns name, offset, deviation; empty: measured, see MomentsPayment
  std::optional<std::uint32_t> features{};  ///< LIBSVM only, where it has to be given: larger indices are left out
  std::optional<double> row_bound{}, value_bound{}, target_bound{};
  bool is_independent = false;
};

/// What is paid for measuring offsets and deviations of the columns, where no file gives them.
struct MomentsPayment {
  double precision = 0;  ///< the sum of 1/z^2 over Gaussian releases
  Adjacency adjacency = Adjacency::add_remove;
  Coins& coins;
};

/// Where offsets and deviations come from. `exact`: from these rows without noise, for fits that promise nothing.
enum class ScalesSource : std::uint8_t { none, given, paid, exact };

/// Rows that are ready, and what was taken for public on the way.
struct PreparedData {
  Problem problem;
  std::vector<std::string> names;  ///< of the features; empty for LIBSVM, whose features have numbers from 1
  std::string target;
  std::vector<Scale> scales;  ///< of the features; empty unless standard
  Scale target_scale;
  ScalesSource scales_source = ScalesSource::none;
  std::vector<GaussianRelease> paid;  ///< what the scales have cost; FitSettings::paid_before of every fit
  bool is_common_range = false;       ///< of paid scales: there were too few rows for a range of each column
  RowScaling scaling = RowScaling::standard;
  std::vector<std::string> assumed_public;
};

/// Reads and scales a file. Without a payment scales are exact, and no fit of the rows is private.
/// Refuses   what read_table and read_libsvm refuse; data.bad_label: a label that is neither 0 nor 1 (or -1 and 1) for the logistic
///           loss; data.bad_bound; data.sparse_standard: sparse rows cannot be centred; data.missing_scale, data.bad_scale;
///           data.no_feature_count, data.too_many_features (above 2^24): of LIBSVM.
[[nodiscard]] Result<PreparedData> prepare(const DataSettings& settings, const MomentsPayment* payment);

/// Rows of independent U(-1, 1) features, s coefficients from N(0, 1), and Gaussian noise of this variance on the target.
struct SyntheticData {
  Problem problem;
  std::vector<double> truth;
};
[[nodiscard]] SyntheticData synthetic_rows(std::size_t rows, std::size_t columns, std::size_t nonzeros, double variance,
                                           std::uint64_t seed);

/// |w - truth| / |truth|.
[[nodiscard]] double relative_error(const Weights& w, const std::vector<double>& truth);

}  // namespace sotto::analyzer::central
