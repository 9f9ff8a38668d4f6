// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/everyday_world.hpp"

#include "sotto/analyzer/math/xoshiro.hpp"

namespace sotto::analyzer {

bool is_empty(const EverydayOptions& options, std::uint64_t device) noexcept {
  constexpr std::uint64_t k_empty_stream = std::uint64_t{1} << 62;
  return options.empty > 0 && Xoshiro(options.seed, k_empty_stream + device).unit() < options.empty;
}

Result<std::unique_ptr<EverydayWorld>> everyday_world(const EverydayOptions& options) {
  if (options.devices == 0 && options.column == nullptr && options.words == nullptr)
    return Error{"simulate.bad_users", "there is no fleet to simulate", "--users 0", "say how many devices there are"};
  if (options.kind == "category" || options.kind == "crosstab" || options.kind == "top") return category_world(options);
  return number_world(options);
}

}  // namespace sotto::analyzer
