// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/math/target_link.hpp"

#include <array>
#include <cmath>
#include <string>

namespace sotto::analyzer {
namespace {

constexpr std::array k_links{TargetLink::identity, TargetLink::cosine, TargetLink::logistic};
constexpr double k_cosine_slope = 8;

}  // namespace

std::string_view link_name(TargetLink link) {
  switch (link) {
    case TargetLink::identity: return "identity";
    case TargetLink::cosine: return "cosine";
    case TargetLink::logistic: return "logistic";
  }
  return "unknown";
}

Result<TargetLink> parse_link(std::string_view word) {
  for (const TargetLink link : k_links) {
    if (word == link_name(link)) return link;
  }
  return Error{"link.unknown", "there is no such link", std::string(word), "write identity, cosine or logistic"};
}

double link_value(TargetLink link, double t) {
  switch (link) {
    case TargetLink::identity: return t;
    case TargetLink::cosine: return k_cosine_slope * t + std::cos(t);
    case TargetLink::logistic: return 1 / (1 + std::exp(-t));
  }
  return t;
}

double link_slope(TargetLink link, double t) {
  switch (link) {
    case TargetLink::identity: return 1;
    case TargetLink::cosine: return k_cosine_slope - std::sin(t);
    case TargetLink::logistic: return link_value(link, t) * link_value(link, -t);
  }
  return 1;
}

double link_deviation(TargetLink link) { return link == TargetLink::cosine ? k_cosine_slope : 1; }

}  // namespace sotto::analyzer
