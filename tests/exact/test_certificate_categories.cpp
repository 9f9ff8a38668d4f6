// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "certificate.hpp"
#include "sotto/randomize/grr.hpp"
#include "sotto/randomize/hadamard_response.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/randomize/walsh_hash.hpp"

namespace sotto::exact {
namespace {

// Each table is made by the compiled randomizer: every coin side, every rank, every category and two values outside the domain.

TEST(GrrCertificate, holds_for_every_epsilon_and_domain) {
  for (const EpsilonNano epsilon : k_epsilons) {
    for (const std::uint32_t categories : {2u, 3u, 5u, 16u, 63u}) {
      const auto spec = certified(GrrSpec{epsilon, categories, 0});
      std::vector<Mixture> inputs;
      for (std::uint32_t x = 0; x < categories + 2; ++x) {
        inputs.push_back({enumerate_compiled(channel(spec.spec()), [&](PrivateCoins& coins) {
          std::uint32_t y = ~0u;
          EXPECT_EQ(grr(spec, x, coins, y), Status::ok);
          return y;
        })});
      }
      EXPECT_EQ(inputs[categories][0].inside, inputs[0][0].inside) << "outside the domain: answered as category 0";
      expect_certificate_and_mutations(spec.spec(), inputs);
    }
  }
}

TEST(WalshHashCertificate, holds_for_every_epsilon_and_number_of_bits) {
  for (const EpsilonNano epsilon : k_epsilons) {
    for (const std::uint32_t bits : {1u, 2u, 3u, 6u}) {
      const auto spec = certified(WalshHashSpec{epsilon, 100, bits, 0});
      std::vector<Mixture> inputs;
      for (std::uint32_t x = 0; x < 102; ++x) {
        const CoinLabel label{k_study_seed.data(), 41, 3};
        inputs.push_back({enumerate_compiled(channel(spec.spec()), [&](PrivateCoins& coins) {
          std::uint32_t y = ~0u;
          EXPECT_EQ(walsh_hash(spec, label, x, coins, y), Status::ok);
          return y;
        })});
      }
      expect_certificate_and_mutations(spec.spec(), inputs);
    }
  }
}

TEST(VoteCertificate, holds_for_both_oracles_and_for_none) {
  std::uint32_t oracles_seen = 0;
  for (const EpsilonNano epsilon : k_epsilons) {
    for (const std::uint32_t features : {2u, 9u, 40u}) {
      const auto spec = certified(VoteSpec{epsilon, features, 0, 0, 0});
      oracles_seen |= spec.spec().oracle;
      std::vector<Mixture> inputs;
      for (std::uint32_t x = 0; x < features + 2;
           ++x) {  // category `features` is none, features + 1 is outside the domain
        const CoinLabel label{k_study_seed.data(), 42, 1};
        inputs.push_back({enumerate_compiled(channel(spec.spec()), [&](PrivateCoins& coins) {
          std::uint32_t y = ~0u;
          EXPECT_EQ(vote(spec, label, x, coins, y), Status::ok);
          return y;
        })});
      }
      EXPECT_EQ(inputs[features + 1][0].inside, inputs[features][0].inside) << "outside the domain: answered as none";
      expect_certificate_and_mutations(spec.spec(), inputs);
    }
  }
  EXPECT_EQ(oracles_seen, 3u) << "grr (1) and walsh_hash (2) were both chosen somewhere";
}

TEST(HadamardResponseCertificate, holds_for_every_epsilon_and_size) {
  for (const EpsilonNano epsilon : k_epsilons) {
    for (const std::uint32_t log2_size : {2u, 4u, 6u}) {
      const std::uint32_t categories = (1u << log2_size) - 1;
      const auto spec = certified(HadamardResponseSpec{epsilon, log2_size, categories, 0});
      std::vector<Mixture> inputs;
      for (std::uint32_t x = 0; x < categories + 1; ++x) {
        inputs.push_back({enumerate_compiled(channel(spec.spec()), [&](PrivateCoins& coins) {
          std::uint32_t y = ~0u;
          EXPECT_EQ(hadamard_response(spec, x, coins, y), Status::ok);
          return y;
        })});
      }
      expect_certificate_and_mutations(spec.spec(), inputs);
    }
  }
}

}  // namespace
}  // namespace sotto::exact
