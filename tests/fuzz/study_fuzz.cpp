// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any text as a study: refused by name, or compiled to a manifest and a round that devices take. Whatever the text, what the TOML
// library makes of it is nested no deeper than was looked for beforehand.
#include <toml++/toml.h>

#include "analyzer/src/text/nesting.hpp"
#include "fuzz_bytes.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/wire/round.hpp"

using namespace sotto;
using namespace sotto::fuzz;

namespace {

constexpr std::size_t k_deepest = 16;

std::size_t depth_of(const toml::node& node) {
  std::size_t deepest = 0;
  if (const toml::table* table = node.as_table()) {
    for (const auto& [key, inner] : *table) deepest = std::max(deepest, depth_of(inner));
    return deepest + 1;
  }
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& inner : *array) deepest = std::max(deepest, depth_of(inner));
    return deepest + 1;
  }
  return 0;
}

void look_at_depth(std::string_view text) {
  if (analyzer::toml_too_deep(text, k_deepest)) return;
  try {
    // A header, a key, and for every open bracket a key again.
    must(depth_of(toml::parse(text)) <= k_deepest * (k_deepest + 3));
  } catch (const toml::parse_error&) {
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = text_of({data, size});
  look_at_depth(text);
  const analyzer::Result<analyzer::Study> study = analyzer::read_study(text, "fuzz");
  if (!study) {
    must(!study.error().code.empty() && !study.error().what.empty());
    return 0;
  }
  const analyzer::Result<analyzer::CompiledStudy> made =
      analyzer::compile_study(study.value(), analyzer::repeatable_seed(1));
  if (!made) return 0;
  Manifest manifest;
  Round round;
  must(decode_manifest(made.value().manifest, manifest) == Status::ok);
  must(made.value().round.empty() || decode_round(made.value().round, round) == Status::ok);
  return 0;
}
