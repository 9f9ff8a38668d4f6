// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <string_view>

#include "sotto/analyzer/data/public_design.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/study/study.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// Sets terms.protocol and says why. "auto" follows from the study alone; any other word is the protocol's name, or false.
bool choose_protocol(std::string_view word, RegressionTerms& terms);

/// What the chosen protocol plans. Settles what the terms leave open, such as the way of collecting once, and says why.
/// Refuses  protocol.*: nothing that this fleet could answer.
[[nodiscard]] Result<ProtocolPlan> plan_protocol(RegressionTerms& terms);

/// The machine of a study, from its plan. `manifest` must outlive it, and so must `design`: the features of a label study, without which
/// its round can be opened and not closed.
/// Refuses  protocol.none: the study has no protocol.
[[nodiscard]] Result<std::unique_ptr<Protocol>> start_protocol(const Study& study, const Manifest& manifest,
                                                               const PublicDesign* design = nullptr);

}  // namespace sotto::analyzer
