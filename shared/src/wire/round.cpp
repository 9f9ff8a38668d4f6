// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/wire/round.hpp"

#include "fields.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_link_last = 2;

constexpr Field k_fields[] = {
    byte_field(offsetof(Round, question), 1, k_question_last),
    pair_field(offsetof(Round, number), 1, 256),  // 65536 does not fit in two bytes
    long_field(offsetof(Round, study), sizeof(Digest)),
    byte_field(offsetof(Round, cohort), 0, 255),
    byte_field(offsetof(Round, recipe), 0, k_recipe_last),
    byte_field(offsetof(Round, stem), 1, static_cast<std::uint32_t>(Stem::vote)),
    byte_field(offsetof(Round, link), 0, k_link_last),
    long_field(offsetof(Round, spec), sizeof Round::spec + sizeof Round::parameter),
    byte_field(offsetof(Round, model_size), 0, 255),
    byte_field(offsetof(Round, pair_count), 0, 255),
    byte_field(offsetof(Round, has_times), 0, 1),
    byte_field(offsetof(Round, model), 0, 0),  // reserved, must be zero
};
constexpr Frame k_frame{k_round_magic,       k_round_max_bytes, k_fields, sizeof k_fields / sizeof *k_fields,
                        k_round_fixed_bytes, sizeof(Round)};
static_assert(offsetof(Round, parameter) == offsetof(Round, spec) + sizeof Round::spec);

}  // namespace

[[gnu::noinline]] Status decode_round(const std::span<const std::uint8_t>& bytes, Round& r) noexcept {
  Status status = read_frame(bytes, k_frame, &r);
  if (status != Status::ok) return status;
  if (r.cohort >= k_cohorts_max && r.cohort != k_every_cohort) return Status::bad_field;
  const std::uint8_t* const p = bytes.data();
  r.model = p + k_round_fixed_bytes;
  r.pairs = r.model + k_model_bytes * r.model_size;
  status = split_signature(bytes, r.pairs + k_pair_bytes * r.pair_count + k_times_bytes * r.has_times, r.bytes);
  if (status != Status::ok) return status;
  std::uint32_t feature_min = 0;
  for (const std::uint8_t* entry = r.model; entry != r.pairs; entry += k_model_bytes) {
    const std::uint32_t feature = load_u16(entry);
    if (feature < feature_min) return Status::bad_field;
    feature_min = feature + 1;
  }
  return Status::ok;
}

Digest round_digest(const Round& round) noexcept {
  Digest digest;
  sha256(round.bytes.body, digest);
  return digest;
}

ModelEntry model_entry(const Round& round, std::uint32_t i) noexcept {
  const std::uint8_t* const p = round.model + k_model_bytes * i;
  return {static_cast<std::uint16_t>(load_u16(p)), static_cast<std::int32_t>(load_u32(p + 2))};
}

NumberPair number_pair(const Round& round, std::uint32_t i) noexcept {
  const std::uint8_t* const p = round.pairs + k_pair_bytes * i;
  return {static_cast<std::int32_t>(load_u32(p)), static_cast<std::int32_t>(load_u32(p + 4))};
}

}  // namespace sotto
