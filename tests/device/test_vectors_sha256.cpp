// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of sha256, bit for bit.
#include "sotto/sha256.hpp"
#include "vector_row.hpp"
#include "vectors_sha256.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;

void digests_do_not_depend_on_the_pieces() {
  std::size_t n = 0;
  for (const vectors::Sha256Text& v : vectors::k_sha256) {
    const Row row{n++};
    const std::span<const std::uint8_t> text{vectors::k_sha256_bytes + v.first, v.length};
    for (const std::size_t piece : {std::size_t{1}, std::size_t{7}, std::size_t{64}, std::size_t{1000}}) {
      Sha256 hash;
      for (std::size_t at = 0; at < text.size(); at += piece)
        hash.add(text.subspan(at, text.size() - at < piece ? text.size() - at : piece));
      Digest digest;
      hash.finish(digest);
      TEST_ASSERT_EQUAL_HEX8_ARRAY_MESSAGE(v.digest.data(), digest.data(), digest.size(), row.text());
    }
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(digests_do_not_depend_on_the_pieces);
  return UNITY_END();
}
