// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/hemisphere.hpp"

using namespace sotto;

HemisphereSpec spec;
Certified<HemisphereSpec> certified_spec;
Q15 x[512];

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return hemisphere(certified, firmware_label, {x, spec.dimension}, coins, firmware_report);
  });
}
