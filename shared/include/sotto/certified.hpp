// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The check that a randomizer's parameters must pass before they are used: only certify() can make a Certified<Spec>,
/// and it verifies in integers that the parameters spend at most the stated epsilon.

#include "sotto/status.hpp"
#include "sotto/two_level.hpp"
#include "sotto/units.hpp"

namespace sotto {

/// A spec that passed its check under this device's cap on epsilon. Only certify() makes one, so a randomizer that
/// takes a Certified<Spec> cannot be called with unverified integers. A default-constructed one is refused as
/// `uncertified`.
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

/// Checks a spec in integers, and its epsilon against the device's cap. There is no default cap: the firmware states
/// one.
/// Refuses  bad_dimension, bad_channel (parameter ranges, checked first), bad_epsilon, over_cap, overspent (the
///          channel), uncertified_point (Gaussian).
template <class Spec>
Status check(const Spec& spec, EpsilonNano cap) noexcept {
  if (const Status s = check_parameters(spec); s != Status::ok) return s;
  if (const Status s = check_epsilon(spec.epsilon, cap); s != Status::ok) return s;
  return check_channel(spec);
}

/// Checks a spec and stores it in `out`, which is unchanged if the spec is refused.
/// Refuses  what check() refuses.
template <class Spec>
Status certify(const Spec& spec, EpsilonNano cap, Certified<Spec>& out) noexcept {
  if (const Status s = check(spec, cap); s != Status::ok) return s;
  out.spec_ = spec;
  out.valid_ = true;
  return Status::ok;
}

}  // namespace sotto
