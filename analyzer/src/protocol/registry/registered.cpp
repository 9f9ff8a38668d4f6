// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

// In an object file of its own, so that a program can link its own list in place of this one.
std::span<const ProtocolRow* const> protocol_rows() { return product_rows(); }

}  // namespace sotto::analyzer
