// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>

#include <fmt/format.h>

#include "methods.hpp"
#include "sotto/analyzer/accountant/calibrate.hpp"

// The budget that is left for the method after earlier Gaussian releases (the scales of the columns). A release with
// multiplier z costs 1/z^2 where the budget is counted as precision, 1/(2 z^2) where it is counted in zCDP, and its
// Renyi divergences otherwise.
namespace sotto::analyzer::central {
namespace {

double precision_of(const std::vector<GaussianRelease>& releases) {
  double precision = 0;
  for (const GaussianRelease& release : releases) precision += 1 / (release.z * release.z);
  return precision;
}

Result<double> what_is_left(double all, double paid) {
  if (all - paid > 0) return all - paid;
  return Error{"fit.no_budget_left", "the scales of the columns have used up the budget",
               fmt::format("{:.3g} of {:.3g}", paid, all), "lower --moments-share, or give public --scales"};
}

}  // namespace

Result<double> FitWork::gaussian_precision() const {
  const auto z = gaussian_multiplier(epsilon(), delta());
  if (!z) return z.error();
  return what_is_left(1 / (z.value() * z.value()), precision_of(settings.paid_before));
}

Result<double> FitWork::zcdp(double of_epsilon, double of_delta) const {
  const auto rho = zcdp_budget(of_epsilon, of_delta);
  if (!rho) return rho.error();
  return what_is_left(rho.value(), precision_of(settings.paid_before) / 2);
}

Result<Done> FitWork::check_scale(double value, const char* what) {
  if (std::isnormal(value) && value > 0) return Done{};
  return Error{"fit.bad_scale", fmt::format("{} is too small or too large to compute with", what),
               fmt::format("{:g}", value), "choose bounds, --step-size and --epsilon that are nearer to 1"};
}

Result<double> FitWork::multiplier(const std::function<RenyiCurve(double z)>& cost) const {
  const RenyiCurve paid = zcdp_curve(precision_of(settings.paid_before) / 2);
  return noise_multiplier([&](double z) { return paid + cost(z); }, epsilon(), delta());
}

}  // namespace sotto::analyzer::central
