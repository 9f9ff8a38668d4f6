// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "study_service.hpp"

// The one place where reports come in, however they travelled.
namespace sotto::analyzer {

/// What became of a body: whether it was a report or a batch at all, and the outcome of its reports.
using BodyAnswer = std::function<void(bool is_readable, const Outcome& outcome)>;

/// Takes one report, or the reports of a batch. The answer comes when they are on the disk. False if too many wait: nothing
/// was taken, and there is no answer.
[[nodiscard]] bool take_body(StudyService& service, std::vector<std::uint8_t> body, BodyAnswer answer);

}  // namespace sotto::analyzer
