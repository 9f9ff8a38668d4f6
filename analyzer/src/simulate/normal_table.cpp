// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "normal_table.hpp"

#include <cmath>
#include <cstddef>

#include <boost/math/special_functions/erf.hpp>

namespace sotto::analyzer {

const std::vector<float>& normal_table() {
  static const std::vector<float> table = [] {
    constexpr std::size_t k_size = 65536;
    std::vector<double> upper(k_size / 2);  // the law is symmetric
    double squares = 0;
    for (std::size_t i = 0; i < upper.size(); ++i) {
      upper[i] = std::sqrt(2.0) * boost::math::erf_inv((2.0 * static_cast<double>(i) + 1) / k_size);
      squares += upper[i] * upper[i];
    }
    const double stretch = std::sqrt(static_cast<double>(upper.size()) / squares);
    std::vector<float> both(k_size);
    for (std::size_t i = 0; i < upper.size(); ++i) {
      both[k_size / 2 + i] = static_cast<float>(stretch * upper[i]);
      both[k_size / 2 - 1 - i] = -both[k_size / 2 + i];
    }
    return both;
  }();
  return table;
}

}  // namespace sotto::analyzer
