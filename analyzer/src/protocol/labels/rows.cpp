// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "rows.hpp"

#include <cmath>
#include <limits>

#include "sotto/analyzer/math/xoshiro.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_parts = 5, k_choosing = 3;
constexpr std::uint64_t k_part_stream = 0x70617274;

/// gradient += weight x, columns += x^2: nearly all of the time of a pass. Two loops without branches, which compilers
/// vectorize.
#if defined(__GNUC__) && !defined(__clang__)
[[gnu::optimize("O3")]]
#endif
void add_row(const std::vector<Q15>& row, double weight, std::vector<double>& gradient, std::vector<double>& columns) {
  const std::size_t size = row.size();
  const Q15* const x = row.data();
  double* const g = gradient.data();
  double* const c = columns.data();
  for (std::size_t j = 0; j < size; ++j) g[j] += weight * x[j];
  for (std::size_t j = 0; j < size; ++j) {
    const double v = x[j];
    c[j] += v * v;
  }
}

}  // namespace

LabelRows::LabelRows(const PublicDesign& design, double unit, double held_back)
    : design_(design),
      per_unit_(1 / unit),
      label_(design.rows(), std::numeric_limits<double>::quiet_NaN()),
      part_(design.rows()) {
  // A function of the pseudonym alone, so that it does not depend on the order in which devices answer.
  for (std::uint64_t row = 0; row < design.rows(); ++row) {
    Xoshiro random(design.pseudonym(row), k_part_stream);
    part_[row] = random.below(k_parts) >= k_choosing ? LabelPart::confirm : LabelPart::choose;
    if (random.unit() < held_back) part_[row] = LabelPart::validate;
  }
}

void LabelRows::take(const ReportSet& reports, const ScalarLaw& law, double bound) {
  std::uint64_t row = 0;
  for (const NamedNumber& report : reports.sorted()) {
    while (row < label_.size() && design_.pseudonym(row) < report.pseudonym) ++row;
    if (row == label_.size() || design_.pseudonym(row) != report.pseudonym) {
      ++without_row_;
    } else {
      label_[row] = bound * law.decode(report.number);
    }
  }
}

std::uint64_t LabelRows::used(LabelPart part) const noexcept {
  std::uint64_t count = 0;
  for (std::size_t i = 0; i < label_.size(); ++i) count += is_in(part, i);
  return count;
}

bool LabelRows::is_in(LabelPart part, std::size_t row) const noexcept {
  if (std::isnan(label_[row])) return false;
  return part == LabelPart::all ? part_[row] != LabelPart::validate : part_[row] == part;
}

LabelRows::Fitted LabelRows::fitted(LabelPart part, const LabelModel& at) const {
  Fitted out;
  std::vector<Q15> row(design_.features());
  for (std::uint64_t i = 0; i < label_.size(); ++i) {
    if (!is_in(part, i) || !design_.read(i, row)) continue;
    double u = 0;
    for (std::size_t k = 0; k < at.feature.size(); ++k)
      u += per_unit_ * row[at.feature[k]] * at.value[static_cast<Eigen::Index>(k)];
    out.label.push_back(label_[i]);
    out.fit.push_back(u);
  }
  return out;
}

LabelPass LabelRows::pass(LabelPart part, const LabelModel& at, const ExpectedLabel& expected, bool full) const {
  const auto size = static_cast<Eigen::Index>(at.feature.size());
  const std::size_t features = design_.features();
  LabelPass out;
  out.score = Eigen::VectorXd::Zero(size);
  out.gauss = out.spread = Eigen::MatrixXd::Zero(size, size);
  std::vector<double> gradient(full ? features : 0), columns(full ? features : 0);
  std::vector<Q15> row(features);
  Eigen::VectorXd chosen(size);
  for (std::uint64_t i = 0; i < label_.size(); ++i) {
    if (!is_in(part, i)) continue;
    if (!design_.read(i, row)) continue;
    for (Eigen::Index k = 0; k < size; ++k) chosen[k] = per_unit_ * row[at.feature[static_cast<std::size_t>(k)]];
    const ResponseAt h = expected.at(chosen.dot(at.value));
    const double left = label_[i] - h.value, weight = h.slope * left * per_unit_;
    ++out.rows;
    out.squares += left * left;
    out.slopes += h.slope * h.slope;
    out.score += h.slope * left * chosen;
    out.gauss.selfadjointView<Eigen::Lower>().rankUpdate(chosen, h.slope * h.slope);
    out.spread.selfadjointView<Eigen::Lower>().rankUpdate(chosen, h.slope * h.slope * left * left);
    if (!full) continue;
    add_row(row, weight, gradient, columns);
  }
  out.gauss = out.gauss.selfadjointView<Eigen::Lower>();
  out.spread = out.spread.selfadjointView<Eigen::Lower>();
  if (!full) return out;
  out.gradient = Eigen::Map<const Eigen::VectorXd>(gradient.data(), static_cast<Eigen::Index>(features));
  out.columns =
      Eigen::Map<const Eigen::VectorXd>(columns.data(), static_cast<Eigen::Index>(features)) * per_unit_ * per_unit_;
  return out;
}

}  // namespace sotto::analyzer
