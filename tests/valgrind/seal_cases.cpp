// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Sealing: keys and the payload are secret; lengths, nonce and associated data are public.
#include <array>
#include <cstdint>
#include <cstdlib>

#include "cases.hpp"
#include "secret.hpp"
#include "sotto/credential.hpp"

namespace sotto {
namespace {

const Digest k_study = {1}, k_round = {2};

ReportKey secret_key() {
  ReportKey key{};
  for (std::size_t i = 0; i < key.size(); ++i) key[i] = static_cast<std::uint8_t>(0x91 + 7 * i);
  make_secret(key);
  return key;
}

template <std::size_t PayloadBytes>
void seal() {
  const ReportKey key = secret_key();
  std::array<std::uint8_t, k_header_bytes + PayloadBytes + k_tag_bytes> report{0x11, 1};
  make_secret(report.data() + k_header_bytes, PayloadBytes);
  if (seal_report(key, {k_study, k_round}, report) != Status::ok) std::abort();
  make_public(report);
}

void derive() {
  MasterKey master{3};
  make_secret(master);
  ReportKey key{};
  derive_key(master, k_study, 12345, key);
  make_public(key);
}

constexpr Case k_cases[] = {{"seal_2", seal<2>}, {"seal_100", seal<100>}, {"derive_key", derive}};

}  // namespace

std::span<const Case> seal_cases() { return k_cases; }

}  // namespace sotto
