// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/pick.hpp"

#include <cstddef>

#include "sotto/fixed.hpp"
#include "sotto/wide.hpp"

namespace sotto {

namespace {

[[nodiscard]] std::uint32_t share(Pick how, std::int32_t beta) noexcept {
  const std::uint32_t size = magnitude(beta);
  return how == Pick::uniform && size != 0 ? 1u : size;
}

}  // namespace

std::uint32_t pick_by(Pick how, const std::span<const std::uint16_t>& column,
                      const std::span<const std::int32_t>& beta_q24, std::uint32_t none, std::uint64_t draw) noexcept {
  const std::size_t count = column.size() < beta_q24.size() ? column.size() : beta_q24.size();
  std::uint64_t sum = 0;  // at most 2^16 shares of 2^31
  std::uint32_t most = 0, strongest = none, drawn = none;
  for (std::size_t i = 0; i < count; ++i) sum += share(how, beta_q24[i]);
  // floor(draw*sum / 2^64), computed from its ceiling, because multiply_high_ceil() is linked anyway.
  std::uint64_t left = multiply_high_ceil(draw, sum) - (draw * sum != 0 ? 1u : 0u);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint32_t s = share(how, beta_q24[i]);
    if (s > most) strongest = column[i];
    most = s > most ? s : most;
    if (left < s) drawn = column[i];
    left -= s;  // negative behind the drawn one: modulo 2^64 it exceeds every other share
  }
  return how == Pick::strongest ? strongest : drawn;
}

Status pick(Pick how, const std::span<const std::uint16_t>& column, const std::span<const std::int32_t>& beta_q24,
            std::uint32_t none, PrivateCoins& coins, std::uint32_t& feature) noexcept {
  std::uint64_t draw = 0;
  if (how != Pick::strongest) {
    if (const Status s = coins.ready(); s != Status::ok) return s;
    draw = std::uint64_t{coins.word()} << 32;  // before any coefficient is read
    draw |= coins.word();
  }
  feature = pick_by(how, column, beta_q24, none, draw);
  return Status::ok;
}

}  // namespace sotto
