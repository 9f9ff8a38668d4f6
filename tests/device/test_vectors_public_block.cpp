// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The reference's vectors of public_block, bit for bit.
#include "sotto/spec/block.hpp"
#include "vector_row.hpp"
#include "vectors_public_block.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using vectors::Row;

void blocks_are_the_references() {
  std::size_t n = 0;
  for (const vectors::PublicBlock& v : vectors::k_public_block) {
    const Row row{n++};
    std::uint32_t taken[k_block_width_max];
    block_coordinates({v.study.data(), v.pseudonym, v.round}, v.coordinates, {taken, v.width});
    TEST_ASSERT_EQUAL_UINT32_ARRAY_MESSAGE(vectors::k_public_block_taken + v.first_taken, taken, v.width, row.text());
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(blocks_are_the_references);
  return UNITY_END();
}
