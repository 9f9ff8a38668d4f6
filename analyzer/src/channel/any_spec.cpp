// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/channel/any_spec.hpp"

#include <bit>
#include <type_traits>

#include "sotto/analyzer/math/gaussian_delivered.hpp"
#include "sotto/certified.hpp"

namespace sotto::analyzer {
namespace {

std::string_view stem_name(const VoteSpec& spec) {
  return spec.oracle == static_cast<std::uint32_t>(VoteOracle::grr) ? "grr" : "walsh_hash";
}
std::string_view stem_name(const HadamardResponseSpec&) { return "hadamard_response"; }
std::string_view stem_name(const BlockSpec&) { return "block"; }
std::string_view stem_name(const WindowSpec&) { return "window"; }
std::string_view stem_name(const LaplaceSpec&) { return "laplace"; }
std::string_view stem_name(const HemisphereSpec&) { return "hemisphere"; }
std::string_view stem_name(const CrossPolytopeSpec&) { return "cross_polytope"; }
std::string_view stem_name(const SphereCodeSpec&) { return "sphere_code"; }
std::string_view stem_name(const GrrSpec&) { return "grr"; }
std::string_view stem_name(const WalshHashSpec&) { return "walsh_hash"; }
std::string_view stem_name(const GaussianSpec&) { return "gaussian"; }

constexpr std::uint32_t k_gaussian_bits = 24;  // of one number

}  // namespace

ChannelFacts facts_of(const AnySpec& any) {
  return std::visit(
      [](const auto& spec) {
        ChannelFacts facts;
        facts.stem = stem_name(spec);
        facts.declared = spec.epsilon;
        spec_digest(spec, facts.digest);
        using Spec = std::decay_t<decltype(spec)>;
        if constexpr (std::is_same_v<Spec, LaplaceSpec>) {
          facts.delivered = spec.epsilon;
          facts.payload_bits = spec.bits;
        } else if constexpr (std::is_same_v<Spec, GaussianSpec>) {
          facts.delivered = delivered_epsilon(spec);
          facts.delta = spec.delta;
          facts.gaussian = spec;
          facts.payload_bits = k_gaussian_bits * spec.dimension;
        } else {
          facts.channel = channel(spec);
          facts.delivered = delivered(spec);
          facts.payload_bits = static_cast<std::uint32_t>(std::bit_width(facts.channel->outcomes - 1));
        }
        return facts;
      },
      any);
}

Status compile_spec(AnySpec& any, EpsilonNano cap) {
  return std::visit(
      [cap](auto& spec) {
        if (const Status s = derive(spec); s != Status::ok) return s;
        Certified<std::decay_t<decltype(spec)>> certified;
        return certify(spec, cap, certified);
      },
      any);
}

}  // namespace sotto::analyzer
