// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of hadamard_response: specs, refusals and reports, bit for bit.
#include "sotto/randomize/hadamard_response.hpp"
#include "vector_stem.hpp"
#include "vectors_hadamard_response.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct HadamardResponse {
  using Spec = HadamardResponseSpec;
  static constexpr auto& good = vectors::k_hadamard_response_good;
  static constexpr auto& cases = vectors::k_hadamard_response_cases;
  static constexpr auto& bad = vectors::k_hadamard_response_bad;
  static constexpr auto& seeds = vectors::k_hadamard_response_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.log2_size = fields[0];
    spec.categories = fields[1];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel&, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, hadamard_response(certified, c.input, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<HadamardResponse>(); }
