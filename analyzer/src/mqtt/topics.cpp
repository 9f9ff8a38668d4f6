// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "topics.hpp"

#include <fmt/format.h>

#include "sotto/sha256.hpp"

namespace sotto::analyzer {

std::string topic_of(std::string_view digest, std::string_view what) {
  return fmt::format("sotto/{}/{}", digest.substr(0, 8), what);
}

std::string receipt_topic(std::string_view digest, std::span<const std::uint8_t> message) {
  Digest hash{};
  sha256(message, hash);
  std::string name = "a/";
  for (std::size_t i = 0; i < 8; ++i) name += fmt::format("{:02x}", hash[i]);
  return topic_of(digest, name);
}

}  // namespace sotto::analyzer
