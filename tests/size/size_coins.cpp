// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"

using namespace sotto;

// What every randomizer shares: start-up code and the private coins, ChaCha included.
int main() {
  PrivateCoins coins;
  if (coins.begin_report(firmware_entropy) != Status::ok) return 2;
  firmware_report = coins.word();
  return 0;
}
