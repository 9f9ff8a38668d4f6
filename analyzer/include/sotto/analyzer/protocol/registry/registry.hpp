// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <string_view>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/protocol_plan.hpp"
#include "sotto/analyzer/study/regression_terms.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// Sets terms.protocol and says why. "auto" follows from the study alone; any other word is the protocol's name, or false.
bool choose_protocol(std::string_view word, RegressionTerms& terms);

/// Refuses  protocol.*: nothing that this fleet could answer.
[[nodiscard]] Result<ProtocolPlan> plan_protocol(const RegressionTerms& terms);

/// The same for terms that leave the way of collecting once open: settles it, the least predicted error of those that the study allows.
/// Refuses  protocol.no_way: every way is refused; protocol.small_fleet: the way is known to learn nothing.
[[nodiscard]] Result<ProtocolPlan> settle_protocol(RegressionTerms& terms);

/// The machine of a study. `manifest` must outlive it, and so must `design`: the features of a label study, without which its round can be
/// opened and not closed.
[[nodiscard]] Result<std::unique_ptr<Protocol>> start_protocol(const RegressionTerms& terms, const Manifest& manifest,
                                                               const PublicDesign* design = nullptr);

}  // namespace sotto::analyzer
