// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of walsh_hash: specs, refusals and reports, bit for bit.
#include "sotto/randomize/walsh_hash.hpp"
#include "vector_stem.hpp"
#include "vectors_walsh_hash.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct WalshHash {
  using Spec = WalshHashSpec;
  static constexpr auto& good = vectors::k_walsh_hash_good;
  static constexpr auto& cases = vectors::k_walsh_hash_cases;
  static constexpr auto& bad = vectors::k_walsh_hash_bad;
  static constexpr auto& seeds = vectors::k_walsh_hash_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.categories = fields[0];
    spec.bits = fields[1];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel& label, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, walsh_hash(certified, label, c.input, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<WalshHash>(); }
