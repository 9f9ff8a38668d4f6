// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Decodes manifests and rounds with refusals in words, builds the randomizer's parameters from a round, and names
// questions and recipes.
#include "sotto/analyzer/channel/wire_objects.hpp"

#include <array>
#include <iterator>

#include <fmt/format.h>

#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/analyzer/channel/status_text.hpp"
#include "sotto/wire/recipe.hpp"

namespace sotto::analyzer {
namespace {

template <class Spec>
Result<AnySpec> checked(const Spec& spec) {
  if (const auto good = check_spec(spec); !good) return good.error();
  return AnySpec{spec};
}

std::string_view wire_code(Status status) noexcept {
  switch (status) {
    case Status::bad_magic: return "wire.bad_magic";
    case Status::unsupported_version: return "wire.unsupported_version";
    case Status::truncated: return "wire.truncated";
    case Status::trailing_bytes: return "wire.trailing_bytes";
    case Status::too_large: return "wire.too_large";
    default: return "wire.bad_field";
  }
}

template <class Object>
Result<Object> read_object(std::span<const std::uint8_t> bytes, const std::string& what,
                           Status (*decode)(const std::span<const std::uint8_t>&, Object&) noexcept,
                           std::string_view kind) {
  Object object;
  const Status status = decode(bytes, object);
  if (status == Status::ok) return object;
  return Error{wire_code(status), fmt::format("{} is not a {}: {}", what, kind, status_name(status)),
               fmt::format("{} bytes", bytes.size()), std::string(status_fix(status))};
}

/// The names of the table in wire/recipe.hpp as study files write words: with hyphens.
constexpr auto k_recipe_names = [] {
  std::array<std::array<char, 24>, std::size(recipe::k_rows)> names{};
  for (std::size_t i = 0; i < names.size(); ++i) {
    std::size_t at = 0;
    for (const char c : std::string_view(recipe::k_rows[i].name)) names[i][at++] = c == '_' ? '-' : c;
  }
  return names;
}();

}  // namespace

Result<AnySpec> round_spec(const Manifest& manifest, const Round& round) {
  const EpsilonNano e = manifest.epsilon;
  const std::uint32_t* const f = round.spec;
  switch (round.stem) {
    case Stem::vote: return checked(VoteSpec{e, f[0], f[1], f[2], f[3]});
    case Stem::hadamard_response: return checked(HadamardResponseSpec{e, f[0], f[1], f[2]});
    case Stem::block: return checked(BlockSpec{e, f[0], f[1], f[2]});
    case Stem::window: return checked(WindowSpec{e, f[0], f[1], f[2]});
    case Stem::hemisphere: return checked(HemisphereSpec{e, f[0], f[1]});
    case Stem::cross_polytope: return checked(CrossPolytopeSpec{e, f[0], f[1], f[2], f[3]});
    case Stem::sphere_code: return checked(SphereCodeSpec{e, f[0], f[1], f[2], f[3]});
    case Stem::laplace: return checked(LaplaceSpec{e, f[0], f[1]});
    case Stem::grr: return checked(GrrSpec{e, f[0], f[1]});
    case Stem::walsh_hash: return checked(WalshHashSpec{e, f[0], f[1], f[2]});
    case Stem::gaussian: return checked(GaussianSpec{e, manifest.delta, f[0], f[1], f[2]});
  }
  return Error{"wire.unsupported_stem", "this round asks for a randomizer that is not known here",
               std::string(stem_name(round.stem)), "update the analyzer"};
}

Result<Manifest> read_manifest(std::span<const std::uint8_t> bytes, const std::string& what) {
  return read_object<Manifest>(bytes, what, decode_manifest, "manifest");
}

Result<Round> read_round(std::span<const std::uint8_t> bytes, const std::string& what) {
  return read_object<Round>(
      bytes, what,
      [](const std::span<const std::uint8_t>& encoded, Round& round) noexcept {
        RoundTimes times;
        const Status status = decode_round(encoded, round);
        return status == Status::ok ? round_times(round, times) : status;
      },
      "round");
}

std::string_view question_name(QuestionKind question) noexcept {
  constexpr std::string_view k_names[] = {"",      "vote",   "bin",      "block",  "moments", "value", "direction",
                                          "label", "sketch", "synopsis", "update", "number",  "top"};
  const auto number = static_cast<std::size_t>(question);
  return number < std::size(k_names) ? k_names[number] : "unknown";
}

std::string_view recipe_name(Recipe recipe) noexcept {
  const auto number = static_cast<std::size_t>(recipe);
  return number < k_recipe_names.size() ? std::string_view(k_recipe_names[number].data()) : "unknown";
}

}  // namespace sotto::analyzer
