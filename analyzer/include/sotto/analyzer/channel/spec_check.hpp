// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Checks the parameters of a randomizer as a device does, and describes a refusal to the analyst.

#include <string>
#include <string_view>

#include "sotto/analyzer/result.hpp"
#include "sotto/certified.hpp"
#include "sotto/spec/two_level_spec.hpp"

namespace sotto::analyzer {

[[nodiscard]] std::string_view stem_name(Stem stem) noexcept;

/// The error for a spec that its own integer check refused, with what to change. The code is "spec." and the name of
/// the Status.
[[nodiscard]] Error spec_error(Status status, Stem stem, std::string value);
/// The error for a channel whose report does not depend on the answer: legal on a device, but there is nothing to
/// estimate.
[[nodiscard]] Error no_information(Stem stem, std::string value);

/// Epsilon and the spec's fields as they are encoded: "epsilon 1000000000 nano-nats, fields 16 1 3139872686".
[[nodiscard]] std::string spec_text(EpsilonNano epsilon, std::span<const std::uint8_t> fields);

template <class Spec>
[[nodiscard]] std::string spec_text(const Spec& spec) {
  std::uint8_t bytes[k_spec_bytes_max];
  ByteWriter w{bytes};
  encode_fields(spec, w);
  return spec_text(spec.epsilon, w.written());
}

/// The device's own check, without a cap: an estimator checks a spec as strictly as a device does.
/// Refuses  what certify() refuses; spec.no_information: the two probabilities of a channel are equal.
template <class Spec>
Result<Done> check_spec(const Spec& spec) {
  Certified<Spec> certified;
  if (const Status s = certify(spec, k_epsilon_max, certified); s != Status::ok) {
    return spec_error(s, Spec::k_stem, spec_text(spec));
  }
  if constexpr (TwoLevelSpec<Spec>) {
    const TwoLevel c = channel(spec);
    const std::uint64_t inside = std::uint64_t{c.threshold} * (c.outcomes - c.inside);
    const std::uint64_t outside = ((std::uint64_t{1} << 32) - c.threshold) * c.inside;
    if (inside == outside) return no_information(Spec::k_stem, spec_text(spec));
  }
  return Done{};
}

template <class Spec>
[[nodiscard]] Digest digest_of(const Spec& spec) {
  Digest d{};
  spec_digest(spec, d);
  return d;
}

}  // namespace sotto::analyzer
