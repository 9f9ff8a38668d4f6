// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "seeded_entropy.hpp"
#include "sotto/bytes.hpp"
#include "sotto/fixed.hpp"
#include "sotto/session/question.hpp"

// One question, asked as the session asks it: check, prepare, forget everything behind what is kept, report. Freestanding.
namespace sotto {

inline constexpr std::uint32_t k_asked_features = 6, k_asked_rows = 9;

class AskedQuestion {
 public:
  static constexpr std::size_t k_work_bytes = 4096, k_payload_bytes = 128;
  static constexpr std::uint8_t k_untouched = 0xc3;
  struct Lists {
    std::uint8_t model[6 * 8], pairs[8 * 8];
  };

  Manifest manifest;
  Round round;
  std::uint64_t pseudonym = 1;
  Lists lists = {};         ///< what the round points to
  std::uint32_t reads = 0;  ///< calls of the reader hook
  std::uint8_t payload[k_payload_bytes] = {};
  AnswerPlan plan;
  Q15 numbers[k_asked_rows * (k_asked_features + 1)] = {};

  AskedQuestion() noexcept = default;
  /// A new study and new rows, and nothing asked.
  void begin(std::uint64_t seed) noexcept {
    manifest = Manifest{};
    round = {};
    pseudonym = 1;
    SeededEntropy seeded{seed};
    for (std::uint8_t& b : seed_) b = seeded.byte();
    for (Q15& x : numbers) x = static_cast<Q15>(seeded.word());
    for (Q15& x : numbers)
      x = static_cast<Q15>((x + static_cast<Q15>(seeded.word())) / 4);  // within 1/2, most within 1/4
    manifest.features = k_asked_features;
    manifest.nominal_rows = k_asked_rows;
    manifest.unit_q15 = 8192;
    manifest.epsilon = 2 * k_epsilon_one;
    manifest.delta = 18446744073709u;  // 1e-6
    manifest.seed = seed_;
    round.number = 3;
  }
  AskedQuestion(const AskedQuestion&) = delete;
  AskedQuestion& operator=(const AskedQuestion&) = delete;

  /// The parameters in the order of their places; those behind the last are zero.
  void ask(Recipe recipe, std::initializer_list<std::uint32_t> parameters) noexcept {
    round.recipe = recipe;
    round.parameter = {};
    std::size_t i = 0;
    for (const std::uint32_t p : parameters) round.parameter.at_place[i++] = p;
  }

  /// The stem and its integers as they travel, derived at the manifest's epsilon.
  template <class Spec>
  void through(Spec spec) noexcept {
    spec.epsilon = manifest.epsilon;
    if constexpr (requires { spec.delta; }) spec.delta = manifest.delta;
    (void)derive(spec);  // check() refuses what this refuses
    std::uint8_t bytes[32] = {};
    ByteWriter writer{bytes};
    encode_fields(spec, writer);
    round.stem = Spec::k_stem;
    for (std::size_t i = 0; i < k_spec_fields; ++i) round.spec[i] = load_u32(bytes + 4 * i);
  }

  void model(std::initializer_list<ModelEntry> entries) noexcept {
    ByteWriter writer{lists.model};
    for (const ModelEntry& e : entries) {
      writer.u16(e.feature);
      writer.u32(static_cast<std::uint32_t>(e.value_q24));
    }
    round.model = lists.model;
    round.model_size = static_cast<std::uint32_t>(entries.size());
  }

  void pairs(std::initializer_list<NumberPair> pairs) noexcept {
    ByteWriter writer{lists.pairs};
    for (const NumberPair& p : pairs) {
      writer.u32(static_cast<std::uint32_t>(p.first));
      writer.u32(static_cast<std::uint32_t>(p.second));
    }
    round.pairs = lists.pairs;
    round.pair_count = static_cast<std::uint32_t>(pairs.size());
  }

  [[nodiscard]] Samples mapped(std::uint32_t rows = k_asked_rows) const noexcept {
    return {rows, k_asked_features, numbers, k_asked_features + 1, nullptr, nullptr};
  }
  [[nodiscard]] Samples hooked(std::uint32_t rows = k_asked_rows) noexcept {
    return {rows, k_asked_features, nullptr, 0, this, read};
  }

  [[nodiscard]] Asked asked(bool is_mapped) noexcept {
    return {{work_, used_}, plan, round, {seed_, pseudonym, round.number}, is_mapped, manifest};
  }

  [[nodiscard]] Status check(const Question& question, bool is_mapped = false) noexcept {
    Asked now = asked(is_mapped);
    const Status status = question.check(now);
    plan = now.plan;
    if (status != Status::ok) return status;
    return plan.work_bytes > used_ ? Status::short_buffer : Status::ok;
  }

  /// The payload for private coins of this seed; none if the question is refused.
  [[nodiscard]] std::span<const std::uint8_t> answer(const Question& question, const Samples& samples,
                                                     std::uint64_t coin_seed) noexcept {
    return answer_from(question, {samples, ~0u}, coin_seed);
  }
  /// The same from what the firmware gives.
  [[nodiscard]] std::span<const std::uint8_t> answer_from(const Question& question, const LocalData& local,
                                                          std::uint64_t coin_seed) noexcept {
    const bool is_mapped = local.samples.mapped != nullptr;
    if (check(question, is_mapped) != Status::ok || plan.payload_bytes > k_payload_bytes) return {};
    SeededEntropy entropy{coin_seed};
    PrivateCoins coins;
    if (coins.begin_report(entropy.source()) != Status::ok) return {};
    question.prepare(asked(is_mapped), local, coins);
    for (std::size_t i = plan.kept_bytes; i < used_; ++i) work_[i] = std::byte{0xaa};
    question.report(asked(is_mapped), coins, {payload, plan.payload_bytes});
    return {payload, plan.payload_bytes};
  }

  void limit_work(std::size_t bytes) noexcept { used_ = bytes; }
  void mark_work() noexcept {
    for (std::byte& b : work_) b = std::byte{k_untouched};
  }
  [[nodiscard]] bool untouched_behind_work() const noexcept {
    bool all = true;
    for (std::size_t i = used_; i < k_work_bytes; ++i) all = all && work_[i] == std::byte{k_untouched};
    return all;
  }
  /// What the last question kept.
  template <class Number>
  [[nodiscard]] const Number* kept(std::size_t offset) const noexcept {
    return reinterpret_cast<const Number*>(work_ + offset);
  }

 private:
  static bool read(void* self, std::uint32_t row, std::uint32_t first, std::uint32_t count, Q15* out) noexcept {
    auto& harness = *static_cast<AskedQuestion*>(self);
    ++harness.reads;
    for (std::uint32_t j = 0; j < count; ++j) out[j] = harness.numbers[row * (k_asked_features + 1) + first + j];
    return true;
  }

  alignas(8) std::byte work_[k_work_bytes] = {};
  std::size_t used_ = k_work_bytes;
  std::uint8_t seed_[32] = {};
};

}  // namespace sotto
