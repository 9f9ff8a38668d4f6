// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of gaussian: specs, refusals and reports, bit for bit.
#include "sotto/randomize/gaussian.hpp"
#include "vector_stem.hpp"
#include "vectors_gaussian.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;
using vectors::StemCase;

struct Gaussian {
  using Spec = GaussianSpec;
  static constexpr auto& good = vectors::k_gaussian_good;
  static constexpr auto& cases = vectors::k_gaussian_cases;
  static constexpr auto& bad = vectors::k_gaussian_bad;
  static constexpr auto& seeds = vectors::k_gaussian_seeds;

  static Spec spec(const std::uint32_t* fields) {
    Spec spec;
    spec.radius = fields[0];
    spec.variance = fields[1];
    spec.dimension = fields[2];
    return spec;
  }
  static void underived(Spec& spec) { spec.variance = 0; }
  static void report(const Certified<Spec>& certified, const CoinLabel&, const StemCase& c, PrivateCoins& coins,
                     const Row& row) {
    std::int32_t values[9] = {};  // the largest dimension of the vectors
    const std::span<std::int32_t> v{values, certified.spec().dimension};
    for (std::size_t j = 0; j < v.size(); ++j) v[j] = vectors::k_gaussian_inputs[c.input + j];
    vectors::expect(Status::ok, gaussian(certified, v, coins), row);
    TEST_ASSERT_EQUAL_INT32_ARRAY_MESSAGE(vectors::k_gaussian_reports + c.report, values, v.size(), row.text());
  }
};

void a_larger_variance_is_accepted_beyond_one_dimension() {
  std::size_t n = 0;
  for (const vectors::StemGood& g : Gaussian::good) {
    GaussianSpec spec = vectors::spec_of<Gaussian>(g);
    ++spec.variance;
    Certified<GaussianSpec> certified;
    const Status want = spec.dimension > 1 ? Status::ok : Status::uncertified_point;
    vectors::expect(want, certify(spec, g.epsilon_nano, certified), Row{n++});
  }
}

}  // namespace

int main() {
  const int stem = vectors::run_stem_tests<Gaussian>();
  UNITY_BEGIN();
  RUN_TEST(a_larger_variance_is_accepted_beyond_one_dimension);
  return stem + UNITY_END();
}
