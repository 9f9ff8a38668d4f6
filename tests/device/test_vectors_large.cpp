// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Vectors of instances that need more memory than the smallest board has: D = 1024 .. 4096 axes, M = 4096 codewords.
#include "sotto/randomize/cross_polytope.hpp"
#include "sotto/randomize/sphere_code.hpp"
#include "vector_stem.hpp"
#include "vectors_cross_polytope_large.hpp"
#include "vectors_sphere_code_large.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct CrossPolytope {
  using Spec = CrossPolytopeSpec;
  static constexpr auto& good = vectors::k_cross_polytope_large_good;
  static constexpr auto& cases = vectors::k_cross_polytope_large_cases;
  static constexpr auto& bad = vectors::k_cross_polytope_large_bad;
  static constexpr auto& seeds = vectors::k_cross_polytope_large_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.log2_size = fields[0];
    spec.dimension = fields[1];
    spec.closest = fields[2];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel& label, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    static std::int32_t numbers[4096];
    const std::span<std::int32_t> work{numbers, std::size_t{1} << certified.spec().log2_size};
    const std::span<const Q15> x{vectors::k_cross_polytope_large_inputs + c.input, certified.spec().dimension};
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, cross_polytope(certified, label, x, work, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

struct SphereCode {
  using Spec = SphereCodeSpec;
  static constexpr auto& good = vectors::k_sphere_code_large_good;
  static constexpr auto& cases = vectors::k_sphere_code_large_cases;
  static constexpr auto& bad = vectors::k_sphere_code_large_bad;
  static constexpr auto& seeds = vectors::k_sphere_code_large_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.dimension = fields[0];
    spec.codewords = fields[1];
    spec.closest = fields[2];
    return spec;
  }
  static void underived(Spec& spec) { spec.threshold = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel& label, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    static std::uint16_t scores[4096];
    const std::span<const Q15> x{vectors::k_sphere_code_large_inputs + c.input, certified.spec().dimension};
    std::uint32_t report = ~c.report;
    vectors::expect(Status::ok, sphere_code(certified, label, x, scores, coins, report), row);
    vectors::expect(c.report, report, row);
  }
};

}  // namespace

int main() {
  const int first = vectors::run_stem_tests<CrossPolytope>();
  const int second = vectors::run_stem_tests<SphereCode>();
  return first + second;
}
