// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of window: specs, refusals and reports, bit for bit.
#include "sotto/randomize/window.hpp"
#include "vector_stem.hpp"
#include "vectors_window.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct Window {
  using Spec = WindowSpec;
  static constexpr auto& good = vectors::k_window_good;
  static constexpr auto& cases = vectors::k_window_cases;
  static constexpr auto& bad = vectors::k_window_bad;
  static constexpr auto& seeds = vectors::k_window_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.outcomes = fields[0];
    spec.width = fields[1];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel&, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, window(certified, static_cast<std::int32_t>(c.input), coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() { return sotto::vectors::run_stem_tests<Window>(); }
