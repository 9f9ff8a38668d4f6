// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The result of a study of one vote as a model: the share of every answer, a verdict, and what else a page tells.

#include <cstdint>
#include <span>
#include <string>

#include "sotto/analyzer/aggregate/vote.hpp"
#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/study/study.hpp"
#include "sotto/wire/manifest.hpp"

namespace sotto::analyzer {

/// A closed round of votes, collected in a store or from files.
struct ClosedVote {
  const Study& study;
  const Manifest& manifest;
  std::span<const std::uint8_t> round;
  VoteShares shares;
  ReasonCounts counts;
  std::string command;  ///< the command that reproduces the model
};

/// Estimate  the shares of VoteAggregate::close(), the largest first, unbiased and so perhaps below 0; "none" last.
/// Error     95 % intervals for an answer that was named beforehand; the verdict corrects for all answers together.
/// Refuses   wire.*: the round is not one of the study.
[[nodiscard]] Result<Model> vote_model(const ClosedVote& vote);

}  // namespace sotto::analyzer
