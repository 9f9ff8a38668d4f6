// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/cross_polytope.hpp"

using namespace sotto;

CrossPolytopeSpec spec;
Certified<CrossPolytopeSpec> certified_spec;
Q15 x[256];
std::int32_t work[256];

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return cross_polytope(certified, firmware_label, {x, spec.dimension}, {work, 256}, coins, firmware_report);
  });
}
