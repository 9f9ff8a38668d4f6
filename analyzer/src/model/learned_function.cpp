// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/model/learned_function.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sotto::analyzer {

bool LearnedFunction::is_whole() const {
  if (inputs.empty()) return true;
  const bool bumps = basis == "bumps", cosines = basis == "cosines";
  const auto finite = [](const std::vector<double>& v) {
    return std::ranges::all_of(v, [](double c) { return std::isfinite(c); });
  };
  return (bumps || cosines) && place.size() == coefficients.size() * inputs.size() &&
         (bumps ? bandwidth > 0 : phase.size() == coefficients.size()) && finite(coefficients) && finite(phase) &&
         finite(place) && std::ranges::all_of(inputs, [](const FunctionInput& i) { return i.scale != 0; });
}

std::vector<double> LearnedFunction::basis_at(std::span<const double> scaled) const {
  std::vector<double> out;
  const std::size_t size = inputs.size();
  for (std::size_t j = 0; j < coefficients.size(); ++j) {
    const std::span<const double> at = std::span(place).subspan(j * size, size);
    double sum = 0;
    if (basis == "bumps") {
      for (std::size_t i = 0; i < size; ++i) sum += (scaled[i] - at[i]) * (scaled[i] - at[i]);
      out.push_back(std::exp(-sum / (2 * bandwidth * bandwidth)));
    } else {
      for (std::size_t i = 0; i < size; ++i) sum += at[i] * scaled[i];
      out.push_back(std::cos(2 * std::numbers::pi * (phase[j] + sum)));
    }
  }
  return out;
}

double LearnedFunction::operator()(std::span<const double> readings) const {
  std::vector<double> scaled;
  for (std::size_t i = 0; i < inputs.size(); ++i)
    scaled.push_back(std::clamp((readings[i] - inputs[i].offset) / inputs[i].scale, -1.0, 1.0));
  const std::vector<double> values = basis_at(scaled);
  double sum = 0;
  for (std::size_t j = 0; j < values.size(); ++j) sum += coefficients[j] * values[j];
  return target_offset + target_scale * sum;
}

}  // namespace sotto::analyzer
