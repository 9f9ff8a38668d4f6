// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/scalar_law.hpp"

#include "sotto/analyzer/aggregate/gaussian.hpp"
#include "sotto/analyzer/aggregate/laplace.hpp"

namespace sotto::analyzer {

Result<ScalarLaw> ScalarLaw::of(const AnySpec& spec) {
  ScalarLaw law;
  if (const auto* window = std::get_if<WindowSpec>(&spec)) {
    law.window_ = *window;
    return law;
  }
  if (const auto* laplace = std::get_if<LaplaceSpec>(&spec)) {
    law.bits_ = laplace->bits;
    law.radius_ = laplace->radius;
    law.noise_ = laplace_noise_variance(*laplace);
    return law;
  }
  if (const auto* gaussian = std::get_if<GaussianSpec>(&spec); gaussian != nullptr && gaussian->dimension == 1) {
    law.bits_ = 24;
    law.radius_ = gaussian->radius;
    law.noise_ = discrete_gaussian_variance(gaussian->variance);
    law.gaussian_ = true;
    return law;
  }
  return Error{"protocol.not_a_number", "reports of this randomizer are not one number",
               std::string(facts_of(spec).stem), "use window, laplace, or gaussian of dimension 1"};
}

double ScalarLaw::decode(std::uint32_t report) const noexcept {
  if (window_) return WindowLaw{*window_}.decode(report);
  // The representative nearest to zero: on the circle for laplace and in two's complement for gaussian, which is the
  // same.
  const std::uint32_t half = std::uint32_t{1} << (bits_ - 1), all = 2 * half - 1;
  return (static_cast<double>((report + half) & all) - half) / radius_;
}

double ScalarLaw::variance(double x) const noexcept {
  return window_ ? WindowLaw{*window_}.variance(x) : noise_ / (radius_ * radius_);
}

double ScalarLaw::worst_variance() const noexcept {
  return window_ ? WindowLaw{*window_}.worst_variance() : noise_ / (radius_ * radius_);
}

}  // namespace sotto::analyzer
