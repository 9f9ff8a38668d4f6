// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/confidence.hpp"

#include <algorithm>
#include <boost/math/special_functions/beta.hpp>
#include <cmath>

namespace sotto::analyzer::audit {

double clopper_pearson_lower(std::uint64_t hits, std::uint64_t runs, double alpha) {
  if (hits == 0) return 0;
  return boost::math::ibeta_inv(static_cast<double>(hits), static_cast<double>(runs - hits + 1), alpha);
}

double clopper_pearson_upper(std::uint64_t hits, std::uint64_t runs, double alpha) {
  if (hits == runs) return 1;
  return boost::math::ibetac_inv(static_cast<double>(hits + 1), static_cast<double>(runs - hits), alpha);
}

double epsilon_lower_bound(const EventCounts& counts, double alpha, double delta) {
  const double low = clopper_pearson_lower(counts.first, counts.runs, alpha / 2) - delta;
  if (low <= 0) return 0;
  return std::max(0.0, std::log(low / clopper_pearson_upper(counts.second, counts.runs, alpha / 2)));
}

}  // namespace sotto::analyzer::audit
