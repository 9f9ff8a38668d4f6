// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <vector>

#include "toy_vote.hpp"

namespace sotto::analyzer {

std::span<const ProtocolRow* const> protocol_rows() {
  static const std::vector<const ProtocolRow*> k_rows = [] {
    std::vector<const ProtocolRow*> rows(product_rows().begin(), product_rows().end());
    rows.push_back(&k_toy_vote_row);
    return rows;
  }();
  return k_rows;
}

}  // namespace sotto::analyzer
