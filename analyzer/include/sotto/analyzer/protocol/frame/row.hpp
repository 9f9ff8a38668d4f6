// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <span>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// A protocol in the registry: what is known of it, and what it does. Its folder defines the row; protocol/registry/rows.cpp lists it.
struct ProtocolRow {
  ProtocolFacts facts;
  /// What a manifest must say, and in `own` what start() goes by. May settle what the terms leave open, and say why.
  Result<ProtocolPlan> (*plan)(RegressionTerms& terms);
  /// The machine of a study that was planned so. Manifest and design outlive it; without a design a label study is opened and not closed.
  std::unique_ptr<Protocol> (*start)(const RegressionTerms& terms, const ProtocolPlan& plan, const Manifest& manifest,
                                     const PublicDesign* design);
};

/// The protocols of this library (protocol/registry/rows.cpp).
[[nodiscard]] std::span<const ProtocolRow* const> product_rows();
/// The protocols of this program: those of the library, unless the program defines a list of its own.
[[nodiscard]] std::span<const ProtocolRow* const> protocol_rows();

}  // namespace sotto::analyzer
