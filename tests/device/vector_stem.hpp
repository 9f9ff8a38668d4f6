// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>

#include "seeded_entropy.hpp"
#include "sotto/certified.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/spec/two_level_spec.hpp"
#include "vector_row.hpp"
#include "vectors/vector_types.hpp"

/// The same sentences for every stem. A stem's test gives an adapter `S` with
///   Spec                                            the stem's spec
///   good, cases, bad, seeds                         its vectors
///   spec(fields)                                    the parameters, without epsilon, delta and threshold
///   underived(spec)                                 clears what derive() must find
///   report(certified, label, case, coins, row)      one report, compared with the case's
namespace sotto::vectors {

template <class S, class Vector>
typename S::Spec spec_of(const Vector& v) {
  auto spec = S::spec(v.fields);
  spec.epsilon = v.epsilon_nano;
  if constexpr (requires { spec.threshold; }) spec.threshold = v.threshold;
  if constexpr (requires { spec.delta; }) spec.delta = v.delta;
  return spec;
}

template <class S>
Digest digest_of(const typename S::Spec& spec) {
  Digest digest{};
  spec_digest(spec, digest);
  return digest;
}

/// The digest covers every field, so equal digests are equal specs.
template <class S>
void derived_specs_are_the_references() {
  std::size_t n = 0;
  for (const StemGood& g : S::good) {
    const Row row{n++};
    auto spec = spec_of<S>(g);
    S::underived(spec);
    expect(Status::ok, derive(spec), row);
    const Digest digest = digest_of<S>(spec);
    TEST_ASSERT_EQUAL_HEX8_ARRAY_MESSAGE(g.digest.data(), digest.data(), digest.size(), row.text());
    if constexpr (TwoLevelSpec<typename S::Spec>) {
      expect(g.threshold, spec.threshold, row);
      expect64(g.delivered_nano, delivered(spec), row);
    }
  }
}

template <class S>
void good_specs_are_certified_up_to_the_cap() {
  std::size_t n = 0;
  for (const StemGood& g : S::good) {
    const Row row{n++};
    Certified<typename S::Spec> certified;
    expect(Status::over_cap, certify(spec_of<S>(g), g.epsilon_nano - 1, certified), row);
    TEST_ASSERT_FALSE_MESSAGE(certified.valid(), row.text());
    expect(Status::ok, certify(spec_of<S>(g), g.epsilon_nano, certified), row);
    TEST_ASSERT_TRUE_MESSAGE(certified.valid(), row.text());
  }
}

template <class S>
void bad_specs_are_refused_by_name() {
  std::size_t n = 0;
  for (const StemBad& b : S::bad) {
    const Row row{n++};
    Certified<typename S::Spec> certified;
    expect(b.status, certify(spec_of<S>(b), b.cap_nano, certified), row);
    TEST_ASSERT_FALSE_MESSAGE(certified.valid(), row.text());
  }
}

template <class S>
void reports_are_the_references() {
  for (const StemGood& g : S::good) {
    Certified<typename S::Spec> certified;
    expect(Status::ok, certify(spec_of<S>(g), g.epsilon_nano, certified), Row{g.first_case});
    for (std::uint32_t i = g.first_case; i < g.first_case + g.cases; ++i) {
      const Row row{i};
      const StemCase& c = S::cases[i];
      ScriptedEntropy entropy{S::seeds + 32 * c.entropy, 32};
      PrivateCoins coins;
      expect(Status::ok, coins.begin_report(entropy.source()), row);
      const CoinLabel label{S::seeds + 32 * c.study, c.pseudonym, c.round};
      S::report(certified, label, c, coins, row);
      expect(c.next_word, coins.word(), row);
    }
  }
}

template <class S>
int run_stem_tests() {
  UNITY_BEGIN();
  RUN_TEST(derived_specs_are_the_references<S>);
  RUN_TEST(good_specs_are_certified_up_to_the_cap<S>);
  RUN_TEST(bad_specs_are_refused_by_name<S>);
  RUN_TEST(reports_are_the_references<S>);
  return UNITY_END();
}

}  // namespace sotto::vectors
