// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/wire/manifest.hpp"

#include "fields.hpp"
#include "sotto/public_coins.hpp"
#include "sotto/two_level.hpp"
#include "sotto/wire/encode.hpp"

namespace sotto {
namespace {

constexpr std::size_t k_fixed_bytes = 84;
constexpr std::uint32_t k_question_bits = ((2u << k_question_last) - 1) & ~1u;

constexpr std::size_t k_flags_at = offsetof(Manifest, bytes) + sizeof(Manifest::bytes);
static_assert(offsetof(Manifest, unit) == k_flags_at + 1);

constexpr Field k_fields[] = {
    byte_field(k_flags_at, 0, 1 | k_row_units_last << 2),  // no common scale in own units, which have none
    byte_field(offsetof(Manifest, unit), 0, 2),
    byte_field(offsetof(Manifest, cohorts), 1, k_cohorts_max),
    pair_field(offsetof(Manifest, features), 1, 256),  // 65536 does not fit in two bytes
    pair_field(offsetof(Manifest, nominal_rows), 1, 4),
    pair_field(offsetof(Manifest, answers), 1, 256),
    pair_field(offsetof(Manifest, unit_q15), 1, 128),
    long_field(offsetof(Manifest, epsilon), 16),                                 // and delta
    pair_field(offsetof(Manifest, questions), 2, (2u << k_question_last) >> 8),  // not 0; decode_manifest() checks bits
    byte_field(offsetof(Manifest, collector), 0, 0),                             // reserved bytes, which must be zero
    byte_field(offsetof(Manifest, collector), 0, 0),
};
constexpr Frame k_frame{k_manifest_magic, k_manifest_max_bytes, k_fields, sizeof k_fields / sizeof *k_fields,
                        k_fixed_bytes,    sizeof(Manifest)};
static_assert(offsetof(Manifest, delta) == offsetof(Manifest, epsilon) + 8);

constexpr std::uint32_t k_much = ~std::uint32_t{0};  // more than 64 weights of 65535

/// Subtracts the cohorts' weights from x in order and stops before one that exceeds the rest. Returns that cohort.
[[nodiscard, gnu::noinline]] std::uint32_t take_weights(const Manifest& m, std::uint32_t& x) noexcept {
  std::uint32_t cohort = 0;
  for (const std::uint8_t* weight = m.weights; weight != m.scales; weight += 2, ++cohort) {
    const std::uint32_t w = load_u16(weight);
    if (w > x) break;
    x -= w;
  }
  return cohort;
}

[[nodiscard]] bool scale_is_sound(const std::uint8_t* p) noexcept {
  // The offset has 62 bits: its upper three bits are equal.
  return ((p[7] + 0x20u) & 0xc0u) == 0 && p[12] <= 61;
}

}  // namespace

Status decode_manifest(const std::span<const std::uint8_t>& bytes, Manifest& m) noexcept {
  Status status = read_frame(bytes, k_frame, &m);
  if (status != Status::ok) return status;
  const std::uint8_t* const p = bytes.data();
  if ((m.questions & ~k_question_bits) != 0 || m.epsilon - 1 >= k_epsilon_max) return Status::bad_field;
  m.collector = p + 36;
  m.seed = p + 52;
  m.weights = p + k_fixed_bytes;
  m.scales = m.weights + 2 * m.cohorts;
  const std::uint8_t* const end = m.scales + k_scale_bytes * scale_count(m);
  status = split_signature(bytes, end, m.bytes);
  if (status != Status::ok) return status;
  std::uint32_t left = k_much;
  (void)take_weights(m, left);
  if (left == k_much) return Status::bad_field;
  for (const std::uint8_t* scale = m.scales; scale != end; scale += k_scale_bytes) {
    if (!scale_is_sound(scale)) return Status::bad_field;
  }
  return Status::ok;
}

Digest manifest_digest(const Manifest& manifest) noexcept {
  Digest digest;
  sha256(manifest.bytes.body, digest);
  return digest;
}

ReadingScale manifest_scale(const Manifest& manifest, std::uint32_t j) noexcept {
  if (manifest.units == RowUnits::own) return {};
  const std::size_t at = j >= manifest.features ? 0 : manifest.one_scale ? 1 : std::size_t{j} + 1;
  const std::uint8_t* const p = manifest.scales + at * k_scale_bytes;
  return {static_cast<std::int64_t>(load_u64(p)), static_cast<std::int32_t>(load_u32(p + 8)), p[12]};
}

std::uint32_t cohort_of(const Manifest& manifest, std::uint64_t pseudonym) noexcept {
  PublicCoins coins{{manifest.seed, pseudonym, 0}, CoinPurpose::cohort};
  std::uint32_t left = k_much;
  (void)take_weights(manifest, left);
  left = coins.below(k_much - left);
  return take_weights(manifest, left);
}

}  // namespace sotto
