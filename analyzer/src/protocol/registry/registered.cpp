// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

// Alone in its object file: a program that defines a longer list is linked with that one.
std::span<const ProtocolRow* const> protocol_rows() { return product_rows(); }

}  // namespace sotto::analyzer
