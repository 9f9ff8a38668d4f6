// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/block.hpp"

using namespace sotto;

BlockSpec spec;
Certified<BlockSpec> certified_spec;

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return block(certified, firmware_answer, coins, firmware_report);
  });
}
