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
constexpr std::uint16_t k_question_bits = ((2u << k_question_last) - 1) & ~1u;
constexpr std::uint16_t k_any = 0xffff;

constexpr Field k_fields[] = {
    {6, offsetof(Manifest, unit), 1, 0, 2},
    {7, offsetof(Manifest, cohorts), 1, 1, k_cohorts_max},
    {8, offsetof(Manifest, features), 2, 1, k_any},
    {10, offsetof(Manifest, nominal_rows), 2, 1, 1024},
    {12, offsetof(Manifest, answers), 2, 1, k_any},
    {14, offsetof(Manifest, unit_q15), 2, 1, 32768},
    {16, offsetof(Manifest, epsilon), 8, 0, k_any},
    {24, offsetof(Manifest, delta), 8, 0, k_any},
    {32, offsetof(Manifest, questions), 2, 2, k_question_bits},
    {34, offsetof(Manifest, collector), 2, 0, 0},  // zeros
};
constexpr Frame k_frame{k_manifest_magic, k_manifest_max_bytes, k_fields, sizeof k_fields / sizeof *k_fields,
                        k_fixed_bytes};

[[nodiscard, gnu::noinline]] std::uint32_t weight_sum(const Manifest& m) noexcept {
  std::uint32_t sum = 0;  // at most 64 * 65535
  for (std::uint32_t c = 0; c < m.cohorts; ++c) sum += load_u16(m.weights + 2 * c);
  return sum;
}

[[nodiscard]] bool scale_is_sound(const std::uint8_t* p) noexcept {
  constexpr std::uint64_t k_most = std::uint64_t{1} << 61;  // of the offset's size
  return load_u64(p) + k_most <= 2 * k_most && p[12] <= 61;
}

}  // namespace

Status decode_manifest(const std::span<const std::uint8_t>& bytes, Manifest& out) noexcept {
  Manifest m;
  Status status = read_frame(bytes, k_frame, &m);
  if (status != Status::ok) return status;
  const std::uint8_t* const p = bytes.data();
  const std::uint8_t flags = p[5];
  if (flags > 3 || (m.questions & 1u) != 0 || check_epsilon(m.epsilon, m.epsilon) != Status::ok)
    return Status::bad_field;
  m.authenticated = (flags & 1u) != 0;
  m.one_scale = (flags & 2u) != 0;
  m.collector = p + 36;
  m.seed = p + 52;
  m.weights = p + k_fixed_bytes;
  m.scales = m.weights + 2 * m.cohorts;
  const std::size_t scales = m.one_scale ? 2 : m.features + 1;
  const std::uint8_t* const end = m.scales + scales * k_scale_bytes;
  status = split_signature(bytes, static_cast<std::size_t>(end - p), m.body, m.signature);
  if (status != Status::ok) return status;
  if (weight_sum(m) == 0) return Status::bad_field;
  for (const std::uint8_t* scale = m.scales; scale != end; scale += k_scale_bytes) {
    if (!scale_is_sound(scale)) return Status::bad_field;
  }
  out = m;
  return Status::ok;
}

Digest manifest_digest(const Manifest& manifest) noexcept {
  Digest digest;
  sha256(manifest.body, digest);
  return digest;
}

ReadingScale manifest_scale(const Manifest& manifest, std::uint32_t j) noexcept {
  const std::size_t at = j >= manifest.features ? 0 : manifest.one_scale ? 1 : std::size_t{j} + 1;
  const std::uint8_t* const p = manifest.scales + at * k_scale_bytes;
  return {static_cast<std::int64_t>(load_u64(p)), static_cast<std::int32_t>(load_u32(p + 8)), p[12]};
}

std::uint32_t cohort_of(const Manifest& manifest, std::uint64_t pseudonym) noexcept {
  PublicCoins coins{{manifest.seed, pseudonym, 0}, CoinPurpose::cohort};
  std::uint32_t left = coins.below(weight_sum(manifest)), cohort = 0;
  for (; left >= load_u16(manifest.weights + 2 * cohort); ++cohort) left -= load_u16(manifest.weights + 2 * cohort);
  return cohort;
}

}  // namespace sotto
