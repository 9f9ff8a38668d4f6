// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "local_answer.hpp"

#include <algorithm>
#include <cmath>

#include <boost/math/distributions/normal.hpp>
#include <boost/math/distributions/students_t.hpp>

namespace sotto::analyzer {
namespace {

constexpr double k_q24 = 1 << 24, k_q15 = 32768;
constexpr double k_screen_ridge = 0.1;  // of the nominal rows, as on the device

/// Q15, two's complement.
double signed_q15(std::uint32_t field) { return static_cast<std::int32_t>(field) / k_q15; }

Eigen::VectorXd least_squares_of(const StandIns& devices, const AskedRound& asked, const LocalRows& rows) {
  const Eigen::MatrixXd x = rows.x(Eigen::all, asked.place);
  const double ridge =
      asked.parameter(recipe::vector::ridge) / (asked.unit * asked.unit) * static_cast<double>(devices.nominal_rows());
  Eigen::MatrixXd gram = x.transpose() * x;
  gram.diagonal().array() += ridge;
  return gram.ldlt().solve(x.transpose() * left_of(asked, rows));
}

/// The gradient of the loss: it points away from the minimum.
Eigen::VectorXd gradient_of(const StandIns& devices, const AskedRound& asked, const LocalRows& rows, double& others,
                            Draws& draws) {
  const double bound = asked.parameter(recipe::vector::residual_bound) / asked.unit;
  const bool one_row = asked.round.recipe == Recipe::row_gradient;
  const double m = one_row ? 1 : static_cast<double>(devices.nominal_rows());
  Eigen::VectorXd left = (-left_of(asked, rows)).cwiseMin(bound).cwiseMax(-bound);
  const Eigen::Index held = one_row ? std::min<Eigen::Index>(1, left.size()) : left.size();
  left.conservativeResize(held);
  if (!asked.asks_all) return rows.x(Eigen::seqN(0, held), asked.place).transpose() * left / m;
  const double freedom = devices.others();
  if (freedom > 0) {
    const double chi = freedom + std::sqrt(2 * freedom) * draws.normal();
    const bool signs = devices.world().spec().design == Design::rademacher && held == 1;
    others = left.squaredNorm() / (m * m) * (signs ? freedom : std::max(0.0, chi));
  }
  return rows.x.topRows(held).transpose() * left / m;
}

Eigen::VectorXd means_of(const StandIns& devices, const AskedRound& asked, const LocalRows& rows) {
  const double held = static_cast<double>(rows.x.rows()) / static_cast<double>(devices.nominal_rows());
  return rows.x(Eigen::all, asked.place).colwise().mean().transpose() * held - asked.value * held;
}

/// The chance that the largest of `others` absolute values, each of the law with this upper tail, exceeds a number.
double chance_of_larger(double tail, double others) {
  return tail >= 0.5 ? 1 : -std::expm1(others * std::log1p(-2 * tail));
}

LocalVote largest_mean(const StandIns& devices, const AskedRound& asked, const LocalRows& rows) {
  Eigen::VectorXd mean = rows.x.colwise().mean();
  for (std::size_t k = 0; k < asked.place.size(); ++k) mean[asked.place[k]] -= asked.value[static_cast<int>(k)];
  LocalVote out;
  const double largest = mean.cwiseAbs().maxCoeff(&out.strongest);
  const double of_mean = devices.world().spec().noise.size / std::sqrt(static_cast<double>(rows.x.rows()));
  if (devices.others() == 0) return out;
  const boost::math::normal law(0, std::max(1e-12, of_mean));
  out.others_win = chance_of_larger(cdf(complement(law, largest)), devices.others());
  return out;
}

}  // namespace

double AskedRound::parameter(const Parameter& p) const noexcept {
  return static_cast<double>(round.parameter[p]) / k_q24;
}

double AskedRound::answer_unit() const noexcept {
  switch (round.recipe) {
    case Recipe::gradient:
    case Recipe::row_gradient: return unit * unit;
    case Recipe::means: return unit;
    default: return 1;
  }
}

AskedRound asked_round(const Round& round, double unit) {
  AskedRound out{round, unit, {}, {}, Eigen::VectorXd(round.model_size), false};
  const double of_value =
      round.recipe == Recipe::means || round.recipe == Recipe::largest_mean ? unit : 1;  // a mean is a reading
  for (std::uint32_t i = 0; i < round.model_size; ++i) {
    const ModelEntry entry = model_entry(round, i);
    out.features.push_back(entry.feature);
    out.value[i] = entry.value_q24 / k_q24 / of_value;
  }
  const bool is_vector = round.question == QuestionKind::direction || round.question == QuestionKind::value ||
                         round.question == QuestionKind::bin;
  if (round.question == QuestionKind::block) out.asks_all = round.parameter[recipe::signs::scope] == k_scope_all;
  if (is_vector && round.recipe != Recipe::least_squares && round.recipe != Recipe::gain)
    out.asks_all = round.parameter[recipe::vector::scope] == k_scope_all;
  return out;
}

void place_model(const StandIns& devices, AskedRound& asked) {
  asked.place.clear();
  for (const std::uint32_t j : asked.features) asked.place.push_back(devices.place_of(j));
}

Eigen::VectorXd left_of(const AskedRound& asked, const LocalRows& rows) {
  Eigen::VectorXd left = rows.y;
  for (std::size_t k = 0; k < asked.place.size(); ++k) {
    const double c = asked.value[static_cast<Eigen::Index>(k)];
    if (c != 0) left -= c * rows.x.col(asked.place[k]);
  }
  return left;
}

Eigen::VectorXd local_vector(const StandIns& devices, const AskedRound& asked, const LocalRows& rows, double& others,
                             Draws& draws) {
  others = 0;
  const auto size = static_cast<Eigen::Index>(asked.asks_all ? devices.features().size() : asked.place.size());
  if (rows.y.size() == 0) return Eigen::VectorXd::Zero(size);
  switch (asked.round.recipe) {
    case Recipe::least_squares: return least_squares_of(devices, asked, rows);
    case Recipe::means: return means_of(devices, asked, rows);
    default: return gradient_of(devices, asked, rows, others, draws);
  }
}

LocalVote local_vote(const StandIns& devices, const AskedRound& asked, const LocalRows& rows) {
  if (rows.y.size() == 0) return {};
  if (asked.round.recipe == Recipe::largest_mean) return largest_mean(devices, asked, rows);
  const Eigen::VectorXd left = left_of(asked, rows);
  const double length = left.norm(), held = static_cast<double>(rows.y.size());
  if (length == 0) return {};
  const double ridge = k_screen_ridge * devices.nominal_rows();
  const Eigen::ArrayXd squares = rows.x.colwise().squaredNorm();
  const Eigen::ArrayXd scores = (rows.x.transpose() * left).array().abs() / (squares + ridge).sqrt();
  LocalVote out;
  const double largest = scores.maxCoeff(&out.strongest);
  // The cosine of the angle between what is left and a feature that has nothing to do with it.
  const double freedom = held - (devices.units() == RowUnits::stated ? 1 : 2);
  if (devices.others() == 0) return out;
  const double cosine = largest / length * std::sqrt((held + ridge) / held);
  if (cosine >= 1) return out;
  if (freedom < 1) {
    out.others_win = 1;
    return out;
  }
  const boost::math::students_t law(freedom);
  const double t = cosine * std::sqrt(freedom / (1 - cosine * cosine));
  out.others_win = chance_of_larger(cdf(complement(law, t)), devices.others());
  return out;
}

double local_gain(const AskedRound& asked, const LocalRows& rows) {
  if (rows.y.size() == 0) return 0;
  const Parameters& p = asked.round.parameter;
  const double target_centre = signed_q15(p[recipe::gain::target_centre]);
  const double fit_centre = signed_q15(p[recipe::gain::fit_centre]);
  const Eigen::ArrayXd y = asked.unit * rows.y.array() - target_centre;
  const Eigen::ArrayXd fit = asked.unit * (rows.y - left_of(asked, rows)).array() - fit_centre;
  const double before = y.square().sum(), after = (y - fit).square().sum(), m = static_cast<double>(y.size());
  double answer = 0;
  switch (p[recipe::gain::measure]) {
    case k_measure_gain: answer = before > 0 ? (before - after) / (before + after) : 0; break;
    case k_measure_square: answer = before / m; break;
    case k_measure_fit: answer = fit.mean(); break;
    default: answer = (before - after) / m; break;  // k_measure_better
  }
  return std::clamp(answer / signed_q15(p[recipe::gain::bound]), -1.0, 1.0);
}

}  // namespace sotto::analyzer
