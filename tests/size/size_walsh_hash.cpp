// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/walsh_hash.hpp"

using namespace sotto;

WalshHashSpec spec;
Certified<WalshHashSpec> certified_spec;

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return walsh_hash(certified, firmware_label, firmware_answer, coins, firmware_report);
  });
}
