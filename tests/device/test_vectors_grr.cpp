// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of grr: specs, refusals and reports, bit for bit.
#include "sotto/randomize/grr.hpp"
#include "vector_stem.hpp"
#include "vectors_grr.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct Grr {
  using Spec = GrrSpec;
  static constexpr auto& good = vectors::k_grr_good;
  static constexpr auto& cases = vectors::k_grr_cases;
  static constexpr auto& bad = vectors::k_grr_bad;
  static constexpr auto& seeds = vectors::k_grr_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.categories = fields[0];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel&, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, grr(certified, c.input, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<Grr>(); }
