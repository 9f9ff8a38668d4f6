// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <Eigen/Core>
#include <cstdint>
#include <vector>

#include "../estimate/clipped_response.hpp"
#include "sotto/analyzer/aggregate/report_set.hpp"
#include "sotto/analyzer/aggregate/scalar_law.hpp"
#include "sotto/analyzer/data/public_design.hpp"

namespace sotto::analyzer {

/// Which rows a pass looks at. Three of five rows are in `choose`, by their pseudonym, where variables are chosen; the others stay unseen until
/// then, so that intervals from them are not bent by the choice.
enum class LabelPart : std::uint8_t { all, choose, confirm };

/// A sparse model in standard units, features rising.
struct LabelModel {
  std::vector<std::uint32_t> feature;
  Eigen::VectorXd value;
};

/// How a pass expects labels to go with u = <x, theta>: along a line, or along the response of the clip.
struct ExpectedLabel {
  const ClippedResponse* response = nullptr;  ///< none: the line
  ClippedResponse::Line line{};
  [[nodiscard]] ResponseAt at(double u) const noexcept {
    return response != nullptr ? response->at(u) : ResponseAt{line.offset + line.gain * u, line.gain};
  }
};

/// Sums over the rows of one pass, r = z - h(u), d = h'(u).
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

/// Labels beside their rows. The design stays where it is and is read once for every pass: what is kept is one number for each of its
/// rows, and sums of the size of the features. (Sums X'z at absorb would save one pass of some twenty, and could not serve a response
/// that is not a line.)
class LabelRows {
 public:
  /// `unit` is one standard deviation of a feature in Q15. The design must outlive this.
  LabelRows(const PublicDesign& design, double unit);

  /// Finds the row of every report, by one walk.
  void take(const ReportSet& reports, const ScalarLaw& law, double bound);

  [[nodiscard]] std::uint32_t features() const noexcept { return design_.features(); }
  [[nodiscard]] std::uint64_t used(LabelPart part = LabelPart::all) const noexcept;
  /// Reports of pseudonyms that the design does not have.
  [[nodiscard]] std::uint64_t without_row() const noexcept { return without_row_; }
  /// Decoded, NaN where there is none.
  [[nodiscard]] const std::vector<double>& labels() const noexcept { return label_; }

  /// One walk over the design. Without `full` gradient and columns stay empty.
  [[nodiscard]] LabelPass pass(LabelPart part, const LabelModel& at, const ExpectedLabel& expected, bool full) const;

 private:
  const PublicDesign& design_;
  double per_unit_;
  std::vector<double> label_;
  std::vector<bool> confirms_;
  std::uint64_t without_row_ = 0;
};

}  // namespace sotto::analyzer
