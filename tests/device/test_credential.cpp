// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The key of a credential and the sealed report, byte for byte, and what does not open.
#include "sotto/credential.hpp"

#include "hex_bytes.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

constexpr auto k_master = hex("000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f");
constexpr auto k_study = hex("6465666768696a6b6c6d6e6f707172737475767778797a7b7c7d7e7f80818283");
constexpr auto k_round = hex("c8c9cacbcccdcecfd0d1d2d3d4d5d6d7d8d9dadbdcdddedfe0e1e2e3e4e5e6e7");
constexpr std::uint64_t k_pseudonym = 0x0102030405060708u;
// Computed with another implementation (Python's hmac, libsodium).
constexpr auto k_key = hex("9efbbf54193a30bf10dbbf635288a14c20cc1db6ccfb80e684e59ff0cf41e65b");
constexpr auto k_sealed = hex("1101030064656667080706050403020113f5ffc2e9026cfe749f6d9bceb2bc3e5622");

using Report = std::array<std::uint8_t, k_header_bytes + 2 + k_tag_bytes>;

Report plain_report() {
  constexpr auto k_begin = hex("110103006465666708070605040302012a05");
  Report report{};
  for (std::size_t i = 0; i < k_begin.size(); ++i) report[i] = k_begin[i];
  return report;
}

void expect_status(Status expected, Status got) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(got));
}

void the_key_has_its_reference_bytes_and_depends_on_every_part() {
  ReportKey key{}, other{};
  derive_key(k_master, k_study, k_pseudonym, key);
  TEST_ASSERT_EQUAL_HEX8_ARRAY(k_key.data(), key.data(), key.size());
  derive_key(k_study, k_study, k_pseudonym, other);
  TEST_ASSERT_TRUE(other != key);
  derive_key(k_master, k_round, k_pseudonym, other);
  TEST_ASSERT_TRUE(other != key);
  derive_key(k_master, k_study, k_pseudonym + (std::uint64_t{1} << 63), other);
  TEST_ASSERT_TRUE(other != key);
}

void a_vote_is_sealed_to_its_reference_bytes_and_opened_again() {
  Report report = plain_report();
  expect_status(Status::ok, seal_report(k_key, {k_study, k_round}, report));
  TEST_ASSERT_EQUAL_HEX8_ARRAY(k_sealed.data(), report.data(), report.size());
  TEST_ASSERT_TRUE(open_report(k_key, {k_study, k_round}, report));
  TEST_ASSERT_EQUAL_HEX8_ARRAY(plain_report().data(), report.data(), report.size() - k_tag_bytes);
}

void another_key_study_or_round_does_not_open() {
  Report report = k_sealed;
  TEST_ASSERT_FALSE(open_report(k_master, {k_study, k_round}, report));
  TEST_ASSERT_FALSE(open_report(k_key, {k_round, k_round}, report));
  TEST_ASSERT_FALSE(open_report(k_key, {k_study, k_study}, report));
  TEST_ASSERT_EQUAL_HEX8_ARRAY(k_sealed.data(), report.data(), report.size());
}

void every_flipped_bit_and_every_missing_byte_is_noticed() {
  for (std::size_t bit = 0; bit < 8 * k_sealed.size(); ++bit) {
    Report report = k_sealed;
    report[bit / 8] ^= static_cast<std::uint8_t>(1u << (bit % 8));
    TEST_ASSERT_FALSE(open_report(k_key, {k_study, k_round}, report));
  }
  for (std::size_t size = 0; size < k_sealed.size(); ++size) {
    Report report = k_sealed;
    TEST_ASSERT_FALSE(open_report(k_key, {k_study, k_round}, std::span(report).first(size)));
  }
}

void a_span_without_room_for_the_tag_is_refused_untouched() {
  Report report = plain_report();
  const Report before = report;
  for (std::size_t size = 0; size < k_header_bytes + k_tag_bytes; ++size) {
    expect_status(Status::short_buffer, seal_report(k_key, {k_study, k_round}, std::span(report).first(size)));
  }
  TEST_ASSERT_EQUAL_HEX8_ARRAY(before.data(), report.data(), report.size());
}

void an_empty_payload_is_sealed() {
  std::array<std::uint8_t, k_header_bytes + k_tag_bytes> report{};
  expect_status(Status::ok, seal_report(k_key, {k_study, k_round}, report));
  TEST_ASSERT_TRUE(open_report(k_key, {k_study, k_round}, report));
}

struct Platform {
  int calls = 0;
  bool works = true;
  static bool seal(void* self, const AeadText* text) {
    auto& platform = *static_cast<Platform*>(self);
    ++platform.calls;
    if (platform.works) aead_seal(*text);
    return platform.works;
  }
};

void a_platforms_hook_is_used_and_its_failure_is_a_refusal() {
  Platform platform;
  Report report = plain_report();
  expect_status(Status::ok, seal_report(k_key, {k_study, k_round}, report, {&platform, Platform::seal}));
  TEST_ASSERT_EQUAL_HEX8_ARRAY(k_sealed.data(), report.data(), report.size());
  platform.works = false;
  report = plain_report();
  expect_status(Status::seal_fault, seal_report(k_key, {k_study, k_round}, report, {&platform, Platform::seal}));
  TEST_ASSERT_EQUAL_INT(2, platform.calls);
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(the_key_has_its_reference_bytes_and_depends_on_every_part);
  RUN_TEST(a_vote_is_sealed_to_its_reference_bytes_and_opened_again);
  RUN_TEST(another_key_study_or_round_does_not_open);
  RUN_TEST(every_flipped_bit_and_every_missing_byte_is_noticed);
  RUN_TEST(a_span_without_room_for_the_tag_is_refused_untouched);
  RUN_TEST(an_empty_payload_is_sealed);
  RUN_TEST(a_platforms_hook_is_used_and_its_failure_is_a_refusal);
  return UNITY_END();
}
