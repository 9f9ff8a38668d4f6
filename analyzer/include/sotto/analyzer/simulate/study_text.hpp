// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Writes the study file of a simulation.

#include <string>
#include <vector>

#include "sotto/analyzer/study/study.hpp"

namespace sotto::analyzer {

/// Text as a TOML string.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// The table [between] of a simulation's study file.
struct BetweenDraft {
  std::vector<std::string> features;
  std::uint32_t variables = 1;
  double explained = 0.3, share = 0.5;
  bool insist = false;
};

/// The contents of a simulation's study file. Sizes are in standard deviations of features and target.
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
  RowUnits units = RowUnits::own;    ///< of protocols whose devices may choose; others state them
  bool is_stated = false;            ///< the protocol "auto" is one of the others
  std::optional<double> validation;  ///< share of devices; nothing: the default
  bool correlated = false;
  bool signs = false;          ///< features are -1 or +1
  std::string label = "auto";  ///< labels: how they are randomized
  bool target_is_normal = false;
  double target_deviation = 1;  ///< for labels
  TargetKind kind = TargetKind::number;
  TargetLink link = TargetLink::identity;
  std::uint32_t rounds = 0;  ///< 0: the protocol chooses
  AssumedFrom source = AssumedFrom::truth;
  bool authenticated = true;
  std::uint32_t minimum = 0;            ///< least number of reports to close a round
  std::optional<OnceTerms> once;        ///< for protocols that collect once
  std::optional<BetweenDraft> between;  ///< for stated units
  double full_scale = 4;                ///< full scale, in standard deviations
  std::vector<Quantity> quantities;     ///< one for each feature, or none if readings are in standard units
  std::vector<StudyColumn> columns;     ///< what the features are made of, where that is stated
  Quantity target;                      ///< `scale` is one standard deviation, here and in `quantities`
  double own_target_scale =
      0;  ///< one standard deviation of the target on a device that uses its own units; 0: not known
  std::vector<std::string> comments;  ///< at the top of the file
};

/// The study file as text. read_study() reads it, a person can edit it, and it compiles to what devices would load.
[[nodiscard]] std::string study_text(const StudyDraft& draft);

}  // namespace sotto::analyzer
