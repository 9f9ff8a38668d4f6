// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "study_compile.hpp"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "files.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

using analyzer::CompiledStudy;
using analyzer::Error;
using analyzer::Result;
using analyzer::StudySeed;
namespace fs = std::filesystem;

namespace {

std::string digest_text(std::span<const std::uint8_t> manifest) {
  return analyzer::hex_text(manifest_digest(analyzer::read_manifest(manifest, "").value()));
}

/// The names of the fields that differ, for a refusal; --diff shows the values.
template <class Object>
std::string differing(const Result<Object>& old_one, const Result<Object>& new_one) {
  if (!old_one) return "it cannot be read";
  std::vector<std::string> fields;
  for (const analyzer::Change& c :
       analyzer::changes(analyzer::describe(old_one.value()), analyzer::describe(new_one.value())))
    fields.push_back(c.field);
  return fmt::format("{} differ{}", fmt::join(fields, ", "), fields.size() == 1 ? "s" : "");
}

Error exists(const fs::path& file, const std::string& difference) {
  return {"study.exists",
          fmt::format("{} exists and differs from what this file compiles to: {}", file.string(), difference),
          std::string(k_new_digest), "choose another --out; sotto study --diff shows what changed"};
}

}  // namespace

Result<Compiled> compile_into(const analyzer::Study& study, const std::string& text, const std::string& directory,
                              std::optional<std::uint64_t> seed_number) {
  // The files of one study belong together: no other process may write any of them from here on.
  std::optional<DirectoryLock> lock;
  const auto take = [&]() -> Result<analyzer::Done> {
    Result<DirectoryLock> taken = DirectoryLock::take(directory);
    if (!taken) return taken.error();
    lock.emplace(std::move(taken).value());
    return analyzer::Done{};
  };
  std::error_code ignored;
  if (fs::is_directory(directory, ignored)) {
    if (const auto taken = take(); !taken) return taken.error();
  }
  const fs::path manifest_path = fs::path(directory) / "manifest.bin", round_file = round_path(directory, 1);
  std::optional<Bytes> old_manifest, old_round;
  for (auto [path, bytes] : {std::pair{&manifest_path, &old_manifest}, std::pair{&round_file, &old_round}}) {
    const Result<bool> there = analyzer::is_there(*path);
    if (!there) return there.error();
    if (!there.value()) continue;
    Result<Bytes> read = read_bytes(path->string());
    if (!read) return read.error();
    if (const auto same = check_study_sum(directory, path->filename().string(), read.value()); !same)
      return same.error();
    *bytes = std::move(read).value();
  }
  // The seed of an existing manifest is used, so that the same file compiles to the same bytes.
  StudySeed seed = seed_number ? analyzer::repeatable_seed(*seed_number) : StudySeed{};
  const Result<Manifest> old =
      old_manifest ? analyzer::read_manifest(*old_manifest, manifest_path.string()) : Result<Manifest>(Manifest{});
  if (!seed_number && old_manifest && old) {
    std::copy_n(old.value().seed, seed.size(), seed.begin());
  } else if (!seed_number) {
    seed = analyzer::drawn_seed();
  }
  const Result<CompiledStudy> made = analyzer::compile_study(study, seed);
  if (!made) return made.error();
  const CompiledStudy& compiled = made.value();
  if (compiled.round.empty()) {
    return Error{"protocol.hopeless",
                 "nothing can be learned from this fleet, so there is nothing to ask: " + compiled.why_hopeless,
                 fmt::format("{} devices at {:g} nats", study.regression->devices, study.regression->nats()),
                 "expect more devices, or allow a larger epsilon; sotto simulate shows what is reached"};
  }
  if (old_manifest && !std::ranges::equal(body_of(*old_manifest), compiled.manifest))
    return exists(manifest_path, differing(old, analyzer::read_manifest(compiled.manifest, "")));
  if (old_round && !std::ranges::equal(body_of(*old_round), compiled.round))
    return exists(round_file,
                  differing(analyzer::read_round(*old_round, ""), analyzer::read_round(compiled.round, "")));

  Compiled out{directory,
               digest_text(compiled.manifest),
               compiled.manifest.size(),
               compiled.round.size(),
               seed_number,
               old_manifest.has_value() && old_round.has_value()};
  if (!lock) {
    if (const auto there = make_directory(directory); !there) return there.error();
    if (const auto taken = take(); !taken) return taken.error();
    for (const fs::path* path : {&manifest_path, &round_file}) {
      const Result<bool> there = analyzer::is_there(*path);
      if (!there) return there.error();
      if (there.value()) {
        return Error{"study.exists", "another process compiled a study into this directory meanwhile", directory,
                     "look at it, and choose another --out"};
      }
    }
  }
  if (!old_manifest) {
    if (const auto written = write_bytes(manifest_path, compiled.manifest); !written) return written.error();
  }
  if (!old_round) {
    if (const auto written = write_bytes(round_file, compiled.round); !written) return written.error();
  }
  if (const auto written = write_file(fs::path(directory) / "study.toml", text); !written) return written.error();
  if (const auto written = write_study_sums(directory, text, compiled.manifest, {&compiled.round, 1}); !written)
    return written.error();
  return out;
}

}  // namespace sotto::cli
