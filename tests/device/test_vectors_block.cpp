// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of block: specs, refusals and reports, bit for bit.
#include "sotto/randomize/block.hpp"
#include "vector_stem.hpp"
#include "vectors_block.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct Block {
  using Spec = BlockSpec;
  static constexpr auto& good = vectors::k_block_good;
  static constexpr auto& cases = vectors::k_block_cases;
  static constexpr auto& bad = vectors::k_block_bad;
  static constexpr auto& seeds = vectors::k_block_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.width = fields[0];
    spec.flips = fields[1];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel&, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, block(certified, c.input, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<Block>(); }
