// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// What the rest of the analyzer may know of a protocol: its name, family, links, defaults and properties. Help texts,
/// lists and defaults are all derived from this.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/math/target_link.hpp"
#include "sotto/analyzer/study/once_terms.hpp"

namespace sotto::analyzer {

/// What a protocol estimates.
enum class Learned : std::uint8_t { coefficients, mean, function };

/// How often a protocol appears in the comparison of its family (`sotto simulate --compare`).
enum class Compared : std::uint8_t {
  never,
  itself,
  with_paper,    ///< twice: with its defaults, and with the paper's own mechanisms
  every_label,   ///< once for each way of randomizing a label
  chosen_label,  ///< with the way that the command line names
  every_way,     ///< once for each OnceWay that it has
};

inline constexpr TargetLink k_linear_targets[] = {TargetLink::identity};
inline constexpr TargetLink k_linear_and_class_targets[] = {TargetLink::identity, TargetLink::logistic};
inline constexpr TargetLink k_all_targets[] = {TargetLink::identity, TargetLink::cosine, TargetLink::logistic};

/// What is known of a protocol outside of its own folder. Its functions are in the same row of the registry
/// (protocol/frame/row.hpp).
struct ProtocolFacts {
  std::string_view name;    ///< in study files and on the command line
  std::string_view family;  ///< protocols of one family can be compared with each other
  Compared compared = Compared::never;
  Learned learned = Learned::coefficients;
  std::span<const TargetLink> links = k_linear_targets;  ///< links of the target that it supports
  /// For a protocol that collects once: its ways, the paper's first. Empty for protocols with several rounds.
  std::span<const OnceWay> ways = {};
  bool everyday = false;      ///< an everyday question, which studies ask by [question]
  bool asks_labels = false;   ///< the analyzer holds the features, and a device reports only its target
  bool takes_rounds = false;  ///< a study may set the number of rounds
  bool takes_tables = false;  ///< `sotto bench data` runs it on files of real users
  /// It keeps variables that it cannot distinguish from noise, because together they predict, and reports as found only
  /// those that it can.
  bool states_found_only = false;
  /// A device answers from all of its rows, and so may centre and scale them itself; its model is validated on devices
  /// that taught it nothing.
  bool from_all_rows = false;
  /// Where the study states scales, its devices centre their rows and keep these: the model predicts levels better.
  bool prefers_stated_scales = false;
  std::uint32_t features_min = 2;
  /// Defaults of a simulation: rows of a device, delta, link of the target.
  std::string_view samples = "100";
  double delta = 0;
  TargetLink link = TargetLink::identity;
  /// The protocol that is meant if a study names this one together with a mechanism that collects once.
  std::string_view once_name = {};
  /// What the direct way assumes, for a page; empty if nothing.
  std::string_view direct_assumes = {};

  [[nodiscard]] bool collects_once() const noexcept { return !ways.empty(); }
  [[nodiscard]] bool takes(TargetLink target) const noexcept;
};

/// For terms without a chosen protocol.
inline constexpr ProtocolFacts k_no_protocol{.name = "model", .family = ""};

/// All protocols, in the order of lists. Defined in protocol/registry, a higher module.
[[nodiscard]] std::span<const ProtocolFacts* const> protocol_facts();
/// Null if there is no protocol of this name.
[[nodiscard]] const ProtocolFacts* find_protocol(std::string_view name);
/// The same for a name with a mechanism: "sparse-mean" with "direct" is the protocol that collects once.
[[nodiscard]] const ProtocolFacts* find_protocol(std::string_view name, std::string_view mechanism);

/// The names of the protocols for which `is_meant` is true, in the order of lists, joined by `between`, with `last`
/// before the last one.
[[nodiscard]] std::string protocol_names(bool (*is_meant)(const ProtocolFacts&), std::string_view between,
                                         std::string_view last);

}  // namespace sotto::analyzer
