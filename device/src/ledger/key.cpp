// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/ledger/image.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

Status tag_image(const ImageKey& key, ImageHead& image, std::uint32_t bytes, bool check) noexcept {
  std::uint8_t found[k_image_tag_bytes], code[32];
  __builtin_memcpy(found, image.tag, sizeof found);
  wipe(image.tag, sizeof image.tag);
  const std::size_t checksum = sizeof image.checksum;  // it covers the tag
  const bool done = key.code(key.context, reinterpret_cast<const std::uint8_t*>(&image) + checksum, bytes - checksum, code);
  // In constant time: what is near the right tag must not show.
  std::uint32_t difference = 0;
  for (std::size_t i = 0; i < sizeof found; ++i) difference |= std::uint32_t{found[i]} ^ code[i];
  if (check) {
    __builtin_memcpy(image.tag, found, sizeof found);
  } else {
    __builtin_memcpy(image.tag, code, sizeof image.tag);
    difference = 0;
  }
  wipe(code, sizeof code);
  if (!done) return Status::seal_fault;
  return difference == 0 ? Status::ok : Status::ledger_corrupt;
}

}  // namespace sotto
