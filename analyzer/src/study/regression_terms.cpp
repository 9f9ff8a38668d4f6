// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/study/regression_terms.hpp"

#include <algorithm>
#include <array>

namespace sotto::analyzer {
namespace {

constexpr std::array<std::string_view, 5> k_ways{"default", "paper", "moments", "direct", "binned"};
constexpr std::array<std::string_view, 5> k_label_ways{"auto", "one-bit", "window", "laplace", "gaussian"};

}  // namespace

std::string_view way_name(OnceWay way) { return k_ways[static_cast<std::size_t>(way)]; }

std::optional<OnceWay> parse_way(std::string_view word) {
  if (word == "projected") return OnceWay::paper;
  const auto at = std::ranges::find(k_ways, word);
  if (at == k_ways.end()) return {};
  return static_cast<OnceWay>(at - k_ways.begin());
}

std::string_view label_way_name(LabelWay way) { return k_label_ways[static_cast<std::size_t>(way)]; }

bool choose_label_way(std::string_view word, LabelWay& way) {
  const auto at = std::ranges::find(k_label_ways, word);
  if (at == k_label_ways.end()) return false;
  way = static_cast<LabelWay>(at - k_label_ways.begin());
  return true;
}

}  // namespace sotto::analyzer
