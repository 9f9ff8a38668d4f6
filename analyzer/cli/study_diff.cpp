// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include "files.hpp"
#include "say.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "study_compile.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto study --diff`: compares two studies field by field.
namespace sotto::cli {
namespace {

using analyzer::Change;
using analyzer::Error;
using analyzer::Result;

/// One side of the comparison: a study file, or its compiled form.
struct Side {
  std::optional<analyzer::Study> study;  ///< for a TOML file, which has no seed before it is compiled
  Bytes manifest, round;
};

bool begins_with(const Bytes& bytes, std::string_view magic) {
  return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin());
}

Result<Side> load(const std::string& path) {
  Side side;
  if (std::filesystem::is_directory(path)) {
    Result<StudyDirectory> directory = open_study_directory(path);
    if (!directory) return directory.error();
    side.manifest = std::move(directory.value().manifest);
    if (!directory.value().rounds.empty()) side.round = directory.value().rounds.front();
  } else {
    Result<Bytes> bytes = read_bytes(path);
    if (!bytes) return bytes.error();
    if (!begins_with(bytes.value(), "SOTM")) {
      Result<analyzer::Study> study =
          analyzer::read_study({reinterpret_cast<const char*>(bytes.value().data()), bytes.value().size()}, path);
      if (!study) return study.error();
      side.study = std::move(study).value();
      return side;
    }
    side.manifest = std::move(bytes).value();
  }
  const Result<Manifest> manifest = analyzer::read_manifest(side.manifest, path);
  if (!manifest) return manifest.error();
  return side;
}

/// Compiles a study file with the other side's seed: a seed of its own would hide that nothing else changed.
Result<analyzer::Done> compile_side(Side& side, const Side& other) {
  if (!side.study) return analyzer::Done{};
  analyzer::StudySeed seed{};
  if (!other.manifest.empty()) {
    const Result<Manifest> manifest = analyzer::read_manifest(other.manifest, "the other manifest");
    if (!manifest) return manifest.error();
    std::copy_n(manifest.value().seed, seed.size(), seed.begin());
  }
  Result<analyzer::CompiledStudy> compiled = analyzer::compile_study(*side.study, seed);
  if (!compiled) return compiled.error();
  side.manifest = std::move(compiled.value().manifest);
  side.round = std::move(compiled.value().round);
  return analyzer::Done{};
}

Result<std::vector<Change>> round_changes(const Side& a, const Side& b) {
  if (a.round.empty() || b.round.empty()) return std::vector<Change>{};
  const Result<Round> from = analyzer::read_round(a.round, "the first round"),
                      to = analyzer::read_round(b.round, "the second round");
  if (!from) return from.error();
  if (!to) return to.error();
  std::vector<Change> changes = analyzer::changes(analyzer::describe(from.value()), analyzer::describe(to.value()));
  std::erase_if(changes, [](const Change& c) { return c.field == "study"; });  // the study's digest is printed once
  return changes;
}

std::string budget_text(const Manifest& m) {
  return fmt::format("{} nats in all ({} answer{} of {})", analyzer::nats_text(m.epsilon * m.answers), m.answers,
                     m.answers == 1 ? "" : "s", analyzer::nats_text(m.epsilon));
}

Json changes_json(const std::vector<Change>& changes) {
  Json rows = Json::array();
  for (const Change& c : changes) rows.push_back({{"field", c.field}, {"from", c.from}, {"to", c.to}});
  return rows;
}

void print_changes(const std::vector<Change>& changes) {
  for (const Change& c : changes) say("{:<14}  {}\n{:<14}  -> {}\n", c.field, c.from, "", c.to);
}

}  // namespace

int study_diff(const std::string& a, const std::string& b, bool json) {
  const auto stop = [json](const Error& error) {
    return refuse(error, json, error.code.starts_with("io.") ? input_output : refused);
  };
  Result<Side> left = load(a), right = load(b);
  if (!left) return stop(left.error());
  if (!right) return stop(right.error());
  Side &from = left.value(), &to = right.value();
  if (const auto made = compile_side(from, to); !made) return stop(made.error());
  if (const auto made = compile_side(to, from); !made) return stop(made.error());
  const Manifest old_one = analyzer::read_manifest(from.manifest, a).value();
  const Manifest new_one = analyzer::read_manifest(to.manifest, b).value();
  const std::vector<Change> in_manifest = analyzer::changes(analyzer::describe(old_one), analyzer::describe(new_one));
  const Result<std::vector<Change>> in_round = round_changes(from, to);
  if (!in_round) return stop(in_round.error());
  const bool new_digest = manifest_digest(old_one) != manifest_digest(new_one);
  const bool files = from.study.has_value() || to.study.has_value();
  const std::string_view verdict = new_digest                  ? k_new_digest
                                   : !in_round.value().empty() ? "same study, another round: devices that answered "
                                                                 "pay nothing, others answer the new one"
                                                               : "same study";
  if (json) {
    print_json({{"new_digest", new_digest},
                {"verdict", verdict},
                {"manifest", changes_json(in_manifest)},
                {"round", changes_json(in_round.value())},
                {"budget", {{"from", budget_text(old_one)}, {"to", budget_text(new_one)}}}});
    return done;
  }
  print_changes(in_manifest);
  print_changes(in_round.value());
  if (new_digest) say("{:<14}  {}, beside what the old study spent\n", "a device pays", budget_text(new_one));
  if (files && !new_digest) say("Compiled anew, a study file gets a seed of its own, and with it a new digest.\n");
  say("{}\n", verdict);
  return done;
}

}  // namespace sotto::cli
