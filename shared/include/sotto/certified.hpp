// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/status.hpp"
#include "sotto/two_level.hpp"
#include "sotto/units.hpp"

namespace sotto {

/// A spec that passed its check under this device's cap. Only certify() makes one, so that a randomizer that asks for a
/// Certified<Spec> cannot be handed integers that nobody verified. An empty one is refused as `uncertified`.
template <class Spec>
class Certified {
 public:
  constexpr Certified() noexcept = default;
  [[nodiscard]] constexpr bool valid() const noexcept { return valid_; }
  [[nodiscard]] constexpr const Spec& spec() const noexcept { return spec_; }

 private:
  template <class S>
  friend Status certify(const S&, EpsilonNano, Certified<S>&) noexcept;
  Spec spec_{};
  bool valid_ = false;
};

/// Checks a spec in integers and under the device's cap on epsilon. There is no default cap: firmware states one.
/// Refuses  what check(spec) refuses (parameter ranges first, then epsilon, then the channel), and over_cap.
template <class Spec>
Status check(const Spec& spec, EpsilonNano cap) noexcept {
  if (const Status s = check_parameters(spec); s != Status::ok) return s;
  if (const Status s = check_epsilon(spec.epsilon, cap); s != Status::ok) return s;
  return check_channel(spec);
}

/// `out` keeps what it held when the spec is refused: test the status.
/// Refuses  what check() refuses.
template <class Spec>
Status certify(const Spec& spec, EpsilonNano cap, Certified<Spec>& out) noexcept {
  if (const Status s = check(spec, cap); s != Status::ok) return s;
  out.spec_ = spec;
  out.valid_ = true;
  return Status::ok;
}

}  // namespace sotto
