// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The labels of a round next to the rows of the public design, and one pass over them for a fit.

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "../estimate/clipped_response.hpp"
#include "sotto/analyzer/aggregate/report_set.hpp"
#include "sotto/analyzer/aggregate/scalar_law.hpp"
#include "sotto/analyzer/data/public_design.hpp"

namespace sotto::analyzer {

/// Which rows a pass uses. A share of them, by pseudonym, teaches nothing and is held back to `validate` the model; `all`
/// are the others. Three of five of these are in `choose`, where variables are selected. The rest is used only
/// afterwards, so that intervals are not biased by the selection.
enum class LabelPart : std::uint8_t { all, choose, confirm, validate };

/// A sparse model in standard units, features in ascending order.
struct LabelModel {
  std::vector<std::uint32_t> feature;
  Eigen::VectorXd value;
};

/// The expected label as a function of u = <x, theta>: the linear approximation or the response of the clip.
struct ExpectedLabel {
  const ClippedResponse* response = nullptr;  ///< null: the line
  ClippedResponse::Line line{};
  [[nodiscard]] ResponseAt at(double u) const noexcept {
    return response != nullptr ? response->at(u) : ResponseAt{line.offset + line.gain * u, line.gain};
  }
};

/// Sums over the rows of one pass, with r = z - h(u) and d = h'(u).
struct LabelPass {
  std::uint64_t rows = 0;
  double squares = 0;        ///< sum r^2
  double slopes = 0;         ///< sum d^2
  Eigen::VectorXd gradient;  ///< sum d r x, all features
  Eigen::VectorXd columns;   ///< sum x^2, all features
  Eigen::VectorXd score;     ///< sum d r x_S
  Eigen::MatrixXd gauss;     ///< sum d^2 x_S x_S'
  Eigen::MatrixXd spread;    ///< sum d^2 r^2 x_S x_S'
};

/// Labels with their rows. The design is not copied but read once in each pass; kept are one number for each row, and
/// sums of the size of the features. (Summing X'z while reports arrive would save one pass of about twenty, and would
/// only serve a linear response.)
class LabelRows {
 public:
  /// `unit` is one standard deviation of a feature in Q15; `held_back` is the share of rows that validates. The design
  /// must outlive this object.
  LabelRows(const PublicDesign& design, double unit, double held_back);

  /// Finds the row of each report in one pass over the design.
  void take(const ReportSet& reports, const ScalarLaw& law, double bound);

  [[nodiscard]] std::uint32_t features() const noexcept { return design_.features(); }
  [[nodiscard]] std::uint64_t used(LabelPart part = LabelPart::all) const noexcept;
  /// Reports whose pseudonym is not in the design.
  [[nodiscard]] std::uint64_t without_row() const noexcept { return without_row_; }
  /// The decoded labels; NaN for a row without a report.
  [[nodiscard]] const std::vector<double>& labels() const noexcept { return label_; }

  /// One pass over the design. Without `full`, gradient and columns stay empty.
  [[nodiscard]] LabelPass pass(LabelPart part, const LabelModel& at, const ExpectedLabel& expected, bool full) const;
  /// Labels of a part with what a model says of their rows, u = <x, theta>.
  struct Fitted {
    std::vector<double> label, fit;
  };
  [[nodiscard]] Fitted fitted(LabelPart part, const LabelModel& at) const;

 private:
  [[nodiscard]] bool is_in(LabelPart part, std::size_t row) const noexcept;

  const PublicDesign& design_;
  double per_unit_;
  std::vector<double> label_;
  std::vector<LabelPart> part_;
  std::uint64_t without_row_ = 0;
};

}  // namespace sotto::analyzer
