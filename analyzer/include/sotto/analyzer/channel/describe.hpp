// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Manifests, rounds and report headers as lists of named fields in readable text, for `sotto decode` and `sotto study
/// diff`.

#include <string>
#include <vector>

#include "sotto/wire/manifest.hpp"
#include "sotto/wire/report.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// A field of a wire object and its value as text.
struct Fact {
  std::string field, value;
  friend bool operator==(const Fact&, const Fact&) = default;
};

/// All fields of the body in their order, without the signature. If each feature has its own scale, each scale is one
/// fact.
[[nodiscard]] std::vector<Fact> describe(const Manifest& manifest);
[[nodiscard]] std::vector<Fact> describe(const Round& round);
/// The header alone, which is not encrypted.
[[nodiscard]] std::vector<Fact> describe(const ReportHeader& header);

/// A field in which two descriptions differ. The value is "-" on the side that does not have the field.
struct Change {
  std::string field, from, to;
};
[[nodiscard]] std::vector<Change> changes(const std::vector<Fact>& from, const std::vector<Fact>& to);

[[nodiscard]] std::string hex_text(std::span<const std::uint8_t> bytes);
[[nodiscard]] std::string pseudonym_text(std::uint64_t pseudonym);

}  // namespace sotto::analyzer
