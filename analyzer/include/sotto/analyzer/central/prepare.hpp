// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads a data file for `sotto fit` and scales its rows: features and target become a Problem with public bounds. Also
/// makes synthetic rows for benchmarks.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "sotto/analyzer/central/coins.hpp"
#include "sotto/analyzer/central/meter.hpp"
#include "sotto/analyzer/central/problem.hpp"
#include "sotto/analyzer/data/standardise.hpp"
#include "sotto/analyzer/data/table.hpp"
#include "sotto/analyzer/data/table_reader.hpp"

namespace sotto::analyzer::central {

/// How rows are scaled before a fit.
/// standard: every feature (and the target of a regression) minus its offset, divided by its standard deviation,
/// clipped at 5; dense rows only. A missing value becomes 0, which is its column's offset.
/// rows: every row divided by its own Euclidean norm; a missing value counts as 0.
/// none: no scaling; the bounds must be given; a missing value counts as 0.
enum class RowScaling : std::uint8_t { standard, rows, none };

/// Which file is read, and how.
struct DataSettings {
  /// CSV; LIBSVM if is_libsvm, or if the name ends in .libsvm or .svm, each also with .gz.
  std::filesystem::path file;
  TableReader rows{};  ///< unless empty: rows in memory, which `file` names in messages
  bool is_libsvm = false;
  // CSV only: see TableColumns.
  std::string target = "y";
  std::vector<std::string> left_out{};    ///< columns that are not features, such as a row number
  std::vector<ColumnLevels> levels{};     ///< public levels of columns of text
  std::vector<std::string> is_missing{};  ///< columns for which "the value is missing" becomes a feature
  std::string positive{};                 ///< the target is 1 where it has this text, else 0
  bool is_count = false;                  ///< the target is a count, and what is learned is log(1 + count)
  Loss loss = Loss::logistic;
  double l2 = 0;
  RowScaling scaling = RowScaling::standard;
  Transform transform = Transform::none;
  std::filesystem::path scales_file;        ///< CSV: name, offset, deviation; empty: measured, see MomentsPayment
  std::optional<std::uint32_t> features{};  ///< LIBSVM only, required there: values with a larger index are dropped
  std::optional<double> row_bound{}, value_bound{}, target_bound{};
  bool is_independent = false;
};

/// The payment for measuring offsets and deviations of the columns with noise, if no file gives them.
struct MomentsPayment {
  double precision = 0;  ///< the sum of 1/z^2 over Gaussian releases
  Adjacency adjacency = Adjacency::add_remove;
  Coins& coins;
};

/// Where offsets and deviations come from: not needed, given by a public file, measured with noise that the budget paid
/// for, or `exact`, measured without noise for fits without privacy.
enum class ScalesSource : std::uint8_t { none, given, paid, exact };

/// Scaled rows, and everything that was assumed public in the process.
struct PreparedData {
  Problem problem;
  std::vector<std::string> names;  ///< names of the features; empty for LIBSVM, which numbers them from 1
  std::string target;
  std::vector<Scale> scales;           ///< scales of the features; empty unless RowScaling::standard
  std::vector<FeatureSource> sources;  ///< what the features were made of; empty for LIBSVM
  std::vector<ColumnLevels> levels;    ///< levels of the columns of text
  Transform transform = Transform::none;
  std::string positive;   ///< the level of the target that became 1; empty: the target is a number
  bool is_count = false;  ///< the target is the logarithm of one plus a count
  Scale target_scale;
  ScalesSource scales_source = ScalesSource::none;
  std::vector<GaussianRelease> paid;  ///< cost of the scales, to be passed as FitSettings::paid_before to every fit
  bool is_common_range = false;       ///< paid scales only: too few rows for a range of each column
  RowScaling scaling = RowScaling::standard;
  std::vector<std::string> assumed_public;
  std::vector<std::string> notes;     ///< sentences about how the file was read, where that is not obvious
  std::vector<std::string> warnings;  ///< depend on the rows: for their holder only, not to be released
};

/// Reads and scales a file. Without a payment the scales are measured exactly, and no fit of the rows is private.
/// Refuses   what read_table and read_libsvm refuse; data.csv_only; data.bad_label: a label other than 0 and 1 (or -1
///           and 1) for the logistic loss; data.bad_bound; data.sparse_standard: sparse rows cannot be centred;
///           data.missing_scale, data.bad_scale; for LIBSVM data.no_feature_count and data.too_many_features (above
///           2^24).
[[nodiscard]] Result<PreparedData> prepare(const DataSettings& settings, const MomentsPayment* payment);

/// A synthetic regression: independent features from U(-1, 1), `nonzeros` coefficients from N(0, 1), and Gaussian noise
/// of the given variance on the target.
struct SyntheticData {
  Problem problem;
  std::vector<double> truth;
};
[[nodiscard]] SyntheticData synthetic_rows(std::size_t rows, std::size_t columns, std::size_t nonzeros, double variance,
                                           std::uint64_t seed);

/// The relative error |w - truth| / |truth| in the l2 norm.
[[nodiscard]] double relative_error(const Weights& w, const std::vector<double>& truth);

}  // namespace sotto::analyzer::central
