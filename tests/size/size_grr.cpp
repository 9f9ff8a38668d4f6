// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/grr.hpp"

using namespace sotto;

GrrSpec spec;
Certified<GrrSpec> certified_spec;

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return grr(certified, firmware_answer, coins, firmware_report);
  });
}
