// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include "minimise.hpp"
#include "private_sums.hpp"
#include "sotto/analyzer/central/exact_draws.hpp"
#include "support.hpp"

// Methods that select the support privately and then minimise a strongly convex function on it, whose minimiser has low
// sensitivity.
namespace sotto::analyzer::central {
namespace {

constexpr double k_limit_ridge = 1e-6;  // without privacy, in units of a typical value squared
// For two_stage: the shares of epsilon and delta for the objective perturbation, and for the noise that hides that the
// minimiser is computed in doubles.
constexpr double k_objective_share = 0.48, k_release_share = 0.02;

/// A minimiser to be released, with what is publicly known about it.
struct Minimiser {
  const Eigen::VectorXd& w;
  double sensitivity;  ///< largest Euclidean distance between the results of two neighbours
  double largest;      ///< largest |w| for any rows
};

constexpr double k_steps_max = 0x1p61;  // the noisy value still fits in 64 bits

/// A grid for noise of z times the sensitivity on which every result has a place: `largest` is at most 2^61 steps.
/// Rounding to the grid increases the distance of two neighbouring results by up to one step in each coordinate, and
/// the quotients in doubles have a relative error of 2^-53 each. Both are added to the sensitivity. The grid is public,
/// because it does not depend on w.
NoiseGrid release_grid(const Minimiser& m, double z) {
  NoiseGrid grid = noise_grid(z, m.sensitivity, Adjacency::add_remove);
  const double ratio = m.largest / m.sensitivity, longest_most = std::floor(k_steps_max / std::max(ratio, 1.0));
  while (static_cast<double>(grid.longest_row) > longest_most && grid.log2_sigma > GridGaussian::k_log2_min) {
    --grid.log2_sigma;
    grid.longest_row = static_cast<std::int64_t>(std::ldexp(1.0, static_cast<int>(grid.log2_sigma)) / z);
  }
  grid.longest_row = std::min(grid.longest_row, static_cast<std::int64_t>(longest_most));
  const auto longest = static_cast<double>(grid.longest_row);
  const double rounding = std::sqrt(static_cast<double>(m.w.size())) * (1 + 0x1p-52 * ratio * longest) + 1;
  grid.z = std::ldexp(1.0, static_cast<int>(grid.log2_sigma)) / longest;
  grid.step = m.sensitivity / (longest - rounding);
  return grid;
}

/// Releases a minimiser with noise of z times its sensitivity.
/// Refuses   fit.bad_scale: the sensitivity has fewer steps than rounding adds, because the budget is too small or
///           there are too many columns.
Result<std::vector<double>> release(const Minimiser& m, double z, const FitWork& work, double& delivered) {
  const NoiseGrid grid = release_grid(m, z);
  if (const auto good = FitWork::check_scale(grid.step, "the step of the noise"); !good) return good.error();
  work.meter.add_gaussian(grid.z, 1, static_cast<double>(m.w.size()), grid.log2_sigma);
  const GridGaussian noise(grid.log2_sigma);
  // No minimiser is so large that it is clipped here (release_grid); the clip only makes the conversion to an integer
  // defined.
  std::vector<double> out;
  for (const double v : m.w) {
    const auto on_grid = static_cast<std::int64_t>(std::clamp(std::round(v / grid.step), -k_steps_max, k_steps_max));
    out.push_back(static_cast<double>(on_grid + noise.draw(work.coins)) * grid.step);
  }
  delivered = grid.z;
  return out;
}

/// A bound on the norm of a minimiser: there the gradient of the ridge equals that of the mean loss and of the tilt,
/// and a row contributes at most L / n to the mean loss. A neighbour has one row more than the public number, and the
/// computed minimiser is not exact; the factor of 2 covers both.
double largest_minimiser(const Problem& part, double tilt, double ridge) {
  return 2 * (part.gradient_bound() + tilt) / ridge;
}

}  // namespace

// The minimiser of an L-Lipschitz loss with ridge lambda moves by at most L / (n lambda) when a row is added or
// removed.
Result<FitResult> fit_output_noise(const FitWork& work) {
  const auto budget = precision_budget(work);
  if (!budget) return budget.error();
  const std::uint32_t k = work.settings.nonzeros;
  const double share = k >= work.columns() ? 0 : 0.5, total = budget.value().total;
  const std::vector<std::uint32_t> support = choose_support(work, k, share * total);
  const Problem part = restrict_to(work.sample, support);
  const double n = work.sample.count, rows = part.bounds.row, size = static_cast<double>(support.size());
  const Eigen::VectorXd no_tilt = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(support.size()));
  FitResult result;
  result.passes = 2;
  result.steps = 1;
  if (!work.is_private()) {
    const auto w = minimise(part, n, std::max(part.l2, k_limit_ridge * rows * rows / size), no_tilt);
    if (!w) return w.error();
    result.w = widen({w.value().data(), support.size()}, support, work.columns());
  } else {
    const double z = 1 / std::sqrt((1 - share) * total), changed_rows = reach(work.settings.adjacency);
    // The ridge that balances the noise against the shrinkage of a model of typical size. Both are in units of the row
    // bound squared, as the curvature is, and do not depend on the target's unit. In linear regression, with R the row
    // bound and tau the target's scale, noise changes a margin by z tau R^2 / (n ridge), and the ridge, at a curvature
    // of R^2 / k in every column, changes it by k tau ridge / R^2.
    const double ridge =
        part.l2 +
        rows * rows * (part.loss == Loss::logistic ? 2 * z * changed_rows / n : std::sqrt(z * changed_rows / size / n));
    const auto w = minimise(part, n, ridge, no_tilt);
    if (!w) return w.error();
    const double sensitivity = part.gradient_bound() * (changed_rows / n + 2 * k_gradient_left) / ridge;
    const auto noisy = release({w.value(), sensitivity, largest_minimiser(part, 0, ridge)}, z, work, result.z);
    if (!noisy) return noisy.error();
    result.w = widen(noisy.value(), support, work.columns());
  }
  work.watch(result.passes, result.w);
  return result;
}

