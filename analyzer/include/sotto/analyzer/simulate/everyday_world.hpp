// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// The fleets of everyday questions: what each device would answer, the study that asks, and how far its estimates are
/// off. study/everyday_terms.hpp says what a family of kinds provides.

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sotto/analyzer/data/words.hpp"
#include "sotto/analyzer/model/everyday.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/simulate/fleet_data.hpp"

namespace sotto::analyzer {

/// Errors of one repeat by name, in the order in which they are told.
using NamedErrors = std::vector<std::pair<std::string, double>>;

/// A simulated fleet of an everyday question.
class EverydayWorld : public FleetData {
 public:
  [[nodiscard]] std::uint32_t features() const noexcept override { return 1; }
  /// The study file that asks these devices, for read_study().
  [[nodiscard]] virtual std::string study() const = 0;
  /// The errors of the estimates against the truth, and under "coverage" the share of 95 % intervals that hold it.
  [[nodiscard]] virtual NamedErrors measure(const Everyday& estimated) const = 0;
  /// What each of the estimates should be, in the same order and unit; nothing where shares are estimated.
  [[nodiscard]] virtual std::vector<double> truths(const Everyday&) const { return {}; }
  /// The shares of the ten most common items, where there are items.
  [[nodiscard]] virtual std::vector<double> common_shares() const { return {}; }
};

/// The numbers that the devices of a file hold.
struct NumberColumn {
  std::string name;
  std::vector<std::vector<double>> readings;  ///< of each device
};

/// Integers in one unit of the column: a power of ten with which its range has at least 10,000 of them. The range is the
/// column's own, where the study states no other.
[[nodiscard]] double steps_of(const NumberColumn& column, std::optional<double> low = {},
                              std::optional<double> high = {}) noexcept;

/// What is simulated. A family reads what concerns it.
struct EverydayOptions {
  std::string kind;
  std::uint64_t devices = 0;
  double epsilon = 1;
  std::uint64_t seed = 1;
  double empty = 0;  ///< share of devices that hold nothing to answer with
  // number
  std::string law = "normal";       ///< normal, lognormal, two-modes, spike, uniform, discrete
  double range_sd = 16;             ///< the stated range, in standard deviations of the law
  std::uint32_t samples = 1;        ///< readings of a device, of which it takes the mean
  bool tight = false;               ///< the study says that its range is tight
  std::vector<double> quantiles{};  ///< that the study asks for
  std::uint32_t bins = 32;
  std::uint32_t periods = 1;
  const NumberColumn* column = nullptr;  ///< in place of a law
  std::optional<double> low{}, high{};   ///< that the study states of a column; without them the column's own ends
  // count, event
  double mean = 2;      ///< of a count, negative binomial with shape 1/2
  double share = 0.02;  ///< of devices with the event
  // category, crosstab, top
  std::uint32_t categories = 16;
  double zipf = 1.3;                ///< exponent of the law of categories and items
  double association = 0;           ///< share of the devices that are on a band of the cross-tab
  std::string of = "id64";          ///< items: id64 or string
  std::uint32_t length = 16;        ///< bytes of a string
  bool paper = false;               ///< by the paper's tree
  const WordRows* words = nullptr;  ///< in place of a law: of each device its category, row and column, or item
};

/// Refuses   simulate.bad_users, simulate.bad_law: a fleet that cannot be made.
[[nodiscard]] Result<std::unique_ptr<EverydayWorld>> everyday_world(const EverydayOptions& options);

/// Whether a device holds nothing to answer with: the same for the same options.
[[nodiscard]] bool is_empty(const EverydayOptions& options, std::uint64_t device) noexcept;

/// Of the families.
[[nodiscard]] Result<std::unique_ptr<EverydayWorld>> category_world(const EverydayOptions& options);
[[nodiscard]] Result<std::unique_ptr<EverydayWorld>> number_world(const EverydayOptions& options);

}  // namespace sotto::analyzer
