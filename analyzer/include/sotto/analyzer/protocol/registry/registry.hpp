// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// All protocols by name: chooses the protocol of a study, plans it and starts it.

#include <memory>
#include <string_view>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/study.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// Sets terms.protocol and the reason. "auto" chooses by the study's terms; any other word must be a protocol's name,
/// or the result is false.
bool choose_protocol(std::string_view word, RegressionTerms& terms);

/// The plan of the chosen protocol. Sets terms that the study leaves open, such as the way of collecting once, and the
/// reason.
/// Refuses  protocol.*: this fleet cannot answer what the protocol would ask.
[[nodiscard]] Result<ProtocolPlan> plan_protocol(RegressionTerms& terms);

/// Starts the protocol of a study from its plan. `manifest` must outlive it, and so must `design`, the features of a
/// label study; without a design its round can be opened but not closed.
/// Refuses  protocol.none: the study has no protocol.
[[nodiscard]] Result<std::unique_ptr<Protocol>> start_protocol(const Study& study, const Manifest& manifest,
                                                               const PublicDesign* design = nullptr);

}  // namespace sotto::analyzer
