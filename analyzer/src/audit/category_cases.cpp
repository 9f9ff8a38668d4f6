// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "case_parts.hpp"
#include "sotto/randomize/block.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/randomize/walsh_hash.hpp"

// Audit cases of the randomizers of categories and signs.
namespace sotto::analyzer::audit {

namespace {

/// The first pseudonym whose public hash separates the two categories.
CoinLabel label_that_separates(const WalshHashSpec& spec, std::uint32_t x, std::uint32_t other) {
  CoinLabel label = audit_label(1);
  while (walsh_hash_of(spec, label, x) == walsh_hash_of(spec, label, other)) ++label.pseudonym;
  return label;
}

AuditCase grr_case(EpsilonNano epsilon) {
  const auto spec = certified_spec(GrrSpec{epsilon, 4, 0});
  if (!spec.valid()) return refused_case("grr", epsilon);
  return two_level_case(
      "grr", "categories 4", spec, {2}, tabled_runs_aggregated(epsilon),
      [spec](bool first, PrivateCoins& coins, std::uint32_t& y) { return grr(spec, first ? 2 : 3, coins, y); });
}

AuditCase walsh_hash_case(EpsilonNano epsilon) {
  const auto spec = certified_spec(WalshHashSpec{epsilon, 1000, 2, 0});
  if (!spec.valid()) return refused_case("walsh_hash", epsilon);
  constexpr std::uint32_t k_x = 700, k_other = 13;
  const CoinLabel label = label_that_separates(spec.spec(), k_x, k_other);
  return two_level_case("walsh_hash", "categories 1000, bits 2", spec, {walsh_hash_of(spec.spec(), label, k_x)},
                        tabled_runs_aggregated(epsilon),
                        [spec, label](bool first, PrivateCoins& coins, std::uint32_t& y) {
                          return walsh_hash(spec, label, first ? k_x : k_other, coins, y);
                        });
}

AuditCase vote_case(EpsilonNano epsilon) {
  constexpr std::uint32_t k_features = 40, k_x = 7;  // compared with "none", which is category 40
  const auto spec = certified_spec(VoteSpec{epsilon, k_features, 0, 0, 0});
  if (!spec.valid()) return refused_case("vote", epsilon);
  const bool hashed = spec.spec().bits != 0;
  const WalshHashSpec hash = as_walsh_hash(spec.spec());
  const CoinLabel label = hashed ? label_that_separates(hash, k_x, k_features) : audit_label(1);
  return two_level_case("vote", fmt::format("features {}, {} bits of hash", k_features, spec.spec().bits), spec,
                        {hashed ? walsh_hash_of(hash, label, k_x) : k_x}, 3 * tabled_runs_aggregated(epsilon),
                        [spec, label](bool first, PrivateCoins& coins, std::uint32_t& y) {
                          return vote(spec, label, first ? k_x : k_features, coins, y);
                        });
}

AuditCase hadamard_response_case(EpsilonNano epsilon) {
  const auto spec = certified_spec(HadamardResponseSpec{epsilon, 5, 31, 0});
  if (!spec.valid()) return refused_case("hadamard_response", epsilon);
  const auto inside = [&spec](std::uint32_t x) {
    return inside_outcomes(channel(spec.spec()),
                           [&](const TwoLevelDraw& draw) { return hadamard_response_report(spec.spec(), x, draw); });
  };
  return two_level_case("hadamard_response", "log2_size 5, categories 31", spec, without(inside(4), inside(19)),
                        tabled_runs_aggregated(epsilon), [spec](bool first, PrivateCoins& coins, std::uint32_t& y) {
                          return hadamard_response(spec, first ? 4 : 19, coins, y);
                        });
}

AuditCase block_case(EpsilonNano epsilon) {
  const auto spec = certified_spec(BlockSpec{epsilon, 10, 3, 0});
  if (!spec.valid()) return refused_case("block", epsilon);
  constexpr std::uint32_t k_x = 0x155, k_other = 0x2aa;  // the two inputs differ in every sign
  return two_level_case("block", "width 10, flips 3", spec,
                        inside_outcomes(channel(spec.spec()),
                                        [&](const TwoLevelDraw& draw) { return block_report(spec.spec(), k_x, draw); }),
                        tabled_runs_aggregated(epsilon), [spec](bool first, PrivateCoins& coins, std::uint32_t& y) {
                          return block(spec, first ? k_x : k_other, coins, y);
                        });
}

}  // namespace

std::vector<AuditCase> category_cases(EpsilonNano epsilon) {
  return {grr_case(epsilon), walsh_hash_case(epsilon), vote_case(epsilon), hadamard_response_case(epsilon),
          block_case(epsilon)};
}

}  // namespace sotto::analyzer::audit
