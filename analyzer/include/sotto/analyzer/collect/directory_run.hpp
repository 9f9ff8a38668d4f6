// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A protocol study in its directory: `sotto estimate` and the Python package collect with it.

#include <cstdint>
#include <memory>
#include <optional>

#include "sotto/analyzer/collect/collected_run.hpp"
#include "sotto/analyzer/collect/study_directory.hpp"
#include "sotto/analyzer/data/design_file.hpp"
#include "sotto/analyzer/files/directory_lock.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/store/run_store.hpp"

namespace sotto::analyzer {

/// What the caller is going to do: adding reports creates the store and needs the master key, closing needs the
/// features of a label study.
struct DirectoryUse {
  bool adds = false, closes = false;
};

/// A study's run with all that its directory holds. Nobody else works in the directory while this lives.
class DirectoryRun {
 public:
  /// `directory` must outlive this object, and be of a study with a protocol.
  /// Refuses  estimate.no_run: nothing was collected, and nothing is added; estimate.no_key; estimate.other_run,
  ///          estimate.other_round: files are of another study; store.busy; what the key, the store and the run refuse.
  [[nodiscard]] static Result<std::unique_ptr<DirectoryRun>> open(const StudyDirectory& directory, DirectoryUse use);

  [[nodiscard]] CollectedRun& run() noexcept { return *run_; }
  [[nodiscard]] RunStore& store() noexcept { return *store_; }
  /// Ensures that the round file equals the round that the run asks. A missing file is written again.
  [[nodiscard]] Result<Done> keep_round_file();

 private:
  DirectoryRun(const StudyDirectory& directory, DirectoryLock lock) : directory_(directory), lock_(std::move(lock)) {}

  const StudyDirectory& directory_;
  DirectoryLock lock_;
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<DesignFile> design_;
  std::unique_ptr<CollectedRun> run_;
};

/// The error of an authenticated study without DIR/master.key.
[[nodiscard]] Error no_master_key(const StudyDirectory& directory);

}  // namespace sotto::analyzer
