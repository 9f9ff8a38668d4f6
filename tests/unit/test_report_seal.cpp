// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/crypto/report_seal.hpp"

#include <gtest/gtest.h>

#include <set>

#include "seeded_entropy.hpp"
#include "sotto/analyzer/crypto/random.hpp"

namespace sotto::analyzer {
namespace {

template <class Array>
Array drawn(SeededEntropy& entropy) {
  Array out;
  for (auto& b : out) b = entropy.byte();
  return out;
}

TEST(ReportSeal, keys_of_libsodium_are_those_that_devices_are_given) {
  SeededEntropy entropy(31);
  for (int i = 0; i < 50; ++i) {
    const auto master = drawn<MasterKey>(entropy);
    const auto study = drawn<Digest>(entropy);
    const StudyKeys keys(master, study);
    for (const std::uint64_t pseudonym :
         {std::uint64_t{1}, std::uint64_t{entropy.word()} << 32 | entropy.word(), ~std::uint64_t{0}}) {
      ReportKey expected;
      derive_key(master, study, pseudonym, expected);
      ASSERT_EQ(keys.key(pseudonym), expected);
      ASSERT_EQ(keys.key(pseudonym), expected) << "deriving leaves no trace";
    }
  }
}

TEST(ReportSeal, libsodium_opens_what_a_device_seals_and_nothing_else) {
  SeededEntropy entropy(32);
  for (std::size_t payload = 0; payload <= 80; ++payload) {
    auto key = drawn<ReportKey>(entropy);
    const auto study = drawn<Digest>(entropy), round = drawn<Digest>(entropy);
    std::vector<std::uint8_t> report(k_header_bytes + payload + k_tag_bytes), opened(payload, 1);
    for (auto& b : report) b = entropy.byte();
    const std::vector<std::uint8_t> text(report.begin() + k_header_bytes, report.end() - k_tag_bytes);
    ASSERT_EQ(seal_report(key, {study, round}, report), Status::ok);
    ASSERT_TRUE(open_sealed(key, {study, round}, report, opened));
    ASSERT_EQ(opened, text);
    ASSERT_FALSE(open_sealed(key, {round, study}, report, opened));
    ASSERT_EQ(opened, std::vector<std::uint8_t>(payload, 0)) << "a refusal leaves no text";
    std::vector<std::uint8_t> longer(payload + 1);
    ASSERT_FALSE(open_sealed(key, {study, round}, report, longer));
    key[0] ^= 1;
    ASSERT_FALSE(open_sealed(key, {study, round}, report, opened));
  }
}

TEST(ReportSeal, opened_together_is_opened_alone) {
  SeededEntropy entropy(33);
  const auto master = drawn<MasterKey>(entropy);
  const auto study = drawn<Digest>(entropy), round = drawn<Digest>(entropy);
  const StudyKeys keys(master, study);
  const ReportContext context{study, round}, other{round, study};
  for (std::size_t number = 0; number <= 20; ++number) {
    std::vector<std::vector<std::uint8_t>> reports, payloads, alone;
    std::vector<SealedReport> together;
    for (std::size_t i = 0; i < number; ++i) {
      const std::size_t payload = i % 5 == 4 ? 60 + entropy.word() % 10 : entropy.word() % 20;
      std::vector<std::uint8_t> report(k_header_bytes + payload + k_tag_bytes);
      for (auto& b : report) b = entropy.byte();
      const std::uint64_t pseudonym = std::uint64_t{entropy.word()} << 32 | entropy.word();
      ReportKey key;
      derive_key(master, study, pseudonym, key);
      ASSERT_EQ(seal_report(key, context, report), Status::ok);
      if (i % 3 == 1) report[entropy.word() % report.size()] ^= 1;
      reports.push_back(report);
      payloads.emplace_back(payload + (i % 7 == 6 ? 1 : 0), std::uint8_t{1});
      together.push_back({pseudonym, i % 4 == 3 ? &other : &context, {}, {}});
    }
    for (std::size_t i = 0; i < number; ++i) {
      together[i].report = reports[i];
      together[i].payload = payloads[i];
      alone.emplace_back(payloads[i].size());
    }
    keys.open(together);
    for (std::size_t i = 0; i < number; ++i) {
      const SealedReport& one = together[i];
      EXPECT_EQ(one.is_right, open_sealed(keys.key(one.pseudonym), *one.context, one.report, alone[i])) << number << i;
      EXPECT_EQ(payloads[i], alone[i]);
    }
  }
}

TEST(RandomBytes, pseudonyms_are_never_zero_and_not_twice) {
  std::set<std::uint64_t> seen;
  for (int i = 0; i < 10000; ++i) seen.insert(random_pseudonym());
  EXPECT_EQ(seen.size(), 10000u);
  EXPECT_FALSE(seen.contains(0));
}

}  // namespace
}  // namespace sotto::analyzer
