// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A row of the protocol registry: the facts and the two functions with which the analyzer plans and starts a protocol.

#include <memory>
#include <span>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// A protocol in the registry. Its folder defines the row; protocol/registry/rows.cpp lists it.
struct ProtocolRow {
  ProtocolFacts facts;
  /// Plans the study: what the manifest must state, and in `own` what start() needs. It may set terms that the study
  /// leaves open, with a reason.
  Result<ProtocolPlan> (*plan)(RegressionTerms& terms);
  /// Starts the protocol from its plan. Manifest and design must outlive it. Without a design a label study can be
  /// opened but not closed.
  std::unique_ptr<Protocol> (*start)(const RegressionTerms& terms, const ProtocolPlan& plan, const Manifest& manifest,
                                     const PublicDesign* design);
};

/// The protocols of this library (protocol/registry/rows.cpp).
[[nodiscard]] std::span<const ProtocolRow* const> product_rows();
/// The protocols of this program: those of the library, unless the program defines its own list.
[[nodiscard]] std::span<const ProtocolRow* const> protocol_rows();

}  // namespace sotto::analyzer
