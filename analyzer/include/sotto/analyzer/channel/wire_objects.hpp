// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Decodes manifests and rounds with errors in words, names their questions and recipes, and checks the randomizer of a
/// round.

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

/// The randomizer that a round asks for, at the manifest's epsilon, checked as a device checks it.
/// Refuses   what check_spec() refuses; wire.unsupported_stem: there is no such randomizer.
[[nodiscard]] Result<AnySpec> round_spec(const Manifest& manifest, const Round& round);

/// Decode the bytes, or return an error in words; `what` names the bytes in it. The bytes must outlive the result.
/// Refuses   wire.STATUS: bad_magic, unsupported_version, truncated, trailing_bytes, bad_field, too_large.
[[nodiscard]] Result<Manifest> read_manifest(std::span<const std::uint8_t> bytes, const std::string& what);
[[nodiscard]] Result<Round> read_round(std::span<const std::uint8_t> bytes, const std::string& what);

/// The names that people read, in `sotto decode` and in models; "unknown" for a number without a name.
[[nodiscard]] std::string_view question_name(QuestionKind question) noexcept;
[[nodiscard]] std::string_view recipe_name(Recipe recipe) noexcept;

}  // namespace sotto::analyzer
