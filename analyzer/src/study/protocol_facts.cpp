// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/study/protocol_facts.hpp"

#include <algorithm>
#include <vector>

namespace sotto::analyzer {

bool ProtocolFacts::takes(TargetLink target) const noexcept { return std::ranges::find(links, target) != links.end(); }

const ProtocolFacts* find_protocol(std::string_view name) {
  for (const ProtocolFacts* facts : protocol_facts()) {
    if (facts->name == name) return facts;
  }
  return nullptr;
}

const ProtocolFacts* find_protocol(std::string_view name, std::string_view mechanism) {
  const ProtocolFacts* const facts = find_protocol(name);
  const bool is_once = mechanism == "direct" || mechanism == "projected";
  return facts != nullptr && is_once && !facts->once_name.empty() ? find_protocol(facts->once_name) : facts;
}

std::string protocol_names(bool (*is_meant)(const ProtocolFacts&), std::string_view between, std::string_view last) {
  std::vector<std::string_view> names;
  for (const ProtocolFacts* facts : protocol_facts()) {
    if (is_meant(*facts)) names.push_back(facts->name);
  }
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (i > 0) text += i + 1 == names.size() ? last : between;
    text += names[i];
  }
  return text;
}

}  // namespace sotto::analyzer
