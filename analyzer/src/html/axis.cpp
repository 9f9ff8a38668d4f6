// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/html/axis.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sotto::analyzer::html {

std::vector<double> Axis::ticks() const {
  std::vector<double> at;
  const auto count = static_cast<int>(std::lround((high - low) / step));
  for (int i = 0; i <= count; ++i) at.push_back(low + i * step);
  return at;
}

Axis round_axis(double low, double high, int count, double from, double to) {
  const double span = high > low ? high - low : 1;
  const double rough = span / count;
  const double power = std::pow(10.0, std::floor(std::log10(rough)));
  const double lead = rough / power;
  const double step = (lead <= 1 ? 1 : lead <= 2 ? 2 : lead <= 5 ? 5 : 10) * power;
  const double first = std::floor(low / step) * step;
  const double last = std::max(std::ceil((low + span) / step) * step, first + step);
  return {first, last, step, from, to};
}

std::string percent_text(double share, double step) {
  const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step * 100) - 1e-9)), 0, 6);
  const std::string text = fmt::format("{:.{}f}%", share * 100, decimals);
  return text.front() == '-' && text.find_first_of("123456789") == std::string::npos ? text.substr(1) : text;
}

}  // namespace sotto::analyzer::html
