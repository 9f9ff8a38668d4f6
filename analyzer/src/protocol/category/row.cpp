// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "category.hpp"

namespace sotto::analyzer {
namespace {

template <std::unique_ptr<Protocol> (*start_it)(const RegressionTerms&, const Manifest&)>
std::unique_ptr<Protocol> start(const RegressionTerms& terms, const ProtocolPlan&, const Manifest& manifest,
                                const PublicDesign*) {
  return start_it(terms, manifest);
}

constexpr ProtocolFacts facts(std::string_view name) {
  return {.name = name, .family = "everyday", .learned = Learned::mean, .everyday = true, .samples = "1"};
}

}  // namespace

constinit const ProtocolRow k_category_row{facts("category"), plan_category, start<start_category>};
constinit const ProtocolRow k_crosstab_row{facts("crosstab"), plan_category, start<start_category>};
constinit const ProtocolRow k_top_row{facts("top"), plan_top, start<start_top>};

}  // namespace sotto::analyzer
