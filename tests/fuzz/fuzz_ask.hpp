// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstring>

#include "../support/seeded_entropy.hpp"
#include "fuzz_bytes.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/number.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/question/top.hpp"
#include "sotto/question/update.hpp"
#include "sotto/question/value.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/spec/block.hpp"
#include "sotto/spec/cross_polytope.hpp"
#include "sotto/spec/gaussian.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/spec/hadamard_response.hpp"
#include "sotto/spec/hemisphere.hpp"
#include "sotto/spec/laplace.hpp"
#include "sotto/spec/sphere_code.hpp"
#include "sotto/spec/vote.hpp"
#include "sotto/spec/walsh_hash.hpp"
#include "sotto/spec/window.hpp"

namespace sotto::fuzz {

inline constexpr std::size_t k_payload_max = 1024;  // of a report

inline const Question* const k_every_question[] = {
    &k_vote,    &k_vote_given,      &k_vote_screen, &k_bin,          &k_bin_cells, &k_block,
    &k_moments, &k_moments_fourier, &k_value,       &k_direction,    &k_label,     &k_label_noisy,
    &k_sketch,  &k_synopsis,        &k_update,      &k_update_noisy, &k_number,    &k_top};

/// A randomizer with parameters of the fuzzer's, derived at the manifest's epsilon, as a round carries it.
template <class Spec>
void put_spec(Spec spec, const Manifest& manifest, Round& round) {
  spec.epsilon = manifest.epsilon;
  if constexpr (requires { spec.delta; }) spec.delta = manifest.delta;
  static_cast<void>(derive(spec));
  std::uint8_t bytes[32] = {};
  ByteWriter writer{bytes};
  encode_fields(spec, writer);
  round.stem = Spec::k_stem;
  for (std::size_t i = 0; i < k_spec_fields; ++i) round.spec[i] = load_u32(bytes + 4 * i);
}

inline void put_any_spec(Taker& take, const Manifest& manifest, Round& round) {
  const std::uint8_t stem = take.u8();
  const std::uint32_t d = take.flag() ? manifest.features : 1 + take.below(70), other = 1 + take.below(200);
  switch (stem % 11) {
    case 0: put_spec(BlockSpec{.width = d % 25, .flips = other % 25}, manifest, round); break;
    case 1:
      put_spec(CrossPolytopeSpec{.log2_size = 6 + other % 3, .dimension = d, .closest = other}, manifest, round);
      break;
    case 2: put_spec(GaussianSpec{.radius = 1 + other % 512, .dimension = d}, manifest, round); break;
    case 3: put_spec(GrrSpec{.categories = d}, manifest, round); break;
    case 4: put_spec(HadamardResponseSpec{.log2_size = 2 + other % 8, .categories = d}, manifest, round); break;
    case 5: put_spec(HemisphereSpec{.dimension = d}, manifest, round); break;
    case 6: put_spec(LaplaceSpec{.radius = other}, manifest, round); break;
    case 7:
      put_spec(SphereCodeSpec{.dimension = d, .codewords = 2 + other, .closest = other / 2}, manifest, round);
      break;
    case 8: put_spec(VoteSpec{.features = d}, manifest, round); break;
    case 9: put_spec(WalshHashSpec{.categories = d, .bits = 1 + other % 12}, manifest, round); break;
    default: put_spec(WindowSpec{.outcomes = d, .width = other}, manifest, round); break;
  }
}

/// Rows of a device: pseudorandom numbers of any size, mapped or behind the hook. Of some seeds the hook is unreliable: it
/// fails now and then, and gives other numbers when it is asked again.
class FuzzRows {
 public:
  FuzzRows(std::uint32_t rows, std::uint32_t features, std::uint8_t seed)
      : rows_(rows), features_(features), is_reliable_(seed < 192), random_{seed} {
    for (Q15& x : numbers_) x = static_cast<Q15>(random_.word() >> seed % 3);
  }
  [[nodiscard]] Samples hooked() { return {{rows_, features_, nullptr, 0, this, read}}; }
  /// Only where they fit.
  [[nodiscard]] Samples mapped() const { return {{rows_, features_, numbers_, features_ + 1, nullptr, nullptr}}; }
  [[nodiscard]] bool can_map() const {
    return is_reliable_ && std::size_t{rows_} * (features_ + 1) <= std::size(numbers_);
  }

 private:
  static bool read(void* self, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) noexcept {
    auto& rows = *static_cast<FuzzRows*>(self);
    must(row < rows.rows_ && count <= rows.features_ + 1 && first <= rows.features_ + 1 - count);
    for (std::uint32_t j = 0; j < count; ++j)
      out[j] = rows.numbers_[(std::size_t{row} * (rows.features_ + 1) + first + j) % std::size(rows.numbers_)];
    if (rows.is_reliable_) return true;
    const std::uint32_t word = rows.random_.word();
    if (word % 4 == 0) out[word % count] = word % 8 == 0 ? k_missing_reading : static_cast<Q15>(word >> 16);
    return word % 3 != 0;
  }
  std::uint32_t rows_, features_;
  bool is_reliable_;
  SeededEntropy random_;
  Q15 numbers_[1024];
};

/// Asks as a session does: check, prepare, report. What is accepted answers whatever the rows are, stays within its plan, and gives
/// the same bytes for mapped rows as for rows behind the hook.
inline bool ask(const Question& question, const Manifest& manifest, const Round& round, std::uint64_t pseudonym,
                FuzzRows& rows) {
  constexpr std::size_t k_guard = 64;
  alignas(8) static std::byte work[16384 + k_guard];
  static std::uint8_t payload[2][k_payload_max + k_guard];
  std::size_t bytes = 0;
  bool accepted = false;
  for (const bool is_mapped : {false, true}) {
    if (is_mapped && (!accepted || !rows.can_map())) continue;
    std::memset(work, 0xc3, sizeof work);
    Asked asked{{}, {}, round, {manifest.seed, pseudonym, round.number}, is_mapped, manifest};
    if (question.check(asked) != Status::ok) return false;
    const AnswerPlan& plan = asked.plan;
    if (plan.work_bytes > sizeof work - k_guard || plan.payload_bytes > k_payload_max) return false;
    must(plan.kept_bytes <= plan.work_bytes);
    asked.work = {work, plan.work_bytes};
    accepted = true;
    must(plan.payload_bytes > 0);
    must(!is_mapped || plan.payload_bytes == bytes);
    bytes = plan.payload_bytes;
    SeededEntropy entropy{pseudonym};
    PrivateCoins coins;
    must(coins.begin_report(entropy.source()) == Status::ok);
    std::uint8_t* const out = payload[is_mapped ? 1 : 0];
    std::memset(out, 0xc3, sizeof payload[0]);
    question.prepare(asked, {is_mapped ? rows.mapped() : rows.hooked(), static_cast<std::uint32_t>(pseudonym)}, coins);
    question.report(asked, coins, {out, bytes});
    for (std::size_t i = 0; i < k_guard; ++i)
      must(out[bytes + i] == 0xc3 && work[plan.work_bytes + i] == std::byte{0xc3});
    if (is_mapped) must(std::memcmp(payload[0], payload[1], bytes) == 0);
  }
  return accepted;
}

}  // namespace sotto::fuzz
