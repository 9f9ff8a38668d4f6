// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of manifest, round and report: fields, refusals, digests, cohorts and sealed bytes.
#include "sotto/credential.hpp"
#include "sotto/wire/encode.hpp"
#include "sotto/wire/report.hpp"
#include "vector_row.hpp"
#include "vectors_wire.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::expect;
using vectors::expect64;
using vectors::Row;
using vectors::WireText;

std::uint8_t buffer[1024];

std::span<const std::uint8_t> bytes_of(const WireText& text) {
  return {vectors::k_wire_bytes + text.first, text.length};
}

void expect_bytes(std::span<const std::uint8_t> want, std::span<const std::uint8_t> got, const Row& row) {
  TEST_ASSERT_EQUAL_UINT32_MESSAGE(want.size(), got.size(), row.text());
  if (!want.empty()) TEST_ASSERT_EQUAL_HEX8_ARRAY_MESSAGE(want.data(), got.data(), want.size(), row.text());
}

template <class Object>
void refuses(std::span<const vectors::WireBad> bad,
             Status (*decode)(const std::span<const std::uint8_t>&, Object&) noexcept) {
  std::size_t n = 0;
  for (const vectors::WireBad& v : bad) {
    const Row row{n++};
    Object refused;
    expect(v.status, decode(bytes_of(v.bytes), refused), row);
  }
}

void manifests_say_what_the_reference_wrote() {
  std::size_t n = 0;
  for (const vectors::WireManifest& v : vectors::k_wire_manifests) {
    const Row row{n++};
    Manifest m;
    expect(Status::ok, decode_manifest(bytes_of(v.bytes), m), row);
    const std::uint32_t got[] = {m.authenticated, m.one_scale, static_cast<std::uint32_t>(m.unit),
                                 m.cohorts,       m.features,  m.nominal_rows,
                                 m.answers,       m.unit_q15,  m.questions};
    for (std::size_t i = 0; i < 9; ++i) expect(v.numbers[i], got[i], row);
    expect64(v.epsilon_nano, m.epsilon, row);
    expect64(v.delta, m.delta, row);
    const std::uint8_t* const weight = m.weights + 2 * (m.cohorts - 1);
    expect(v.last_weight, static_cast<std::uint32_t>(weight[0] | weight[1] << 8), row);
    const ReadingScale scale = manifest_scale(m, m.features - 1);
    expect64(v.last_offset, static_cast<std::uint64_t>(scale.offset), row);
    expect(v.last_multiplier, static_cast<std::uint32_t>(scale.multiplier), row);
    expect(v.last_shift, scale.shift, row);
    expect_bytes(v.digest, manifest_digest(m), row);
    ByteWriter again{buffer};
    encode_manifest(m, again);
    expect_bytes(m.bytes.body, again.written(), row);
    TEST_ASSERT_EQUAL_UINT32_MESSAGE(m.bytes.signature.empty() ? 0 : m.bytes.signature.size() + 1,
                                     v.bytes.length - m.bytes.body.size(), row.text());
  }
}

void rounds_say_what_the_reference_wrote() {
  std::size_t n = 0;
  for (const vectors::WireRound& v : vectors::k_wire_rounds) {
    const Row row{n++};
    Round r;
    expect(Status::ok, decode_round(bytes_of(v.bytes), r), row);
    const std::uint32_t head[] = {
        static_cast<std::uint32_t>(r.question), r.number, r.cohort, static_cast<std::uint32_t>(r.recipe),
        static_cast<std::uint32_t>(r.stem),     r.link};
    for (std::size_t i = 0; i < 6; ++i) expect(v.numbers[i], head[i], row);
    for (std::size_t i = 0; i < k_spec_fields; ++i) expect(v.numbers[6 + i], r.spec[i], row);
    for (std::size_t i = 0; i < k_parameter_places; ++i) expect(v.numbers[10 + i], r.parameter.at_place[i], row);
    expect(v.numbers[16], r.model_size, row);
    expect(v.numbers[17], r.pair_count, row);
    if (r.model_size != 0) {
      expect(v.last_model[0], model_entry(r, r.model_size - 1).feature, row);
      expect(v.last_model[1], static_cast<std::uint32_t>(model_entry(r, r.model_size - 1).value_q24), row);
    }
    if (r.pair_count != 0) {
      expect(v.last_pair[0], static_cast<std::uint32_t>(number_pair(r, r.pair_count - 1).first), row);
      expect(v.last_pair[1], static_cast<std::uint32_t>(number_pair(r, r.pair_count - 1).second), row);
    }
    expect_bytes(v.digest, round_digest(r), row);
    RoundTimes times;
    expect(Status::ok, round_times(r, times), row);
    expect64(v.times[0], times.opens, row);
    expect64(v.times[1], times.closes, row);
    ByteWriter again{buffer};
    encode_round(r, again, times);
    expect_bytes(r.bytes.body, again.written(), row);
  }
}

void bad_bytes_are_refused_by_name() {
  refuses<Manifest>(vectors::k_wire_bad_manifest, decode_manifest);
  refuses<Round>(vectors::k_wire_bad_round, decode_round);
  refuses<ReportHeader>(vectors::k_wire_bad_report, decode_header);
}

void sealed_reports_are_the_references_bytes() {
  std::size_t n = 0;
  for (const vectors::WireReport& v : vectors::k_wire_reports) {
    const Row row{n++};
    ReportKey key;
    derive_key(v.master, v.study, v.pseudonym, key);
    expect_bytes(v.key, key, row);
    const std::span<std::uint8_t> report = std::span{buffer}.first(v.report.length);
    const ReportHeader header{static_cast<QuestionKind>(v.question), true, v.round, load_u32(v.study.data()),
                              v.pseudonym};
    encode_header(header, report.first<k_header_bytes>());
    std::size_t at = k_header_bytes;
    for (const std::uint8_t b : bytes_of(v.payload)) report[at++] = b;
    expect(Status::ok, seal_report(key, {v.study, v.round_digest}, report), row);
    expect_bytes(bytes_of(v.report), report, row);
    ReportHeader read;
    expect(Status::ok, decode_header(report, read), row);
    expect64(v.pseudonym, read.pseudonym, row);
    TEST_ASSERT_TRUE_MESSAGE(open_report(key, {v.study, v.round_digest}, report), row.text());
    expect_bytes(bytes_of(v.payload), report.subspan(k_header_bytes, v.payload.length), row);
  }
}

void cohorts_are_the_references() {
  std::size_t n = 0;
  for (const vectors::WireCohort& v : vectors::k_wire_cohorts) {
    const Row row{n++};
    Manifest m;
    expect(Status::ok, decode_manifest(bytes_of(v.manifest), m), row);
    expect(v.cohort, cohort_of(m, v.pseudonym), row);
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(manifests_say_what_the_reference_wrote);
  RUN_TEST(rounds_say_what_the_reference_wrote);
  RUN_TEST(bad_bytes_are_refused_by_name);
  RUN_TEST(sealed_reports_are_the_references_bytes);
  RUN_TEST(cohorts_are_the_references);
  return UNITY_END();
}
