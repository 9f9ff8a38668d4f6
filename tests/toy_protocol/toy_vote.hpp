// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include "sotto/analyzer/protocol/frame/row.hpp"

namespace sotto::analyzer {

/// A protocol that is in no product: one vote of everybody, and a model that lists the votes. It stands for whatever is added next.
extern const ProtocolRow k_toy_vote_row;

}  // namespace sotto::analyzer