// Kifer, Smith, Thakurta 2012, with this library's private selection in place of sample-and-aggregate. The minimiser is
// computed in doubles and the perturbation lies on a grid, whereas the theorem assumes real numbers; both change the
// result by a small known amount, which additional noise on the result covers (Iyengar et al. 2019).
Result<FitResult> fit_two_stage(const FitWork& work) {
  if (!work.is_private()) return fit_output_noise(work);
  const double epsilon = k_objective_share * work.epsilon(), delta = k_objective_share * work.delta();
  const auto rho = work.zcdp(work.epsilon() - epsilon, work.delta() - delta);
  if (!rho) return rho.error();
  const double for_release = 2 * rho.value() * k_release_share;
  const std::vector<std::uint32_t> support =
      choose_support(work, work.settings.nonzeros, 2 * rho.value() - for_release);
  const Problem part = restrict_to(work.sample, support);
  const double n = work.sample.count, size = static_cast<double>(support.size());

  // The theorem is for data sets whose gradients differ by that of one row; replacing a row changes two of them.
  const double longest = part.gradient_bound() * reach(work.settings.adjacency);
  const double deviation = longest * std::sqrt(8 * std::log(2 / delta) + 4 * epsilon) / epsilon;
  const double ridge = part.l2 + 2 * part.curvature() * part.bounds.row * part.bounds.row / epsilon / n;
  constexpr unsigned k_log2_sigma = 40;
  const GridGaussian noise(k_log2_sigma);
  const double step = std::ldexp(deviation, -static_cast<int>(k_log2_sigma));
  Eigen::VectorXd tilt(static_cast<Eigen::Index>(support.size()));
  for (double& v : tilt) v = static_cast<double>(noise.draw(work.coins)) * step / n;
  work.meter.add_separate(epsilon, delta);
  work.meter.add_distance(size * rounding_distance(k_log2_sigma));

  const auto w = minimise(part, n, ridge, tilt);
  if (!w) return w.error();
  const double computation_error = 2 * (k_gradient_left * part.gradient_bound() + std::sqrt(size) * step / n) / ridge;
  const double longest_tilt = GridGaussian::k_sigmas_max * deviation * std::sqrt(size) / n;
  FitResult result;
  result.passes = 2;
  result.steps = 1;
  double ignored = 0;
  const auto noisy = release({w.value(), computation_error, largest_minimiser(part, longest_tilt, ridge)},
                             1 / std::sqrt(for_release), work, ignored);
  if (!noisy) return noisy.error();
  result.w = widen(noisy.value(), support, work.columns());
  result.z = deviation / longest;
  work.watch(result.passes, result.w);
  return result;
}

}  // namespace sotto::analyzer::central
