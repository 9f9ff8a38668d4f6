// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <sodium.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "begun_hash.hpp"
#include "lanes.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/bytes.hpp"

// Opens eight reports at once. A report of a few bytes needs two blocks of SHA-256 for its key and two of ChaCha20 for its
// stream, each of which is the same work for all eight.
namespace sotto::analyzer {
namespace {

constexpr std::size_t k_stream_bytes = 64;
constexpr std::size_t k_worth_it = 3;  // reports for which eight lanes are faster than one after the other
constexpr std::size_t k_name_bytes = 8, k_name_words = 3;
constexpr std::size_t k_prefix_bytes = k_key_label.size() + sizeof(Digest);
// The name stands behind label and study, in the words 10, 11 and 12 of the block.
constexpr std::size_t k_first_name_word = k_prefix_bytes / 4;
static_assert((k_prefix_bytes + k_name_bytes) / 4 - k_first_name_word + 1 == k_name_words);

/// What the eight reports have, by word and lane, and what becomes of it.
struct LaneWork {
  std::array<std::uint32_t, 8> inner{}, outer{};  // states of the two hashes
  std::array<std::uint32_t, 16> words{};          // of the block that the inner hash reads, without the name
  std::uint32_t name[k_name_words][k_lanes] = {}, nonce[2][k_lanes] = {};
  std::uint32_t streams[2][16][k_lanes] = {};  // blocks 0 and 1 of the stream
};

[[gnu::always_inline]] inline void derive_streams(LaneWork& work) {
  Lanes state[8], words[16], begin[16], out[16];
  for (std::size_t i = 0; i < 8; ++i) fill(state[i], work.inner[i]);
  for (std::size_t i = 0; i < 16; ++i) fill(words[i], work.words[i]);
  for (std::size_t i = 0; i < k_name_words; ++i) {
    Lanes name;
    std::memcpy(&name, work.name[i], sizeof name);
    words[k_first_name_word + i] |= name;
  }
  sha256_block(state, words);
  // The outer hash reads the inner one's 32 bytes, behind a block of 64.
  for (std::size_t i = 0; i < 8; ++i) words[i] = state[i];
  fill(words[8], 0x80000000u);
  for (std::size_t i = 9; i < 15; ++i) fill(words[i], 0);
  fill(words[15], 8 * (64 + 32));
  for (std::size_t i = 0; i < 8; ++i) fill(state[i], work.outer[i]);
  sha256_block(state, words);

  constexpr std::uint32_t k_constants[] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (std::size_t i = 0; i < 4; ++i) fill(begin[i], k_constants[i]);
  for (std::size_t i = 0; i < 8; ++i) swap_bytes(begin[4 + i], state[i]);
  std::memcpy(&begin[13], work.nonce[0], sizeof(Lanes));
  std::memcpy(&begin[14], work.nonce[1], sizeof(Lanes));
  fill(begin[15], 0);
  for (std::uint32_t block = 0; block < 2; ++block) {
    fill(begin[12], block);
    chacha20_block(begin, out);
    std::memcpy(work.streams[block], out, sizeof out);
  }
}

void derive_plain(LaneWork& work) { derive_streams(work); }
#if defined(__x86_64__)
[[gnu::target("avx2")]] void derive_avx2(LaneWork& work) { derive_streams(work); }
[[gnu::target("avx512f,avx512vl")]] void derive_avx512(LaneWork& work) { derive_streams(work); }
#endif

using Derive = void (*)(LaneWork&);

Derive best_of_this_processor() {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("avx512vl")) return derive_avx512;
  if (__builtin_cpu_supports("avx2")) return derive_avx2;
#endif
  return derive_plain;
}

constexpr std::uint32_t swapped(std::uint32_t word) noexcept { return __builtin_bswap32(word); }

/// A block of a lane's stream, as bytes.
void stream_of(const LaneWork& work, std::size_t block, std::size_t lane, std::span<std::uint8_t, k_stream_bytes> out) {
  for (std::size_t i = 0; i < 16; ++i) store_u32(&out[4 * i], work.streams[block][i][lane]);
}

/// RFC 8439, section 2.8, with the two blocks of the stream at hand.
bool open_with(const LaneWork& work, std::size_t lane, SealedReport& one) {
  constexpr std::size_t k_associated = k_associated_label.size() + 2 * sizeof(Digest) + k_header_bytes;
  constexpr auto padded = [](std::size_t bytes) { return (bytes + 15) / 16 * 16; };
  const std::size_t size = one.payload.size();
  const std::span<const std::uint8_t> sealed = one.report.subspan(k_header_bytes);
  std::array<std::uint8_t, padded(k_associated) + k_stream_bytes + 16> text{};
  auto next = std::ranges::copy(k_associated_label, text.begin()).out;
  next = std::ranges::copy(one.context->study, next).out;
  next = std::ranges::copy(one.context->round, next).out;
  std::ranges::copy(one.report.first(k_header_bytes), next);
  std::ranges::copy(sealed.first(size), text.begin() + padded(k_associated));
  std::size_t end = padded(k_associated) + padded(size);
  store_u32(&text[end], k_associated);
  store_u32(&text[end + 8], static_cast<std::uint32_t>(size));
  end += 16;
  std::array<std::uint8_t, k_stream_bytes> stream;
  stream_of(work, 0, lane, stream);
  std::array<std::uint8_t, k_tag_bytes> tag;
  crypto_onetimeauth_poly1305(tag.data(), text.data(), end, stream.data());
  const bool is_right = sodium_memcmp(tag.data(), sealed.data() + size, tag.size()) == 0;
  if (is_right) {
    stream_of(work, 1, lane, stream);
    for (std::size_t i = 0; i < size; ++i) one.payload[i] = static_cast<std::uint8_t>(sealed[i] ^ stream[i]);
  }
  sodium_memzero(stream.data(), stream.size());
  return is_right;
}

void open_alone(const StudyKeys& keys, SealedReport& one) {
  ReportKey own = keys.key(one.pseudonym);
  one.is_right = open_sealed(own, *one.context, one.report, one.payload);
  wipe_secret(own);
}

}  // namespace

