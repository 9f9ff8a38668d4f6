// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Compiles a study file into a directory that devices and collectors use (`sotto study --out`), and compares two
/// studies (`--diff`).

#include <cstdint>
#include <optional>
#include <string>

#include "json.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/study/study.hpp"

namespace sotto::cli {

/// The outcome of `sotto study FILE --out DIR`.
struct Compiled {
  std::string directory, digest;
  std::uint64_t manifest_bytes = 0, round_bytes = 0;
  std::optional<std::uint64_t> seed;  ///< given on the command line, for simulations
  bool unchanged = false;             ///< the directory held exactly these bytes already
};

/// Compiles the study into a directory. An existing manifest is never replaced: the file must compile to the same bytes
/// under its seed, or it is refused with the differences.
/// Refuses   what compile_study() refuses; study.exists; io.*
[[nodiscard]] analyzer::Result<Compiled> compile_into(const analyzer::Study& study, const std::string& text,
                                                      const std::string& directory, std::optional<std::uint64_t> seed);

/// `sotto study --diff A B`, each a manifest, a study file or a directory. Returns the exit code.
int study_diff(const std::string& a, const std::string& b, bool json);

inline constexpr std::string_view k_new_digest = "new digest: devices will treat this as a new study and pay again";

}  // namespace sotto::cli
