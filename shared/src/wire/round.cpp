// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/wire/round.hpp"

#include "fields.hpp"

namespace sotto {
namespace {

constexpr std::uint16_t k_any = 0xffff, k_link_last = 2;

constexpr Field k_fields[] = {
    {5, offsetof(Round, question), 1, 1, k_question_last},
    {6, offsetof(Round, number), 2, 1, k_any},
    {40, offsetof(Round, cohort), 1, 0, k_any},
    {41, offsetof(Round, recipe), 1, 0, k_recipe_last},
    {42, offsetof(Round, stem), 1, 1, static_cast<std::uint16_t>(Stem::vote)},
    {43, offsetof(Round, link), 1, 0, k_link_last},
    {44, offsetof(Round, spec), sizeof Round::spec + sizeof Round::parameter, 0, k_any},
    {84, offsetof(Round, model_size), 1, 0, k_any},
    {85, offsetof(Round, pair_count), 1, 0, k_any},
    {86, offsetof(Round, model), 2, 0, 0},  // zeros
};
constexpr Frame k_frame{k_round_magic,       k_round_max_bytes, k_fields, sizeof k_fields / sizeof *k_fields,
                        k_round_fixed_bytes, sizeof(Round)};
static_assert(offsetof(Round, parameter) == offsetof(Round, spec) + sizeof Round::spec &&
              offsetof(Round, signature) == sizeof(Round::body));

}  // namespace

Status decode_round(const std::span<const std::uint8_t>& bytes, Round& out) noexcept {
  Draft<Round> draft;
  Round& r = draft.value;
  Status status = read_frame(bytes, k_frame, &r);
  if (status != Status::ok) return status;
  if (r.cohort >= k_cohorts_max && r.cohort != k_every_cohort) return Status::bad_field;
  const std::uint8_t* const p = bytes.data();
  r.study = std::span<const std::uint8_t, sizeof(Digest)>{p + 8, sizeof(Digest)};
  r.model = p + k_round_fixed_bytes;
  r.pairs = r.model + k_model_bytes * r.model_size;
  status = split_signature(bytes, r.pairs + k_pair_bytes * r.pair_count, &r.body);
  if (status != Status::ok) return status;
  std::uint32_t least = 0;
  for (const std::uint8_t* entry = r.model; entry != r.pairs; entry += k_model_bytes) {
    const std::uint32_t feature = load_u16(entry);
    if (feature < least) return Status::bad_field;
    least = feature + 1;
  }
  out = r;
  return Status::ok;
}

Digest round_digest(const Round& round) noexcept {
  Digest digest;
  sha256(round.body, digest);
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
