// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "plan_parts.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

namespace sotto::analyzer {

std::vector<std::uint16_t> share_weights(std::span<const double> shares) {
  std::vector<std::uint16_t> weights;
  for (const double share : shares)
    weights.push_back(static_cast<std::uint16_t>(std::max(1L, std::lround(share * 60000))));
  return weights;
}

std::uint16_t question_bits(std::initializer_list<QuestionKind> questions) {
  unsigned bits = 0;
  for (const QuestionKind question : questions) bits |= 1u << static_cast<unsigned>(question);
  return static_cast<std::uint16_t>(bits);
}

Error small_fleet(const RegressionTerms& terms, double needed) {
  return {"protocol.small_fleet", fmt::format("{} asks at least two devices for every number", terms.protocol->name),
          fmt::format("{} devices, {:.0f} needed for {} variables", terms.devices, std::ceil(needed), terms.sparsity),
          "enrol more devices, or lower the sparsity"};
}

}  // namespace sotto::analyzer
