// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/hadamard_response.hpp"

using namespace sotto;

HadamardResponseSpec spec;
Certified<HadamardResponseSpec> certified_spec;

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return hadamard_response(certified, firmware_answer, coins, firmware_report);
  });
}
