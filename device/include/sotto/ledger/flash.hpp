// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The hooks through which the ledger reaches hardware: the flash that it is written to, and optionally a lock, a
/// monotonic counter against older copies of the flash, and a secret key against forged ones. A firmware fills these
/// structs in; device/ports has examples.

#include <cstddef>
#include <cstdint>

#include "sotto/status.hpp"

namespace sotto {

/// The geometry of the flash that only the ledger uses: equal sectors, addressed in bytes from 0. The ledger's header
/// repeats these 8 bytes.
struct FlashGeometry {
  std::uint32_t sector_bytes = 0;  ///< 512 to 2^20, a multiple of 32; must have room for several images
  std::uint16_t sectors = 0;       ///< 2 to 2048
  std::uint8_t program_unit = 0;   ///< 1, 2, 4, 8, 16 or 32 bytes
  std::uint8_t erased = 0xff;      ///< the value of an erased byte: 0xff or 0x00
};
static_assert(sizeof(FlashGeometry) == 8);

/// The flash hooks.
/// read     returns the bytes as they are. A word that a power cut left half programmed may have any value, but reading
///          it must neither fail nor fault.
/// program  programs whole, aligned program units, each once after an erase. The hook splits at page boundaries.
/// erase    erases one whole sector.
/// sync     returns true when all earlier writes will survive a power cut. Until then they may complete in any order.
/// A hook that fails returns false: nothing more is written, the ledger closes, and open() reads what is really in the
/// flash.
struct [[gnu::may_alias]] Flash {
  void* context = nullptr;
  bool (*read)(void* context, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) = nullptr;
  bool (*program)(void* context, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) = nullptr;
  bool (*erase)(void* context, std::uint32_t sector) = nullptr;
  bool (*sync)(void* context) = nullptr;
  FlashGeometry geometry;
};

/// A lock, for a ledger that more than one thread or core uses. Without it the ledger must be used from one thread
/// only, and a hook that calls back is refused as `busy`.
struct [[gnu::may_alias]] Lock {
  void* context = nullptr;
  bool (*enter)(void* context) = nullptr;  ///< false refuses the call as `busy`
  void (*leave)(void* context) = nullptr;
};

struct Counter;
/// What the ledger asks of its counter.
enum class Settle : std::uint8_t {
  advance,  ///< set the counter to the ledger's number of acts, which is at most one ahead
  create,   ///< advance the counter by one, and start a new ledger's number of acts there
  open,     ///< set the ledger's number one ahead and return `busy`: the ledger is written before the counter
};
/// The library's part of the counter: compares the ledger's number of acts with the counter, then does what `what`
/// asks.
/// Refuses  rolled_back, counter_fault.
Status settle_counter(const Counter& counter, std::uint32_t& acts, Settle what) noexcept;

/// A monotonic counter in hardware (secure element, RPMB). With it an older copy of the flash is refused as
/// `rolled_back`. It advances by one with each charge, removal, change of consent or policy, create() and open()
/// (shared/spec/LEDGER.md, section 7).
struct [[gnu::may_alias]] Counter {
  void* context = nullptr;
  bool (*read)(void* context, std::uint32_t* value) = nullptr;
  bool (*advance)(void* context, std::uint32_t value) = nullptr;  ///< to `value`, which is one more than before
  /// The library's part. It is a pointer so that a firmware without a counter does not link that code.
  Status (*settle)(const Counter& counter, std::uint32_t& acts, Settle what) noexcept = settle_counter;
};

struct ImageKey;
struct ImageHead;
/// Writes the tag of an image and marks the image as keyed, or, if `check`, returns whether its tag is correct. The tag
/// is the first 16 bytes of the HMAC over the image without its checksum, with zeros in place of the tag. After a check
/// the version field is that of an image without a key, or 0 if the image was written without a key. `fault` becomes
/// seal_fault if the hook failed.
bool tag_image(const ImageKey& key, ImageHead& image, bool check, Status& fault) noexcept;

/// A secret key in this device's hardware (secure element, key slot of a crypto engine, TrustZone service). With it an
/// image without the correct tag is ignored, so an attacker who can write the flash but does not have the key cannot
/// forge a ledger. It does not detect an older copy of the flash; a Counter does. A ledger that is created with a key
/// needs the same key for its whole life.
struct [[gnu::may_alias]] ImageKey {
  void* context = nullptr;
  /// Computes the HMAC-SHA-256 of the bytes, or another 32-byte authentication code under the key. The key itself stays
  /// in the hardware: the hook gets the bytes, the library does not get the key. In software: HmacSha256
  /// (sotto/hmac.hpp).
  bool (*code)(void* context, const std::uint8_t* bytes, std::size_t count, std::uint8_t out[32]) = nullptr;
  /// The library's part. It is a pointer so that a firmware without a key does not link that code.
  bool (*tag)(const ImageKey& key, ImageHead& image, bool check, Status& fault) noexcept = tag_image;
};

/// When the ledger turns to its protections.
enum class Moment : std::uint8_t {
  advance = static_cast<std::uint8_t>(Settle::advance),  ///< these three are what the counter is asked
  create = static_cast<std::uint8_t>(Settle::create),
  open = static_cast<std::uint8_t>(Settle::open),
  enter,  ///< a call begins: the lock
  leave,  ///< and ends
  tag,    ///< an image is about to be written: the key
  check,  ///< an image was read
};
struct LedgerHooks;
/// The library's part of the protections: hands each moment to the lock, the counter or the key that is set.
/// Refuses  enter: busy; counter_fault, ledger_foreign (a counter or key without its own library's part, which would
///          protect nothing). check: ledger_corrupt (the tag). The others: what settle_counter() refuses. `fault`
///          becomes seal_fault if the key's hook failed.
Status protect_ledger(const LedgerHooks& hooks, ImageHead& image, Moment moment, Status& fault) noexcept;

/// Optional protections of the ledger. The objects must outlive the ledger.
struct [[gnu::may_alias]] LedgerHooks {
  const Lock* lock = nullptr;
  const Counter* counter = nullptr;
  const ImageKey* key = nullptr;
  /// The library's part. It is a pointer so that a firmware without protections does not link that code. Null: none of
  /// the three is used.
  Status (*protect)(const LedgerHooks& hooks, ImageHead& image, Moment moment, Status& fault) noexcept = protect_ledger;
};

}  // namespace sotto
