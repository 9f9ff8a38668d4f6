// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto_self_test(): known answers, entropy and flash, callable from a shell. The flash must hold no ledger: it is used
// and erased.
#include "layout.hpp"
#include "sotto/aead.hpp"
#include "sotto/bytes.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/sha256.hpp"

using namespace sotto;
using namespace sotto::c_api;

namespace {

[[nodiscard]] bool begins_with(const std::uint8_t* bytes, std::uint32_t first, std::uint32_t second) noexcept {
  return load_u32(bytes) == first && load_u32(bytes + 4) == second;
}

/// SHA-256 of "abc" (FIPS 180-4).
[[nodiscard, gnu::noinline]] bool sha256_works() noexcept {
  constexpr std::uint8_t k_abc[] = {'a', 'b', 'c'};
  Digest digest;
  Sha256 hash;
  hash.add(k_abc);
  hash.finish(digest);
  return begins_with(digest.data(), 0xbf1678bau, 0xeacf018fu);
}

/// The tag of an empty text under the key 0, 1, 2, ... and the nonce 0, checked with libsodium.
[[nodiscard, gnu::noinline]] bool sealing_works() noexcept {
  std::uint8_t key[k_key_bytes], tag[k_tag_bytes];
  for (std::size_t i = 0; i < sizeof key; ++i) key[i] = static_cast<std::uint8_t>(i);
  constexpr std::uint8_t k_nonce[k_nonce_bytes] = {};
  aead_seal({key, k_nonce, nullptr, 0, nullptr, 0, tag});
  return begins_with(tag, 0x804f3210u, 0xd90b160au);
}

/// Votes from fixed coins: tests the randomizer and the check of its parameters.
bool fixed_ready(void*) { return true; }
bool fixed_read(void* next, std::uint8_t* out, std::size_t n) {
  auto& state = *static_cast<std::uint32_t*>(next);
  for (std::size_t i = 0; i < n; ++i) {
    state = state * 1664525u + 1013904223u;
    out[i] = static_cast<std::uint8_t>(state >> 24);
  }
  return true;
}
[[nodiscard, gnu::noinline]] bool vote_works() noexcept {
  constexpr std::uint8_t k_seed[32] = {};
  VoteSpec spec{k_epsilon_one, 6, 0, 0, 0};
  Certified<VoteSpec> certified;
  std::uint32_t state = 1, reports = 0;
  PrivateCoins coins;
  if (derive(spec) != Status::ok || certify(spec, k_epsilon_one, certified) != Status::ok) return false;
  for (std::uint32_t i = 0; i < 8; ++i) {
    std::uint32_t report = 0;
    if (coins.begin_report({&state, fixed_ready, fixed_read}) != Status::ok) return false;
    if (vote(certified, {k_seed, 7, 1}, i, coins, report) != Status::ok) return false;
    reports = reports * 8 + report;
  }
  return reports == 12982630u;
}

[[nodiscard, gnu::noinline]] Status entropy_works(const EntropySource& source) noexcept {
  PrivateCoins coins;
  if (const Status s = coins.begin_report(source); s != Status::ok) return s;
  return coins.begin_report(source);  // refuses if the seed equals the one before
}

constexpr Charge k_one{k_epsilon_one, 0};
constexpr LedgerHooks k_no_hooks{};

// The parts are not inlined, so that their memory is not on the stack at the same time.
[[nodiscard, gnu::noinline]] Status enrol_works(Ledger& ledger) noexcept {
  if (const Status s = ledger.set_consent(true); s != Status::ok) return s;
  return ledger.enrol(Digest{1}, {1, {}});
}

[[nodiscard, gnu::noinline]] Status answer_works(Ledger& ledger, const Flash& flash) noexcept {
  std::uint8_t report[20] = {9};
  const Digest digest{1};
  Answer answer{&digest, 1, 1, k_one, report, sizeof report};
  Status status = ledger.charge(answer);
  if (status == Status::ok) status = ledger.store(answer);
  if (status == Status::ok) status = ledger.open(flash, k_no_hooks);
  report[0] = 0;
  if (status == Status::ok) status = ledger.stored_report(answer);
  if (status != Status::ok) return status;
  const bool same = answer.bytes == sizeof report && report[0] == 9 && ledger.total_spent() == k_one;
  return same ? Status::ok : Status::self_test_failed;
}

[[nodiscard]] Status flash_works(const Flash& flash, const EntropySource& entropy) noexcept {
  LedgerSpace<1, 20> space;
  Ledger ledger{space};
  Status status = ledger.create(flash, k_no_hooks, {k_one, k_one}, entropy);
  if (status == Status::short_buffer) status = Status::ledger_exists;  // written by a firmware with more memory
  if (status != Status::ok) return status;  // what the flash holds, if anything, must not be erased
  status = enrol_works(ledger);
  if (status == Status::ok) status = answer_works(ledger, flash);
  for (std::uint32_t sector = 0; sector < flash.geometry.sectors; ++sector) {
    if (!flash.erase(flash.context, sector) && status == Status::ok) status = Status::flash_fault;
  }
  return status;
}

}  // namespace

sotto_status sotto_self_test(const sotto_entropy* entropy, const sotto_flash* spare_flash) {
  Status status = sha256_works() && sealing_works() && vote_works() ? Status::ok : Status::self_test_failed;
  if (status == Status::ok) status = entropy_works(as<EntropySource>(entropy));
  if (status == Status::ok && spare_flash != nullptr)
    status = flash_works(as<Flash>(spare_flash), as<EntropySource>(entropy));
  return static_cast<sotto_status>(status);
}
