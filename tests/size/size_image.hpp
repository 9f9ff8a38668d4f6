// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/public_coins.hpp"

// The firmware's side of a size image, the same in all of them and in the base, so that it is not counted. Everything is a
// variable that another file could set: the compiler folds no spec and no answer away.
namespace sotto {

inline EpsilonNano firmware_cap{};
inline CoinLabel firmware_label{};
inline std::uint32_t firmware_answer{};
inline std::uint32_t firmware_report{};
inline EntropySource firmware_entropy{};

/// One report as a firmware makes it: certify, begin, and `randomize(certified, coins)`; or all of that but the last.
template <class Spec, class Randomize>
int size_image(const Spec& spec, Certified<Spec>& certified, Randomize randomize) noexcept {
  if (certify(spec, firmware_cap, certified) != Status::ok) return 1;
  PrivateCoins coins;
  if (coins.begin_report(firmware_entropy) != Status::ok) return 2;
#ifdef SOTTO_SIZE_CHECK_ONLY
  static_cast<void>(randomize);
  firmware_report = coins.word();
  return 0;
#else
  return randomize(certified, coins) == Status::ok ? 0 : 3;
#endif
}

}  // namespace sotto
