// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/sphere_code.hpp"

using namespace sotto;

SphereCodeSpec spec;
Certified<SphereCodeSpec> certified_spec;
Q15 x[64];
std::uint16_t work[512];

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return sphere_code(certified, firmware_label, {x, spec.dimension}, {work, 512}, coins, firmware_report);
  });
}