void StudyKeys::open(std::span<SealedReport> reports) const noexcept {
  static const Derive derive = best_of_this_processor();
  LaneWork work;
  std::array<std::uint8_t, 64> block{};
  std::memcpy(block.data(), begun_->inner.data, k_prefix_bytes);
  block[k_prefix_bytes + k_name_bytes] = 0x80;
  for (std::size_t i = 0; i < 16; ++i) work.words[i] = swapped(load_u32(&block[4 * i]));
  work.words[15] = 8 * (64 + k_prefix_bytes + k_name_bytes);
  std::copy_n(begun_->inner.h, 8, work.inner.begin());
  std::copy_n(begun_->outer.h, 8, work.outer.begin());
  while (!reports.empty()) {
    const std::span<SealedReport> some = reports.first(std::min(reports.size(), k_lanes));
    reports = reports.subspan(some.size());
    if (some.size() < k_worth_it) {
      for (SealedReport& one : some) open_alone(*this, one);
      continue;
    }
    for (std::size_t lane = 0; lane < some.size(); ++lane) {
      std::array<std::uint8_t, 4 * k_name_words> name{};
      store_u32(&name[k_prefix_bytes % 4], static_cast<std::uint32_t>(some[lane].pseudonym));
      store_u32(&name[k_prefix_bytes % 4 + 4], static_cast<std::uint32_t>(some[lane].pseudonym >> 32));
      for (std::size_t i = 0; i < k_name_words; ++i) work.name[i][lane] = swapped(load_u32(&name[4 * i]));
      for (std::size_t i = 0; i < 2; ++i)
        work.nonce[i][lane] = some[lane].report.size() < k_header_bytes ? 0 : load_u32(&some[lane].report[4 * i]);
    }
    derive(work);
    for (std::size_t lane = 0; lane < some.size(); ++lane) {
      SealedReport& one = some[lane];
      const bool fits = one.report.size() == k_header_bytes + one.payload.size() + k_tag_bytes;
      if (one.payload.size() > k_stream_bytes) {
        open_alone(*this, one);
        continue;
      }
      std::ranges::fill(one.payload, std::uint8_t{0});
      one.is_right = fits && open_with(work, lane, one);
    }
  }
  sodium_memzero(&work, sizeof work);
}

}  // namespace sotto::analyzer
