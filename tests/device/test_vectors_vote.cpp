// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of vote: specs, refusals and reports, bit for bit.
#include "sotto/randomize/vote.hpp"
#include "vector_stem.hpp"
#include "vectors_vote.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct Vote {
  using Spec = VoteSpec;
  static constexpr auto& good = vectors::k_vote_good;
  static constexpr auto& cases = vectors::k_vote_cases;
  static constexpr auto& bad = vectors::k_vote_bad;
  static constexpr auto& seeds = vectors::k_vote_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.features = fields[0];
    spec.oracle = fields[1];
    spec.bits = fields[2];
    return spec;
  }
  static void underived(Spec& spec) { spec.oracle = spec.bits = spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel& label, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, vote(certified, label, c.input, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<Vote>(); }
