// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/model/model.hpp"

#include "sotto/analyzer/study/protocol_facts.hpp"

namespace sotto::analyzer {

std::string_view against_text(Against against) {
  switch (against) {
    case Against::device: return "device";
    case Against::all: return "all";
    case Against::zero: return "zero";
  }
  return "";
}

bool is_collected_once(const Model& model) {
  const ProtocolFacts* const protocol = find_protocol(model.protocol);
  return protocol != nullptr && protocol->collects_once();
}

bool is_mean(const Model& model) {
  const ProtocolFacts* const protocol = find_protocol(model.protocol);
  return protocol != nullptr && protocol->learned == Learned::mean;
}

}  // namespace sotto::analyzer
