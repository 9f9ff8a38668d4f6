// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "size_image.hpp"
#include "sotto/randomize/gaussian.hpp"

using namespace sotto;

GaussianSpec spec;
Certified<GaussianSpec> certified_spec;
std::int32_t values[64];

int main() {
  return size_image(spec, certified_spec, [](const auto& certified, PrivateCoins& coins) {
    return gaussian(certified, {values, spec.dimension}, coins);
  });
}
