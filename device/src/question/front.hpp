// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "sotto/choices.hpp"
#include "sotto/coins/samplers.hpp"
#include "sotto/spec/two_level_spec.hpp"
#include "state.hpp"

// What the questions with a choice of randomizers share. The spec is not kept in the work space: it is read from manifest
// and round, which the session holds, whenever it is needed. So nobody can change a spec between its check and the report. A
// report trusts it: the session asks for one only after check(), with coins that are ready.
namespace sotto {

inline constexpr std::size_t k_front_spec_bytes = 32;

/// The spec of any stem, as manifest and round say it: epsilon, delta where the spec has one, and from `fields_at` on the round's
/// integers.
class FrontSpec {
 public:
  FrontSpec(const Asked& asked, std::size_t fields_at) noexcept;
  template <class Spec>
  [[nodiscard]] const Spec& as() const noexcept {
    static_assert(std::is_trivially_copyable_v<Spec> && sizeof(Spec) <= k_front_spec_bytes && alignof(Spec) <= 8);
    return *reinterpret_cast<const Spec*>(bytes_);
  }

 private:
  alignas(8) std::uint8_t bytes_[k_front_spec_bytes];
};

/// How the spec of a randomizer is read from a round, checked, and reported from. A question lists the randomizers that
/// it accepts.
struct FrontStem {
  /// What check_parameters() refuses; else what the channel looks like. Of noise only the outcomes count.
  Status (*shape)(const FrontSpec& spec, TwoLevel& channel) noexcept;
  /// What check_channel() refuses.
  Status (*check_channel)(const FrontSpec& spec, const TwoLevel& channel) noexcept;
  /// Of a two-level channel.
  std::uint32_t (*report)(const Asked& asked, const FrontSpec& spec, const TwoLevel& channel,
                          const TwoLevelDraw& draw) noexcept;
  Stem stem;
  std::uint8_t fields;     ///< how many integers of the round belong to the spec
  std::uint8_t fields_at;  ///< their offset in the spec: behind epsilon, and delta if the spec has one
  bool last;               ///< the last one in the list of the question
};

[[nodiscard]] Status spend_front(const FrontSpec& spec, const TwoLevel& channel) noexcept;

template <TwoLevelSpec Spec>
[[nodiscard]] constexpr FrontStem two_level_stem(std::uint8_t fields, decltype(FrontStem::report) report,
                                                 bool last = false) noexcept {
  return {[](const FrontSpec& spec, TwoLevel& c) noexcept {
            const Status status = check_parameters(spec.as<Spec>());
            if (status == Status::ok) c = channel(spec.as<Spec>());
            return status;
          },
          spend_front,
          report,
          Spec::k_stem,
          fields,
          sizeof(EpsilonNano),
          last};
}

/// Finds the round's randomizer in the list of a question.
/// Refuses  bad_channel: it is not in the list; bad_field: integers beyond those of the spec.
[[nodiscard]] Status find_front(const Asked& asked, const FrontStem*& stem) noexcept;
/// The round's spec, judged like by certify() but for the policy's cap, which the ledger holds. Plans what is kept.
/// Refuses  what certify() refuses.
[[nodiscard]] Status certify_front(Asked& asked, const FrontStem& stem, std::size_t kept) noexcept;
/// find_front() and certify_front().
[[nodiscard]] Status check_front(Asked& asked, const FrontStem* stem, std::size_t kept) noexcept;
/// Draws from the round's two-level channel, one of those of a question, and writes the payload.
void report_front(const Asked& asked, const FrontStem* stem, PrivateCoins& coins,
                  const std::span<std::uint8_t>& payload) noexcept;

/// Whether the round's spec integers from number `used` on are zero.
[[nodiscard]] bool spec_ends(const Round& round, std::uint32_t used) noexcept;
/// Whether everything that the round's recipe does not use (recipe::k_rows in sotto/wire/recipe.hpp) is zero or empty,
/// and whether it makes sense on rows that the device centres, if the study has them.
[[nodiscard]] bool takes_only_its_own(const Asked& asked) noexcept;
[[nodiscard]] inline bool has_table(const Round& round) noexcept {
  return round.link == static_cast<std::uint8_t>(LinkKind::table);
}

[[nodiscard]] constexpr bool in_range(std::uint32_t v, std::uint32_t min, std::uint32_t max) noexcept {
  return v >= min && v <= max;
}

/// The number of coordinates of a scope.
[[nodiscard]] std::uint32_t scope_size(const Asked& asked, std::uint32_t scope) noexcept;
/// The same, or 0 if a feature of the round's model does not exist.
[[nodiscard]] std::uint32_t fitting_size(const Asked& asked, std::uint32_t scope) noexcept;

/// Keeps one row of the samples, or none if the device does not hold it.
void keep_row(Samples& samples, std::uint32_t row) noexcept;

/// The record that public coins chose, as row 0; zeros if the device does not hold it. The target is column `features`.
struct ChosenRow {
  Samples samples;

  ChosenRow(const Asked& asked, const LocalData& local) noexcept;

  [[nodiscard]] bool held() const noexcept { return samples.rows != 0; }
  [[nodiscard]] Q15 column(std::uint32_t j) const noexcept;
  [[nodiscard]] Q15 target() const noexcept { return column(samples.features); }
  /// Coordinate j of a scope.
  [[nodiscard]] Q15 coordinate(const Asked& asked, std::uint32_t scope, std::uint32_t j) const noexcept;
  /// The first coordinates of a scope, Q24.
  void coordinates_q24(const Asked& asked, std::uint32_t scope, const std::span<std::int32_t>& out) const noexcept;
};

/// The target clipped to [-bound, bound], which is mapped to [-steps, steps], rounded to nearest; bound 1..32768, steps
/// at most 32768.
[[nodiscard]] std::int32_t scaled_target(Q15 target, std::uint32_t bound_q15, std::uint32_t steps) noexcept;

}  // namespace sotto
