// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Runs a protocol study over days and many processes: takes batches of reports, closes rounds and computes the model,
/// with all state in the store. `sotto estimate` calls it.

#include <memory>
#include <optional>

#include "sotto/analyzer/collect/collection.hpp"
#include "sotto/analyzer/protocol/frame/protocol.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"

namespace sotto::analyzer {

/// A protocol study whose reports arrive over days and many processes. Only the store persists in between: opening
/// replays the closed rounds from their stored sums, up to the open round or the model.
class CollectedRun final : public Collection {
 public:
  /// Study and store must outlive this object, and so must `design`, the features of a label study. Without `master`
  /// sealed reports cannot be added; closed rounds do not need it.
  /// Refuses  collect.other_study: the study is not the one that the store's manifest was compiled from;
  ///          collect.other_round: it asks something else than the stored rounds did; what the store, the collector and
  ///          the protocol refuse.
  [[nodiscard]] static Result<std::unique_ptr<CollectedRun>> open(const Study& study, RunStore& store,
                                                                  const std::optional<MasterKey>& master,
                                                                  const PublicDesign* design = nullptr);

  Result<Done> close() override;
  [[nodiscard]] Model model() const override;

 private:
  using Collection::Collection;

  std::unique_ptr<Protocol> protocol_;
  ReportSizes sizes_;
};

}  // namespace sotto::analyzer
