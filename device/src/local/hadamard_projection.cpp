// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/hadamard_projection.hpp"

#include "projection_ops.hpp"
#include "sotto/hadamard.hpp"
#include "sotto/masks.hpp"

namespace sotto {

namespace {

constexpr std::uint32_t k_first_byte = std::uint32_t{1} << 31;
// A block takes B/32 + p <= 2B words.
static_assert((k_features_max + k_hadamard_block_max) * std::uint64_t{8} < std::uint64_t{1} << 31);
static_assert(k_hadamard_block_max * std::uint64_t{32768} < std::uint64_t{1}
                                                                << 31);  // a coordinate after the transform

[[nodiscard]] bool block_good(std::uint32_t block, std::size_t p) noexcept {
  return block >= k_hadamard_block_min && block <= k_hadamard_block_max && (block & (block - 1)) == 0 && p <= block;
}

/// The coordinates of a transformed block that are output: one call for each output, in order.
class Sample {
 public:
  Sample(std::uint32_t* taken, std::uint32_t block, std::size_t p) noexcept
      : taken_(taken), last_(block - static_cast<std::uint32_t>(p)) {
    for (std::uint32_t i = 0; i < block / 32; ++i) taken_[i] = 0;
  }

  [[nodiscard]] std::uint32_t next(std::uint32_t word) noexcept {
    const auto drawn = static_cast<std::uint32_t>(multiply_32(word, last_ + 1) >> 32);
    const std::uint32_t chosen = (taken_[drawn / 32] >> (drawn % 32) & 1u) != 0 ? last_ : drawn;
    taken_[chosen / 32] |= 1u << (chosen % 32);
    ++last_;
    return chosen;
  }

 private:
  std::uint32_t* taken_;
  std::uint32_t last_;
};

/// v, or -v if the lowest bit is set. |v| < 2^30.
[[nodiscard]] std::int32_t flip(std::int32_t v, std::uint32_t bit) noexcept {
  return v - ((2 * v) & -static_cast<std::int32_t>(bit & 1u));
}

}  // namespace

void hadamard_project(const CoinLabel& label, std::uint32_t block, const Samples& samples, std::uint32_t row,
                      const std::span<std::byte>& work, const std::span<std::int32_t>& z_q24) noexcept {
  for (std::int32_t& z : z_q24) z = 0;
  Workspace space{work};
  std::int32_t* const values = space.take_data<std::int32_t>(block);
  std::uint32_t* const taken = space.take_data<std::uint32_t>(block / 32);
  ProjectionInput in{label, CoinPurpose::shared_projection, samples, row};
  in.coins.seek(k_first_byte);
  for (std::uint32_t first = 0; first < samples.features; first += block) {
    std::uint32_t signs = 0;
    for (std::uint32_t i = 0; i < block; ++i, signs >>= 1) {  // padded with zeros
      if (i % 32 == 0) signs = in.coins.word();
      values[i] = flip(in.reader.next(), signs);
    }
    hadamard_wrap(values, block);
    Sample sample{taken, block, z_q24.size()};
    for (std::int32_t& z : z_q24) {
      const std::uint32_t word = in.coins.word();
      z += flip(values[sample.next(word)], word);
    }
  }
  scale_sign_sums(z_q24);
}

Status hadamard_projection_column(const CoinLabel& label, std::uint32_t block, std::uint32_t feature,
                                  const std::span<std::byte>& work, const std::span<std::int8_t>& signs) noexcept {
  const std::size_t p = signs.size();
  if (!projected_size_good(p) || !block_good(block, p) || feature >= k_features_max) return Status::bad_dimension;
  if (work.size() < hadamard_project_work_bytes(block)) return Status::short_buffer;
  Workspace space{work};
  std::uint32_t* const taken = space.take_data<std::uint32_t>(block / 32);
  PublicCoins coins{shared_label(label), CoinPurpose::shared_projection};
  const std::uint32_t at = feature % block;
  const std::uint32_t begin = k_first_byte + feature / block * 4 * (block / 32 + static_cast<std::uint32_t>(p));
  coins.seek(begin + at / 32 * 4);
  const std::uint32_t flipped = coins.word() >> (at % 32);
  coins.seek(begin + block / 8);
  Sample sample{taken, block, p};
  for (std::int8_t& sign : signs) {
    const std::uint32_t word = coins.word();
    const std::uint32_t odd = parity(at & sample.next(word)) ^ flipped ^ word;
    sign = (odd & 1u) != 0 ? std::int8_t{-1} : std::int8_t{1};
  }
  return Status::ok;
}

}  // namespace sotto
