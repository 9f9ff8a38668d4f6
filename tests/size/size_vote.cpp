// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/vote.hpp"

using namespace sotto;

VoteSpec spec;
Certified<VoteSpec> certified_spec;

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return vote(certified, firmware_label, firmware_answer, coins, firmware_report);
  });
}
