// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A study of one vote whose reports arrive over days: one round, whose shares are the model.

#include <memory>
#include <optional>

#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/collect/collection.hpp"

namespace sotto::analyzer {

/// The vote of a study without a protocol. Only the store persists between processes.
class CollectedVote final : public Collection {
 public:
  /// Study and store must outlive this object. Without `master` sealed reports cannot be added.
  /// Refuses  collect.other_study: the study is not the one that the store's manifest was compiled from; what the store
  ///          and the collector refuse.
  [[nodiscard]] static Result<std::unique_ptr<CollectedVote>> open(const Study& study, RunStore& store,
                                                                   const std::optional<MasterKey>& master);

  Result<Done> close() override;
  [[nodiscard]] Model model() const override;

 private:
  using Collection::Collection;

  std::vector<std::uint8_t> asked_;  ///< the bytes of the round
  std::optional<RoundAggregate> sums_;
};

}  // namespace sotto::analyzer
