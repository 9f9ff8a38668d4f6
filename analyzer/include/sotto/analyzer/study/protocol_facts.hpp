// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/math/target_link.hpp"
#include "sotto/analyzer/study/once_terms.hpp"

namespace sotto::analyzer {

/// What a protocol gives out.
enum class Learned : std::uint8_t { coefficients, mean, function };

/// How a protocol stands in the table of its family (`sotto simulate --compare`).
enum class Compared : std::uint8_t {
  never,
  itself,
  with_paper,    ///< twice: by default, and with the paper's own mechanisms
  every_label,   ///< once for each way to randomize a label
  chosen_label,  ///< with the way that the command names
  every_way,     ///< once for each way to collect once
};

inline constexpr TargetLink k_linear_targets[] = {TargetLink::identity};
inline constexpr TargetLink k_linear_and_class_targets[] = {TargetLink::identity, TargetLink::logistic};
inline constexpr TargetLink k_all_targets[] = {TargetLink::identity, TargetLink::cosine, TargetLink::logistic};

/// What may be known of a protocol outside of its own folder. Every list, help text, default and page reads it here; the functions that
/// belong to it stand in the same row of the registry (protocol/frame/row.hpp).
struct ProtocolFacts {
  std::string_view name;    ///< in study files and on the command line
  std::string_view family;  ///< of protocols that are compared with each other
  Compared compared = Compared::never;
  Learned learned = Learned::coefficients;
  std::span<const TargetLink> links = k_linear_targets;  ///< that it can learn behind
  /// Ways to ask for one report of each device, the paper's first. Not empty: the protocol collects once.
  std::span<const OnceWay> ways = {};
  bool asks_labels = false;   ///< the analyzer holds the features, and a device sends its target alone
  bool takes_rounds = false;  ///< a study may say how many there are
  bool takes_tables = false;  ///< `sotto bench data` runs it on files of real users
  /// It keeps variables that it cannot tell from noise, because together they predict, and states only those that are found.
  bool states_found_only = false;
  std::uint32_t features_min = 2;
  /// What a simulation uses where the command says nothing: rows of a device, delta, the target's link.
  std::string_view samples = "100";
  double delta = 0;
  TargetLink link = TargetLink::identity;
  /// The protocol that a study means which asks for this one with a mechanism that collects once.
  std::string_view once_name = {};
  /// What the direct way assumes, for a page; empty: nothing beside the others.
  std::string_view direct_assumes = {};

  [[nodiscard]] bool collects_once() const noexcept { return !ways.empty(); }
  [[nodiscard]] bool takes(TargetLink target) const noexcept;
};

/// Of terms that no protocol was chosen for.
inline constexpr ProtocolFacts k_no_protocol{.name = "model", .family = ""};

/// All of them, in the order of lists. Defined by the registry (protocol/registry), which stands above.
[[nodiscard]] std::span<const ProtocolFacts* const> protocol_facts();
/// Nothing: there is no protocol of this name.
[[nodiscard]] const ProtocolFacts* find_protocol(std::string_view name);
/// The same for a name beside a mechanism: "sparse-mean" with "direct" is the protocol that collects once.
[[nodiscard]] const ProtocolFacts* find_protocol(std::string_view name, std::string_view mechanism);

/// Names of the protocols that `is_meant`, in the order of lists, with `between` in between and `last` before the last one.
[[nodiscard]] std::string protocol_names(bool (*is_meant)(const ProtocolFacts&), std::string_view between,
                                         std::string_view last);

}  // namespace sotto::analyzer
