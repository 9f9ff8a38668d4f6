// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "fields.hpp"

#include "sotto/wipe.hpp"

namespace sotto {

std::uint32_t load_u16(const std::uint8_t* p) noexcept { return p[0] | std::uint32_t{p[1]} << 8; }

Status read_frame(const std::span<const std::uint8_t>& bytes, const Frame& frame, void* out) noexcept {
  if (bytes.size() > frame.largest) return Status::too_large;
  if (bytes.size() < 5) return Status::truncated;
  const std::uint8_t* const p = bytes.data();
  if (!equal_bytes(p, &frame.magic, 4)) return Status::bad_magic;
  if (p[4] != k_wire_version) return Status::unsupported_version;
  if (bytes.size() < frame.fixed_bytes) return Status::truncated;
  wipe(out, frame.struct_bytes);
  const std::uint8_t* from = p + 5;
  for (const Field *f = frame.fields, *const end = f + frame.field_count; f != end; ++f) {
    const std::uint32_t above = f->bytes == 1 ? std::uint32_t{*from} - f->min : (load_u16(from) - f->min) >> 8;
    if (above > f->span) return Status::bad_field;
    __builtin_memcpy(static_cast<std::uint8_t*>(out) + f->to, from, f->bytes);
    from += f->bytes;
  }
  return Status::ok;
}

Status split_signature(const std::span<const std::uint8_t>& bytes, const std::uint8_t* end, SignedBytes& out) noexcept {
  const auto body_bytes = static_cast<std::size_t>(end - bytes.data());
  std::size_t left = bytes.size() - body_bytes;
  if (bytes.size() < body_bytes) return Status::truncated;
  out.body = {bytes.data(), body_bytes};
  if (left != 0) {
    --left;
    const std::size_t size = *end++;
    if (size - 1 >= k_signature_max_bytes || left > size) return Status::trailing_bytes;
    if (left < size) return Status::truncated;
  }
  out.signature = {end, left};
  return Status::ok;
}

}  // namespace sotto
