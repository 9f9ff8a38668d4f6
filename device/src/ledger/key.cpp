// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Authentication of the ledger's image with a hardware key.
#include "sotto/ledger/image.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

bool tag_image(const ImageKey& key, ImageHead& image, bool check, Status& fault) noexcept {
  if (check && image.version != (k_ledger_version | k_ledger_keyed)) {
    image.version = 0;  // a valid image that was written without a key
    return true;
  }
  image.version = k_ledger_version | k_ledger_keyed;
  std::uint8_t found[k_image_tag_bytes], code[32];
  __builtin_memcpy(found, image.tag, sizeof found);
  wipe(image.tag, sizeof image.tag);
  const std::size_t checksum = sizeof image.checksum;  // the checksum covers the tag, so the tag does not cover it
  const bool done = key.code(key.context, reinterpret_cast<const std::uint8_t*>(&image) + checksum,
                             image_bytes(image) - checksum, code);
  if (!done) fault = Status::seal_fault;
  // In constant time, so that the duration does not reveal how many bytes of a tag are right.
  std::uint32_t difference = 0;
  for (std::size_t i = 0; i < sizeof found; ++i) difference |= std::uint32_t{found[i]} ^ code[i];
  __builtin_memcpy(image.tag, check ? found : code, sizeof image.tag);
  wipe(code, sizeof code);
  if (check) image.version = k_ledger_version;
  return done && (!check || difference == 0);
}

}  // namespace sotto
