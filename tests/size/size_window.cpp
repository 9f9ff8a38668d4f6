// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/window.hpp"

using namespace sotto;

WindowSpec spec;
Certified<WindowSpec> certified_spec;

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return window(certified, static_cast<std::int32_t>(firmware_answer), coins, firmware_report);
  });
}
