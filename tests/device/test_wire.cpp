// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Manifest, round and report header: what is decoded, and that everything else is refused by name.
#include <initializer_list>
#include <span>

#include "sotto/wire/report.hpp"
#include "study_bytes.h"
#include "study_kit.hpp"
#include "unity.h"

extern "C" {
void setUp() {}
void tearDown() {}
}

using namespace sotto;

namespace {

std::uint8_t bytes[1200];

void expect(Status expected, Status found) {
  TEST_ASSERT_EQUAL_UINT8(static_cast<std::uint8_t>(expected), static_cast<std::uint8_t>(found));
}
std::span<std::uint8_t> copied(std::span<const std::uint8_t> from) {
  for (std::size_t i = 0; i < from.size(); ++i) bytes[i] = from[i];
  return std::span{bytes}.first(from.size());
}

/// One field at a time becomes `value`; the decoder must give `expected`.
struct BadByte {
  std::uint16_t at;
  std::uint8_t value;
  Status expected;
};

template <class Decode>
void expect_refusals(std::span<const std::uint8_t> good, std::span<const BadByte> cases, Decode decode) {
  expect(Status::ok, decode(copied(good)));
  for (const BadByte& bad : cases) {
    const auto b = copied(good);
    b[bad.at] = bad.value;
    expect(bad.expected, decode(b));
  }
  for (std::size_t size = 0; size < good.size(); ++size) expect(Status::truncated, decode(copied(good.first(size))));
  // A signature has a length of 1 to 96 and exactly so many bytes.
  const auto with = [&](std::initializer_list<std::uint8_t> tail) {
    (void)copied(good);
    std::size_t size = good.size();
    for (const std::uint8_t b : tail) bytes[size++] = b;
    return decode(std::span{bytes}.first(size));
  };
  expect(Status::ok, with({1, 9}));
  expect(Status::ok, with({3, 9, 9, 9}));
  expect(Status::trailing_bytes, with({0}));
  expect(Status::trailing_bytes, with({97}));
  expect(Status::trailing_bytes, with({1, 9, 9}));
  expect(Status::truncated, with({2, 9}));
}

Status manifest_status(std::span<const std::uint8_t> b) {
  Manifest m;
  return decode_manifest(b, m);
}
Status round_status(std::span<const std::uint8_t> b) {
  Round r;
  return decode_round(b, r);
}

void test_a_manifest_comes_back_as_it_was_written() {
  VoteStudy study{8};
  TEST_ASSERT_EQUAL_UINT8_ARRAY(study_manifest, study.manifest_bytes().data(), sizeof study_manifest);
  Manifest m;
  expect(Status::ok, decode_manifest(study.manifest_bytes(), m));
  TEST_ASSERT_TRUE(m.authenticated && m.one_scale && m.unit == PrivacyUnit::installation);
  TEST_ASSERT_TRUE(m.features == 8 && m.nominal_rows == 20 && m.answers == 1 && m.unit_q15 == 8192 && m.cohorts == 1);
  TEST_ASSERT_TRUE(m.epsilon == 2 * k_epsilon_one && m.delta == 0);
  TEST_ASSERT_TRUE(may_ask(m, QuestionKind::vote) && !may_ask(m, QuestionKind::label));
  TEST_ASSERT_EQUAL_UINT8_ARRAY(study.seed, m.seed, 32);
  TEST_ASSERT_EQUAL_UINT8_ARRAY(study.collector, m.collector, 16);
  TEST_ASSERT_TRUE(manifest_digest(m) == study.digest);
  TEST_ASSERT_TRUE(manifest_scale(m, 3).multiplier == 1 && manifest_scale(m, 8).shift == 0);
}

void test_every_bad_manifest_is_refused_by_name() {
  VoteStudy study{8};
  constexpr BadByte k_cases[] = {
      {0, 'X', Status::bad_magic}, {4, 2, Status::unsupported_version}, {5, 12, Status::bad_field},
      {6, 3, Status::bad_field},   {7, 0, Status::bad_field},           {7, 65, Status::bad_field},
      {8, 0, Status::bad_field},   {10, 0, Status::bad_field},          {11, 5, Status::bad_field},
      {12, 0, Status::bad_field},  {15, 0x81, Status::bad_field},       {23, 1, Status::bad_field},
      {32, 0, Status::bad_field},  {32, 1, Status::bad_field},          {33, 32, Status::bad_field},
      {34, 1, Status::bad_field},  {84, 0, Status::bad_field},          {93, 0x21, Status::bad_field},
      {98, 62, Status::bad_field}, {5, 1, Status::truncated},
  };
  expect_refusals(study.manifest_bytes(), k_cases, manifest_status);
}

void test_a_round_comes_back_as_it_was_written() {
  VoteStudy study{8};
  TEST_ASSERT_EQUAL_UINT8_ARRAY(study_round, study.round_bytes().data(), sizeof study_round);
  const std::uint8_t model[] = {3, 0, 1, 0, 0, 0, 7, 1, 0xff, 0xff, 0xff, 0xff},
                     pairs[] = {1, 0, 0, 0, 0xfe, 0xff, 0xff, 0xff};
  study.round.model_size = 2;
  study.round.model = model;
  study.round.pair_count = 1;
  study.round.pairs = pairs;
  study.round.parameter.at_place[5] = 0xdeadbeef;
  Round r;
  expect(Status::ok, decode_round(study.round_bytes(), r));
  TEST_ASSERT_TRUE(r.question == QuestionKind::vote && r.number == 1 && r.cohort == k_every_cohort);
  TEST_ASSERT_TRUE(r.recipe == Recipe::given && r.stem == Stem::vote && r.link == 0);
  TEST_ASSERT_TRUE(r.spec[0] == 8 && r.spec[3] == study.round.spec[3] && r.parameter.at_place[5] == 0xdeadbeef);
  TEST_ASSERT_TRUE(model_entry(r, 0).feature == 3 && model_entry(r, 0).value_q24 == 1);
  TEST_ASSERT_TRUE(model_entry(r, 1).feature == 263 && model_entry(r, 1).value_q24 == -1);
  TEST_ASSERT_TRUE(number_pair(r, 0).first == 1 && number_pair(r, 0).second == -2);
}

void test_every_bad_round_is_refused_by_name() {
  VoteStudy study{8};
  const std::uint8_t model[] = {3, 0, 1, 0, 0, 0, 7, 0, 9, 0, 0, 0};
  study.round.model_size = 2;
  study.round.model = model;
  constexpr BadByte k_cases[] = {
      {3, 'M', Status::bad_magic},  {4, 0, Status::unsupported_version}, {5, 0, Status::bad_field},
      {5, 13, Status::bad_field},   {6, 0, Status::bad_field},           {40, 64, Status::bad_field},
      {41, 200, Status::bad_field}, {42, 0, Status::bad_field},          {42, 12, Status::bad_field},
      {43, 3, Status::bad_field},   {84, 3, Status::truncated},          {85, 1, Status::truncated},
      {86, 1, Status::truncated},   {86, 2, Status::bad_field},          {87, 1, Status::bad_field},
      {94, 3, Status::bad_field},   {94, 2, Status::bad_field},
  };
  expect_refusals(study.round_bytes(), k_cases, round_status);
  for (std::size_t i = 0; i < sizeof bytes; ++i) bytes[i] = i < 88 ? bytes[i] : 0;
  expect(Status::too_large, round_status(std::span{bytes}.first(k_round_max_bytes + 1)));
}

void test_report_headers() {
  const ReportHeader header{QuestionKind::update, true, 513, 0x04030201, 0x1817161514131211};
  std::uint8_t report[40] = {};
  encode_header(header, std::span{report}.first<k_header_bytes>());
  constexpr std::uint8_t k_expected[16] = {0x1a, 1, 1, 2, 1, 2, 3, 4, 0x11, 0x12, 0x13, 0x14, 0x15, 0x16, 0x17, 0x18};
  TEST_ASSERT_EQUAL_UINT8_ARRAY(k_expected, report, 16);
  ReportHeader back;
  expect(Status::ok, decode_header(std::span{report}.first(33), back));
  TEST_ASSERT_TRUE(back.question == header.question && back.authenticated && back.round == 513 &&
                   back.pseudonym == header.pseudonym && back.study_prefix == header.study_prefix);
  for (std::size_t size = 0; size < 33; ++size)
    expect(Status::truncated, decode_header(std::span{report}.first(size), back));
  constexpr BadByte k_cases[] = {{0, 0x2a, Status::unsupported_version},
                                 {0, 0x10, Status::bad_field},
                                 {0, 0x1d, Status::bad_field},
                                 {1, 2, Status::bad_field}};
  for (const BadByte& bad : k_cases) {
    const std::uint8_t kept = report[bad.at];
    report[bad.at] = bad.value;
    expect(bad.expected, decode_header(report, back));
    report[bad.at] = kept;
  }
  report[2] = report[3] = 0;
  expect(Status::bad_field, decode_header(report, back));
  report[2] = 1;
  for (int i = 8; i < 16; ++i) report[i] = 0;
  expect(Status::bad_field, decode_header(report, back));
  expect(Status::too_large, decode_header(std::span{bytes}.first(k_report_bytes_max + 1), back));
}

// Weights 1 : 0 : 3. Nobody is in a cohort of weight zero; the shares are those of the weights (4,000 pseudonyms, alpha 10^-6).
void test_cohorts_follow_their_weights() {
  VoteStudy study{8};
  study.manifest.cohorts = 3;
  for (int c = 0; c < 3; ++c) study.weights[2 * c] = static_cast<std::uint8_t>(c == 1 ? 0 : c + 1);
  study.weights[0] = 1;
  study.write();
  std::uint32_t count[3] = {};
  for (std::uint64_t pseudonym = 1; pseudonym <= 4000; ++pseudonym) ++count[cohort_of(study.manifest, pseudonym)];
  TEST_ASSERT_EQUAL_UINT32(0, count[1]);
  TEST_ASSERT_UINT32_WITHIN(135, 1000, count[0]);  // 4.9 standard deviations
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(test_a_manifest_comes_back_as_it_was_written);
  RUN_TEST(test_every_bad_manifest_is_refused_by_name);
  RUN_TEST(test_a_round_comes_back_as_it_was_written);
  RUN_TEST(test_every_bad_round_is_refused_by_name);
  RUN_TEST(test_report_headers);
  RUN_TEST(test_cohorts_follow_their_weights);
  return UNITY_END();
}
