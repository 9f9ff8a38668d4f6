// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/ledger/ledger.hpp"
#include "sotto/spec/vote.hpp"
#include "sotto/wire/encode.hpp"

// A small study in memory: its manifest, its rounds, a flash, a credential. Freestanding.
namespace sotto {

/// Flash that is plain memory, without the simulator's checks.
template <std::uint32_t sector_bytes>
class PlainFlash {
 public:
  PlainFlash() noexcept { blank(); }
  void blank() noexcept {
    for (std::uint8_t& b : memory_) b = 0xff;
  }
  /// How often something was programmed or erased.
  [[nodiscard]] std::uint32_t writes() const noexcept { return writes_; }
  [[nodiscard]] Flash flash() noexcept { return {this, read, program, erase, sync, {sector_bytes, 2, 4, 0xff}}; }

 private:
  static PlainFlash& of(void* self) noexcept { return *static_cast<PlainFlash*>(self); }
  static bool read(void* self, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) noexcept {
    for (std::uint32_t i = 0; i < bytes; ++i) out[i] = of(self).memory_[address + i];
    return true;
  }
  static bool program(void* self, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) noexcept {
    ++of(self).writes_;
    // In its program unit, as a driver would: the ledger's image is made of words.
    using Word = std::uint32_t __attribute__((may_alias));
    auto* const to = reinterpret_cast<Word*>(of(self).memory_ + address);
    const auto* const from = reinterpret_cast<const Word*>(__builtin_assume_aligned(data, sizeof(Word)));
    for (std::uint32_t i = 0; i < bytes / sizeof(Word); ++i) to[i] = from[i];
    return true;
  }
  static bool erase(void* self, std::uint32_t sector) noexcept {
    ++of(self).writes_;
    for (std::uint32_t i = 0; i < sector_bytes; ++i) of(self).memory_[sector * sector_bytes + i] = 0xff;
    return true;
  }
  static bool sync(void*) noexcept { return true; }

  std::uint32_t writes_ = 0;
  alignas(8) std::uint8_t memory_[2 * sector_bytes];
};

/// What most tests ask: a vote over some features.
class VoteStudy {
 public:
  static constexpr std::uint64_t k_pseudonym = 0x1122334455667788;

  explicit VoteStudy(std::uint32_t features, bool authenticated = true, std::uint32_t answers = 1) noexcept {
    for (std::size_t i = 0; i < sizeof seed; ++i) seed[i] = static_cast<std::uint8_t>(i);
    for (std::size_t i = 0; i < sizeof collector; ++i) collector[i] = static_cast<std::uint8_t>(0xc0 + i);
    encode_scale({0, 1, 0}, std::span{scales}.first<k_scale_bytes>());
    encode_scale({0, 1, 0}, std::span{scales}.last<k_scale_bytes>());
    manifest.authenticated = authenticated;
    manifest.one_scale = true;
    manifest.features = features;
    manifest.nominal_rows = 20;
    manifest.answers = answers;
    manifest.unit_q15 = 8192;
    manifest.epsilon = 2 * k_epsilon_one;
    manifest.questions = 1u << static_cast<unsigned>(QuestionKind::vote);
    manifest.collector = collector;
    manifest.seed = seed;
    manifest.cohorts = 1;
    manifest.weights = weights;
    manifest.scales = scales;
    write();
    VoteSpec spec{manifest.epsilon, features, 0, 0, 0};
    (void)derive(spec);
    round.question = QuestionKind::vote;
    round.number = 1;
    round.cohort = k_every_cohort;
    round.recipe = Recipe::given;
    round.stem = Stem::vote;
    round.spec[0] = spec.features;
    round.spec[1] = spec.oracle;
    round.spec[2] = spec.bits;
    round.spec[3] = spec.threshold;
    for (std::size_t i = 0; i < credential.key.size(); ++i) credential.key[i] = static_cast<std::uint8_t>(3 * i + 1);
    credential.pseudonym = k_pseudonym;
    credential.has_key = authenticated;
  }
  VoteStudy(const VoteStudy&) = delete;
  VoteStudy& operator=(const VoteStudy&) = delete;

  /// After a change of the fields: bytes and digest anew.
  void write() noexcept {
    ByteWriter out{manifest_space};
    encode_manifest(manifest, out);
    manifest_size = out.size();
    Sha256 hash;
    hash.add(manifest_bytes());
    hash.finish(digest);
    round.study = digest;
  }
  [[nodiscard]] std::span<const std::uint8_t> manifest_bytes() const noexcept {
    return std::span{manifest_space}.first(manifest_size);
  }
  [[nodiscard]] std::span<const std::uint8_t> round_bytes() noexcept {
    ByteWriter out{round_space};
    encode_round(round, out, times);
    return out.written();
  }

  Manifest manifest;
  Round round;
  RoundTimes times;  ///< zeros: none
  Credential credential;
  Digest digest{};
  std::uint8_t seed[32], collector[16];
  std::uint8_t weights[2 * k_cohorts_max] = {1, 0};
  std::uint8_t scales[2 * k_scale_bytes];
  std::uint8_t manifest_space[256], round_space[k_round_max_bytes];
  std::size_t manifest_size = 0;
};

}  // namespace sotto
