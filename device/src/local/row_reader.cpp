// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "rows.hpp"

namespace sotto {

Q15 RowReader::next() noexcept {
  if (next_ >= end_) return 0;
  const std::uint32_t at = next_++ % k_row_block;
  if (at == 0) {
    const std::uint32_t first = next_ - 1, left = end_ - first;
    block_ = sample_columns(samples_, row_, first, left < k_row_block ? left : k_row_block, buffer_);
  }
  return block_[at];
}

}  // namespace sotto
