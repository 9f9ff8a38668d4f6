// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/everyday_world.hpp"

namespace sotto::analyzer {

Result<std::unique_ptr<EverydayWorld>> everyday_world(const EverydayOptions& options) {
  if (options.devices == 0 && options.column == nullptr && options.words == nullptr)
    return Error{"simulate.bad_users", "there is no fleet to simulate", "--users 0", "say how many devices there are"};
  if (options.kind == "category" || options.kind == "crosstab" || options.kind == "top") return category_world(options);
  return number_world(options);
}

}  // namespace sotto::analyzer
