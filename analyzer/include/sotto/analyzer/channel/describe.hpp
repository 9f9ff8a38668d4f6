// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>
#include <vector>

#include "sotto/wire/manifest.hpp"
#include "sotto/wire/report.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// A field of a wire object and its value, for a reader.
struct Fact {
  std::string field, value;
  friend bool operator==(const Fact&, const Fact&) = default;
};

/// All that the body says, in its order, and nothing of its signature; a scale of its own for each feature is one fact each.
[[nodiscard]] std::vector<Fact> describe(const Manifest& manifest);
[[nodiscard]] std::vector<Fact> describe(const Round& round);
/// The header alone: what everybody on the way can read.
[[nodiscard]] std::vector<Fact> describe(const ReportHeader& header);

/// What two descriptions say differently. A field that one side does not have is "-" there.
struct Change {
  std::string field, from, to;
};
[[nodiscard]] std::vector<Change> changes(const std::vector<Fact>& from, const std::vector<Fact>& to);

[[nodiscard]] std::string hex_text(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string pseudonym_text(std::uint64_t pseudonym);

}  // namespace sotto::analyzer
