// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// What a simulation says in its study file. Sizes are in standard deviations of features and target.
struct StudyDraft {
  std::string name;
  double epsilon = 1, delta = 0;
  std::string protocol = "auto";
  bool paper = false;
  std::uint64_t devices = 0;
  std::uint32_t samples = 100;
  std::uint32_t features = 0;
  std::uint32_t sparsity = 8;
  double noise = 1, norm = 1;
  bool correlated = false;
  bool signs = false;          ///< features are -1 or +1
  std::string label = "auto";  ///< labels: how they are randomized
  bool target_is_normal = false;
  double target_deviation = 1;  ///< of labels
  TargetLink link = TargetLink::identity;
  std::uint32_t rounds = 0;  ///< 0: the protocol chooses
  AssumedFrom source = AssumedFrom::truth;
  bool authenticated = true;
  std::uint32_t minimum = 0;          ///< of reports, for a round to close
  std::optional<OnceTerms> once;      ///< of protocols that collect once
  double full_scale = 4;              ///< devices hold so many standard deviations on either side
  std::vector<Quantity> quantities;   ///< one for each feature, or none: readings are standard already
  Quantity target;                    ///< `scale` is one standard deviation, here and in `quantities`
  std::vector<std::string> comments;  ///< at the top of the file
};

/// The study file of a simulation: read_study() reads it, a person can change it, devices would load what it compiles to.
[[nodiscard]] std::string study_text(const StudyDraft& draft);

}  // namespace sotto::analyzer
