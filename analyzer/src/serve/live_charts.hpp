// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string_view>

#include "sotto/analyzer/html/html.hpp"
#include "study_service.hpp"

// The pictures of a study that is being collected: arrivals, rounds, and reports that do not count.
namespace sotto::analyzer {

[[nodiscard]] html::Html arrivals_chart(const StudyView& view);
/// One field for each round: closed, open, to come.
[[nodiscard]] html::Html rounds_chart(const StudyService& service, const StudyView& view);
/// Reasons and counts; those of 0 are there and hidden, so that the page's script can show them.
[[nodiscard]] html::Html refusals(const StudyView& view);
/// The style of what only live pages have.
[[nodiscard]] std::string_view live_style() noexcept;

}  // namespace sotto::analyzer
