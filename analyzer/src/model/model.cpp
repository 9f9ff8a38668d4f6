// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/model/model.hpp"

#include "sotto/analyzer/study/protocol_facts.hpp"

namespace sotto::analyzer {

bool is_collected_once(const Model& model) {
  const ProtocolFacts* const protocol = find_protocol(model.protocol);
  return protocol != nullptr && protocol->collects_once();
}

bool is_mean(const Model& model) {
  const ProtocolFacts* const protocol = find_protocol(model.protocol);
  return protocol != nullptr && protocol->learned == Learned::mean;
}

}  // namespace sotto::analyzer
