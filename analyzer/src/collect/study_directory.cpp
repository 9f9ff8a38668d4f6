// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/study_directory.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/sha256.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::analyzer {

namespace fs = std::filesystem;

Result<Bytes> read_bytes(const std::string& path) {
  const Result<std::string> text = (path == "-" ? read_whole_stdin() : read_whole(path));
  if (!text) return text.error();
  return Bytes(text.value().begin(), text.value().end());
}

Result<Done> write_bytes(const fs::path& path, std::span<const std::uint8_t> bytes) {
  return replace_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::span<const std::uint8_t> body_of(std::span<const std::uint8_t> bytes) {
  Manifest manifest;
  Round round;
  if (decode_manifest(bytes, manifest) == Status::ok) return manifest.bytes.body;
  return decode_round(bytes, round) == Status::ok ? round.bytes.body : bytes;
}

fs::path round_path(const fs::path& directory, std::uint32_t number) {
  return directory / fmt::format("round-{}.bin", number);
}

namespace {

std::span<const std::uint8_t> bytes_of_text(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string sum_line(std::string_view name, std::span<const std::uint8_t> bytes) {
  Digest digest;
  sha256(body_of(bytes), digest);  // without the signature trailer, which `sotto sign --verify` checks
  return fmt::format("{}  {}\n", hex_text(digest), name);
}

/// The text of DIR/study.sha256; empty if there is no such file.
Result<std::optional<std::string>> read_sums(const fs::path& directory) {
  const fs::path sums = directory / k_study_sums_name;
  const Result<bool> there = is_there(sums);
  if (!there) return there.error();
  if (!there.value()) return std::optional<std::string>();
  Result<std::string> text = read_whole(sums.string());
  if (!text) return text.error();
  return std::optional(std::move(text).value());
}

std::string round_name(std::size_t number) { return fmt::format("round-{}.bin", number); }

bool has_line(const std::string& sums, std::string_view name) {
  return sums.find(fmt::format("  {}\n", name)) != std::string::npos;
}

/// The text without the line of this file; other lines are unchanged.
std::string without_line(const std::string& sums, std::string_view name) {
  std::string out;
  for (std::size_t at = 0; at < sums.size();) {
    const std::size_t end = std::min(sums.find('\n', at), sums.size() - 1) + 1;
    const std::string_view line = std::string_view(sums).substr(at, end - at);
    if (!line.ends_with(fmt::format("  {}\n", name))) out += line;
    at = end;
  }
  return out;
}

}  // namespace

Result<Done> write_study_sums(const fs::path& directory, std::string_view toml, std::span<const std::uint8_t> manifest,
                              std::span<const Bytes> rounds) {
  const Result<std::optional<std::string>> before = read_sums(directory);
  if (!before) return before.error();
  std::string text = sum_line("manifest.bin", manifest), kept = before.value().value_or("");
  for (std::size_t i = 0; i < rounds.size(); ++i) text += sum_line(round_name(i + 1), rounds[i]);
  text += sum_line("study.toml", bytes_of_text(toml));
  // Lines that a run wrote since are kept: compiling again does not undo the later rounds that were asked.
  for (const char* name : {"manifest.bin", "study.toml"}) kept = without_line(kept, name);
  for (std::size_t i = 0; i < rounds.size(); ++i) kept = without_line(kept, round_name(i + 1));
  return replace_file(directory / k_study_sums_name, text + kept);
}

Result<Done> add_round_sum(const fs::path& directory, std::uint32_t number, std::span<const std::uint8_t> round) {
  const Result<std::optional<std::string>> before = read_sums(directory);
  if (!before) return before.error();
  const std::string line = sum_line(round_name(number), round);
  if (!before.value() || before.value()->find(line) != std::string::npos) return Done{};
  return replace_file(directory / k_study_sums_name, without_line(*before.value(), round_name(number)) + line);
}

Result<Done> check_study_sum(const fs::path& directory, std::string_view name, std::span<const std::uint8_t> bytes) {
  const Result<std::optional<std::string>> sums = read_sums(directory);
  if (!sums) return sums.error();
  if (!sums.value() || sums.value()->find(sum_line(name, bytes)) != std::string::npos) return Done{};
  const std::string file = (directory / name).string(), where = (directory / k_study_sums_name).string();
  if (!has_line(*sums.value(), name) && name.starts_with("round-")) {
    return Error{
        "study.changed", fmt::format("no run wrote this round: {} has no line for it", where), file,
        "move it away; of a run that an earlier release began, sotto estimate DIR compares it and adds the line"};
  }
  return Error{"study.changed", fmt::format("the file is not as it was written: {} says so", where), file,
               "put it back as it was; a changed study.toml that asks the same is compiled again with sotto study "
               "DIR/study.toml --out DIR"};
}

Result<StudyDirectory> open_study_directory(const fs::path& path) {
  StudyDirectory out;
  out.path = path;
  std::error_code ignored;
  if (!fs::is_directory(path, ignored)) {
    return Error{"io.cannot_read", "this is not the directory of a study", path.string(),
                 "sotto study STUDY.toml --out DIR makes one"};
  }
  Result<Bytes> manifest = read_bytes((path / "manifest.bin").string());
  if (!manifest) return manifest.error();
  out.manifest = std::move(manifest).value();
  if (const auto same = check_study_sum(path, "manifest.bin", out.manifest); !same) return same.error();
  std::map<unsigned long, fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    unsigned number = 0;
    int length = 0;
    // Five digits fit. NOLINTNEXTLINE(cert-err34-c)
    if (std::sscanf(name.c_str(), "round-%5u.bin%n", &number, &length) == 1 &&
        static_cast<std::size_t>(length) == name.size())
      found.emplace(number, entry.path());
  }
  const Result<std::optional<std::string>> sums = read_sums(path);
  if (!sums) return sums.error();
  for (const auto& [number, file] : found) {
    Result<Bytes> round = read_bytes(file.string());
    if (!round) return round.error();
    const std::string name = file.filename().string();
    if (number == 1 || (sums.value() && has_line(*sums.value(), name))) {
      if (const auto same = check_study_sum(path, name, round.value()); !same) return same.error();
    }
    out.rounds.push_back(std::move(round).value());
    out.round_files.push_back(file);
  }
  const fs::path toml = path / "study.toml";
  const Result<bool> has_toml = is_there(toml);
  if (!has_toml) return has_toml.error();
  if (has_toml.value()) {
    const Result<std::string> text = read_whole(toml.string());
    if (!text) return text.error();
    if (const auto same = check_study_sum(path, "study.toml", bytes_of_text(text.value())); !same) return same.error();
    Result<Study> study = read_study(text.value(), toml.string());
    if (!study) return study.error();
    out.study = std::move(study).value();
  }
  return out;
}

}  // namespace sotto::analyzer
