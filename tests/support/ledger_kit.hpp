// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/ledger/ledger.hpp"

// A ledger with its memory, and its calls with their arguments one by one. Freestanding.
namespace sotto {

template <std::uint32_t most = 3, std::uint32_t report_bytes = 40>
class RoomyLedger : private LedgerSpace<most, report_bytes>, public Ledger {
 public:
  RoomyLedger() noexcept : Ledger(static_cast<LedgerSpace<most, report_bytes>&>(*this)) {}
};

/// The same bytes for every ledger that a test creates: they look random, and its flash can be written down.
inline std::uint32_t birth_state;
inline EntropySource birth_entropy() noexcept {
  birth_state = 1;
  return {nullptr, [](void*) { return true; },
          [](void*, std::uint8_t* out, std::size_t n) {
            for (std::size_t i = 0; i < n; ++i) {
              birth_state = birth_state * 1664525u + 1013904223u;
              out[i] = static_cast<std::uint8_t>(birth_state >> 24);
            }
            return true;
          }};
}

/// A credential for tests that seal nothing.
inline constexpr Credential k_anybody{1, {}, false};

/// Of a study that this many rounds may ask: caps alone decide, as long as all answers have the same price.
inline constexpr std::uint16_t k_any_answers = 0xffff;

inline Status find_study(Ledger& ledger, const Digest& digest, StudyEntry*& out) noexcept {
  Answer answer;
  answer.digest = &digest;
  const Status status = ledger.find_study(answer);
  if (status == Status::ok) out = const_cast<StudyEntry*>(ledger.study(digest));
  return status;
}

inline Status may_charge(Ledger& ledger, StudyEntry* study, std::uint16_t round, const Charge& price) noexcept {
  Answer answer{&study->digest, round, k_any_answers, price, nullptr, 0};
  return ledger.may_charge(answer);
}

inline Status charge(Ledger& ledger, StudyEntry* study, std::uint16_t round, const Charge& price,
                     std::size_t report_bytes, std::uint16_t answers = k_any_answers) noexcept {
  Answer answer{&study->digest, round, answers, price, nullptr, report_bytes};
  return ledger.charge(answer);
}

inline Status store(Ledger& ledger, StudyEntry* study, std::span<std::uint8_t> report) noexcept {
  Answer answer{&study->digest, study->round, k_any_answers, {}, report.data(), report.size()};
  return ledger.store(answer);
}

inline Status stored_report(Ledger& ledger, StudyEntry* study, std::uint16_t round, std::span<std::uint8_t> out,
                            std::size_t& bytes) noexcept {
  Answer answer{&study->digest, round, k_any_answers, {}, out.data(), out.size()};
  const Status status = ledger.stored_report(answer);
  if (status == Status::ok) bytes = answer.bytes;
  return status;
}

inline Status acknowledge(Ledger& ledger, StudyEntry* study, std::uint16_t round) noexcept {
  Answer answer{&study->digest, round, k_any_answers, {}, nullptr, 0};
  return ledger.acknowledge(answer);
}

}  // namespace sotto
