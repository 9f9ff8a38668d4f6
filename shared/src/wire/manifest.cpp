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
    {16, offsetof(Manifest, epsilon), 16, 0, k_any},  // and delta
    {32, offsetof(Manifest, questions), 2, 2, k_question_bits},
    {34, offsetof(Manifest, collector), 2, 0, 0},  // zeros
};
constexpr Frame k_frame{k_manifest_magic, k_manifest_max_bytes, k_fields, sizeof k_fields / sizeof *k_fields,
                        k_fixed_bytes,    sizeof(Manifest)};
static_assert(offsetof(Manifest, delta) == offsetof(Manifest, epsilon) + 8 &&
              offsetof(Manifest, signature) == sizeof(Manifest::body));

constexpr std::uint32_t k_much = ~std::uint32_t{0};  // more than 64 weights of 65535

/// Takes the cohorts' weights off x, from the first on, and stops before one that is more than what is left. Returns that cohort.
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
  constexpr std::uint64_t k_most = std::uint64_t{1} << 61;  // of the offset's size
  return load_u64(p) + k_most <= 2 * k_most && p[12] <= 61;
}

}  // namespace

Status decode_manifest(const std::span<const std::uint8_t>& bytes, Manifest& out) noexcept {
  Draft<Manifest> draft;
  Manifest& m = draft.value;
  Status status = read_frame(bytes, k_frame, &m);
  if (status != Status::ok) return status;
  const std::uint8_t* const p = bytes.data();
  const std::uint32_t flags = p[5];
  if (flags > 3 || (m.questions & 1u) != 0 || check_epsilon(m.epsilon, m.epsilon) != Status::ok)
    return Status::bad_field;
  m.authenticated = (flags & 1u) != 0;
  m.one_scale = (flags >> 1 & 1u) != 0;
  m.collector = p + 36;
  m.seed = p + 52;
  m.weights = p + k_fixed_bytes;
  m.scales = m.weights + 2 * m.cohorts;
  const std::uint8_t* const end = m.scales + k_scale_bytes * (m.one_scale ? 2 : m.features + 1);
  status = split_signature(bytes, end, &m.body);
  if (status != Status::ok) return status;
  std::uint32_t left = k_much;
  (void)take_weights(m, left);
  if (left == k_much) return Status::bad_field;
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
  std::uint32_t left = k_much;
  (void)take_weights(manifest, left);
  left = coins.below(k_much - left);
  return take_weights(manifest, left);
}

}  // namespace sotto
