// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>

#include "sotto/status.hpp"

namespace sotto {

/// Equal sectors, addressed from 0, used by nobody but the ledger. The ledger's header repeats these 8 bytes.
struct FlashGeometry {
  std::uint32_t sector_bytes = 0;  ///< 512 to 2^20, whole lines of 32; with room for several images
  std::uint16_t sectors = 0;       ///< 2 to 2048
  std::uint8_t program_unit = 0;   ///< 1, 2, 4, 8, 16 or 32 bytes
  std::uint8_t erased = 0xff;      ///< what an erased byte reads: 0xff or 0x00
};
static_assert(sizeof(FlashGeometry) == 8);

/// The firmware's flash for the ledger.
/// read     gives the bytes as they are; a word torn by a power cut gives some bytes, never a failure and never a fault.
/// program  whole program units, aligned to them, erased before and programmed once per erase; the hook splits at pages.
/// erase    one sector, all of it.
/// sync     returns true when everything before it will survive a power cut. Until then writes may land in any order.
/// A hook that fails returns false: nothing more is written, the ledger closes, and open() looks at what is really there.
struct Flash {
  void* context = nullptr;
  bool (*read)(void* context, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) = nullptr;
  bool (*program)(void* context, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) = nullptr;
  bool (*erase)(void* context, std::uint32_t sector) = nullptr;
  bool (*sync)(void* context) = nullptr;
  FlashGeometry geometry;
};

/// For more than one thread or core. Without it the ledger is single-threaded, and a second entry is refused as `busy`.
struct Lock {
  void* context = nullptr;
  bool (*enter)(void* context) = nullptr;  ///< false: not now; the call is refused as `busy`
  void (*leave)(void* context) = nullptr;
};

struct Counter;
/// What the ledger wants of its counter.
enum class Settle : std::uint8_t {
  advance,  ///< bring the counter to the ledger's number of acts, which is at most one ahead
  create,   ///< advance the counter by one: a ledger that is created begins there
  open,     ///< number the ledger one ahead of the counter and refuse as `busy`: it is written before the counter moves
};
/// Refuses  rolled_back, counter_fault.
Status settle_counter(const Counter& counter, std::uint32_t& acts, Settle what) noexcept;

/// A number in hardware that only rises (secure element, RPMB). With it a copy of older flash is refused as `rolled_back`. It rises
/// by one with every act that counts, and with every create() and open() (LEDGER.md, section 7).
struct Counter {
  void* context = nullptr;
  bool (*read)(void* context, std::uint32_t* value) = nullptr;
  bool (*advance)(void* context, std::uint32_t value) = nullptr;  ///< to `value`, which is one more than before
  /// The ledger's side of it, named here so that a firmware without a counter does not carry it.
  Status (*settle)(const Counter& counter, std::uint32_t& acts, Settle what) noexcept = settle_counter;
};

struct ImageKey;
struct ImageHead;
/// Makes the image a keyed one with the right tag; or (`check`) says whether its tag is right: the first 16 bytes of the code over
/// the image, the checksum left out and the tag zero. A checked image has the version that it would have without a key, an image
/// that never had one the version 0. `fault` becomes seal_fault if the hook failed.
bool tag_image(const ImageKey& key, ImageHead& image, bool check, Status& fault) noexcept;

/// A key that only this device's hardware knows (secure element, key slot of a crypto engine, a TrustZone service). With it an
/// image without the right tag is no image: who can write the flash, and has no key, cannot write a ledger. It does not stop a
/// copy of older flash: a Counter does. A key is for the whole life of a ledger, from create() on.
struct ImageKey {
  void* context = nullptr;
  /// HMAC-SHA-256 of the bytes, or another code of 32 bytes that only the key's owner can compute. The hook gets the bytes and
  /// not the library the key: a key that hardware keeps cannot be handed out. In software: HmacSha256 (sotto/hmac.hpp).
  bool (*code)(void* context, const std::uint8_t* bytes, std::size_t count, std::uint8_t out[32]) = nullptr;
  /// The ledger's side of it, named here so that a firmware without a key does not carry it.
  bool (*tag)(const ImageKey& key, ImageHead& image, bool check, Status& fault) noexcept = tag_image;
};

/// All optional. What they point to outlives the ledger.
struct LedgerHooks {
  const Lock* lock = nullptr;
  const Counter* counter = nullptr;
  const ImageKey* key = nullptr;
};

}  // namespace sotto
