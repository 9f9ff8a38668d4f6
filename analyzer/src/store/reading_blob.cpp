// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/store/reading_blob.hpp"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "sotto/bytes.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_head_bytes = 12, k_reading_bytes = 12;

std::uint64_t load_name(const std::uint8_t* bytes) noexcept {
  return load_u32(bytes) | std::uint64_t{load_u32(bytes + 4)} << 32;
}

}  // namespace

void ReadingWriter::add(std::uint16_t slot, const Reading& reading) {
  std::uint8_t head[k_head_bytes];
  store_u32(head, std::uint32_t{reading.round} | (slot == 0 ? 0u : 1u) << 16);
  store_u32(head + 4, static_cast<std::uint32_t>(reading.payload.size()));
  const bool same = readings_ > 0 && std::equal(head, head + 8, bytes_.data() + head_);
  if (!same) {
    head_ = bytes_.size();
    readings_ = 0;
    bytes_.insert(bytes_.end(), head, head + k_head_bytes);
  }
  store_u32(bytes_.data() + head_ + 8, ++readings_);
  std::uint8_t own[k_reading_bytes];
  store_u32(own, static_cast<std::uint32_t>(reading.pseudonym));
  store_u32(own + 4, static_cast<std::uint32_t>(reading.pseudonym >> 32));
  store_u32(own + 8, reading.number);
  bytes_.insert(bytes_.end(), own, own + k_reading_bytes);
  bytes_.insert(bytes_.end(), reading.payload.begin(), reading.payload.end());
}

void ReadingWriter::forget_order() {
  std::vector<std::uint8_t> sorted;
  std::vector<std::pair<std::uint64_t, std::size_t>> places;
  for (std::size_t at = 0; at < bytes_.size();) {
    const std::size_t own = k_reading_bytes + load_u32(bytes_.data() + at + 4),
                      readings = load_u32(bytes_.data() + at + 8);
    at += k_head_bytes;
    places.clear();
    for (std::size_t i = 0; i < readings; ++i)
      places.emplace_back(load_name(bytes_.data() + at + i * own), at + i * own);
    std::ranges::sort(places);
    sorted.clear();
    for (const auto& [name, place] : places) {
      const auto* const from = bytes_.data() + place;
      sorted.insert(sorted.end(), from, from + own);
    }
    std::ranges::copy(sorted, bytes_.data() + at);
    at += sorted.size();
  }
}

Result<Done> each_stored_reading(std::span<const std::uint8_t> blob,
                                 const std::function<void(std::uint16_t slot, const Reading&)>& visit) {
  const Error cut{"store.damaged", "stored readings end in the middle of one", fmt::format("{} bytes", blob.size()),
                  "restore it from a backup, or collect into a new run"};
  Reading reading;
  while (!blob.empty()) {
    if (blob.size() < k_head_bytes) return cut;
    const std::uint32_t first = load_u32(blob.data());
    const std::size_t payload = load_u32(blob.data() + 4);
    const std::uint64_t readings = load_u32(blob.data() + 8);
    blob = blob.subspan(k_head_bytes);
    reading.round = static_cast<std::uint16_t>(first);
    const std::uint16_t slot = first >> 16 == 0 ? std::uint16_t{0} : reading.round;
    if (blob.size() / (k_reading_bytes + payload) < readings) return cut;
    for (std::uint64_t i = 0; i < readings; ++i) {
      reading.pseudonym = load_name(blob.data());
      reading.number = load_u32(blob.data() + 8);
      const std::span<const std::uint8_t> own = blob.subspan(k_reading_bytes, payload);
      reading.payload.assign(own.begin(), own.end());
      blob = blob.subspan(k_reading_bytes + payload);
      visit(slot, reading);
    }
  }
  return Done{};
}

}  // namespace sotto::analyzer
