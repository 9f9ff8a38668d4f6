// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "study_directory.hpp"

#include <map>

#include <fmt/format.h>

#include "files.hpp"
#include "sotto/wire/manifest.hpp"
#include "sotto/wire/round.hpp"

namespace sotto::cli {

using analyzer::Error;
using analyzer::Result;
namespace fs = std::filesystem;

Result<Bytes> read_bytes(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  return Bytes(text.value().begin(), text.value().end());
}

Result<analyzer::Done> write_bytes(const fs::path& path, std::span<const std::uint8_t> bytes) {
  return write_file(path, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
}

std::span<const std::uint8_t> body_of(std::span<const std::uint8_t> bytes) {
  Manifest manifest;
  Round round;
  if (decode_manifest(bytes, manifest) == Status::ok) return manifest.body;
  return decode_round(bytes, round) == Status::ok ? round.body : bytes;
}

fs::path round_path(const fs::path& directory, std::uint32_t number) {
  return directory / fmt::format("round-{}.bin", number);
}

Result<StudyDirectory> open_study_directory(const fs::path& path) {
  StudyDirectory out;
  out.path = path;
  if (!fs::is_directory(path)) {
    return Error{"io.cannot_read", "there is no such directory of a study", path.string(),
                 "sotto study STUDY.toml --out DIR makes one"};
  }
  Result<Bytes> manifest = read_bytes((path / "manifest.bin").string());
  if (!manifest) return manifest.error();
  out.manifest = std::move(manifest).value();
  std::map<unsigned long, fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
    const std::string name = entry.path().filename().string();
    unsigned number = 0;
    int length = 0;
    if (std::sscanf(name.c_str(), "round-%5u.bin%n", &number, &length) == 1 &&
        static_cast<std::size_t>(length) == name.size())
      found.emplace(number, entry.path());
  }
  for (const auto& [number, file] : found) {
    Result<Bytes> round = read_bytes(file.string());
    if (!round) return round.error();
    out.rounds.push_back(std::move(round).value());
    out.round_files.push_back(file);
  }
  const fs::path toml = path / "study.toml";
  if (fs::exists(toml)) {
    const Result<std::string> text = read_file(toml.string());
    if (!text) return text.error();
    Result<analyzer::Study> study = analyzer::read_study(text.value(), toml.string());
    if (!study) return study.error();
    out.study = std::move(study).value();
  }
  return out;
}

}  // namespace sotto::cli
