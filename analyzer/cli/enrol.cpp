// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <memory>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "credentials.hpp"
#include "files.hpp"
#include "master_key.hpp"
#include "say.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/analyzer/data/design_file.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "study_directory.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto enrol`: issues credentials (pseudonym and key) to devices.
namespace sotto::cli {
namespace {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;

constexpr std::uint64_t k_count_max = 100'000'000;

struct EnrolOptions {
  std::string directory, ids, out;
  std::uint64_t count = 0;
  bool json = false;
};

/// The issuer's file: which device was given which pseudonym. Lines are written as they are made; only what new lines
/// must not repeat is kept in memory.
struct Issued {
  explicit Issued(analyzer::ReplacedFile& to) : file(to) {}
  analyzer::ReplacedFile& file;
  std::string lines{k_credentials_head};  ///< lines that are not written yet
  std::set<std::string> ids;
  std::vector<std::uint64_t> pseudonyms;  ///< pseudonyms of the existing file, sorted
  std::uint64_t reissued = 0;

  [[nodiscard]] Result<Done> add(std::string_view line) {
    constexpr std::size_t k_at_once = std::size_t{1} << 20;
    lines += line;
    return lines.size() < k_at_once ? Result<Done>(Done{}) : flush();
  }
  [[nodiscard]] Result<Done> flush() {
    Result<Done> written = file.write(lines);
    lines.clear();
    return written;
  }
};

std::string row_text(const std::string& id, std::uint64_t pseudonym, const analyzer::StudyKeys& keys) {
  ReportKey key = keys.key(pseudonym);
  std::string text = credential_line(id, pseudonym, analyzer::hex_text(key));
  analyzer::wipe_secret(key);
  return text;
}

/// Draws `count` new pseudonyms that are not in `before`, which is sorted. They stay in the order of drawing, since
/// sorted ones would reveal the order of the ids. Only colliding ones are drawn again, so that `before` cannot keep
/// this from ending.
std::vector<std::uint64_t> draw_pseudonyms(std::uint64_t count, const std::vector<std::uint64_t>& before) {
  std::vector<std::uint64_t> fresh(count);
  for (std::uint64_t& p : fresh) p = analyzer::random_pseudonym();
  for (bool again = true; again;) {
    std::vector<std::uint64_t> sorted = fresh;
    std::ranges::sort(sorted);
    again = false;
    for (std::uint64_t& p : fresh) {
      // Not std::ranges::equal_range: Clang 14 does not take the subrange of libstdc++ 12.
      const auto same = std::equal_range(sorted.begin(), sorted.end(), p);
      if (same.second - same.first == 1 && !std::ranges::binary_search(before, p)) continue;
      p = analyzer::random_pseudonym();
      again = true;
    }
  }
  return fresh;
}

/// Issues `count` credentials. `ids` is empty, or has one id for each.
Result<Done> issue(std::uint64_t count, const std::vector<std::string>& ids, const analyzer::StudyKeys& keys,
                   Issued& issued, bool quiet) {
  Progress progress("issuing", count, quiet);
  const std::string nameless;
  const std::vector<std::uint64_t> fresh = draw_pseudonyms(count, issued.pseudonyms);
  for (std::size_t i = 0; i < fresh.size(); ++i) {
    const std::string& id = ids.empty() ? nameless : ids[i];
    progress.at(i);
    if (const auto added = issued.add(row_text(id, fresh[i], keys)); !added) return added;
    if (!id.empty() && !issued.ids.insert(id).second) ++issued.reissued;
  }
  return issued.flush();
}

/// Loads the existing file, whose credentials stay and must belong to this study and master key.
Result<Done> load_issued(const std::string& path, const analyzer::StudyKeys& keys, Issued& issued) {
  const Result<bool> there = analyzer::is_there(path);
  if (!there) return there.error();
  if (!there.value()) return Done{};
  const Result<std::string> text = read_file(path, k_credentials_max);
  if (!text) return text.error();
  const Result<bool> read = each_credential(
      text.value(), path, "enrol.foreign_file", [&](const Credential& c, std::size_t number) -> Result<Done> {
        const std::string line = row_text(c.id, c.pseudonym, keys);
        if (line != credential_line(c.id, c.pseudonym, c.key)) {
          return Error{"enrol.foreign_file",
                       fmt::format("{}:{}: this line was not issued for this study with this master key", path, number),
                       "", "choose another --out, or put the study's own file back"};
        }
        issued.pseudonyms.push_back(c.pseudonym);
        if (!c.id.empty()) issued.ids.insert(c.id);
        return issued.add(line);
      });
  if (!read) return read.error();
  std::ranges::sort(issued.pseudonyms);
  if (const auto twice = std::ranges::adjacent_find(issued.pseudonyms); twice != issued.pseudonyms.end()) {
    return Error{"credentials.damaged",
                 fmt::format("{}: two lines have the same pseudonym, which is never issued twice", path),
                 analyzer::pseudonym_text(*twice), "remove the repeated line, or restore the file from a copy"};
  }
  return Done{};
}

Result<std::vector<std::string>> read_ids(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  std::vector<std::string> ids;
  std::istringstream lines(text.value());
  std::string line;
  for (std::size_t number = 1; std::getline(lines, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    if (line.empty()) continue;
    if (line.find_first_of(",\"") != std::string::npos || line.front() == ' ' || line.back() == ' ') {
      return Error{
          "enrol.bad_id",
          fmt::format("{}:{}: an id must not contain a comma or a quote, nor begin or end with a blank", path, number),
          line, "write one id on each line"};
    }
    ids.push_back(line);
  }
  if (ids.empty()) return Error{"enrol.no_ids", "the file holds no ids", path, "write one id on each line"};
  return ids;
}

/// Checks that no key was lost, by what is in the study's directory and in the issuer's file.
Result<Done> nothing_needs_the_key(const EnrolOptions& o) {
  const std::filesystem::path directory = o.directory;
  if (const auto none = no_key_was_lost(directory); !none) return none;
  const Result<bool> there = analyzer::is_there(o.out);
  if (!there) return there.error();
  if (!there.value()) return Done{};
  const Result<std::string> text = read_file(o.out, k_credentials_max);
  if (!text) return text.error();
  const Result<bool> read = each_credential(
      text.value(), o.out, "enrol.foreign_file", [&](const Credential&, std::size_t number) -> Result<Done> {
        return Error{
            "enrol.foreign_file",
            fmt::format("{}:{}: this line was issued with a master key, and the study has none", o.out, number),
            (directory / "master.key").string(), "restore the key, or choose another --out"};
      });
  if (!read) return read.error();
  return Done{};
}

int enrol(const EnrolOptions& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  if ((o.count == 0) == o.ids.empty())
    return refuse({"usage", "give --count N or --ids FILE", "", "sotto enrol DIR --count 100 --out credentials.csv"},
                  o.json, usage);
  const Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) return stop(directory.error());
  const Result<Manifest> manifest = analyzer::read_manifest(directory.value().manifest, o.directory + "/manifest.bin");
  if (!manifest) return stop(manifest.error());
  if (!manifest.value().authenticated) {
    return stop({"enrol.no_credentials", "this study is not authenticated, so there are no credentials to issue",
                 o.directory, "write authenticated = true in [study] and compile it into another directory"});
  }
  if (directory.value().study && directory.value().study->terms.tickets) {
    return stop({"enrol.by_ticket", "devices of this study enrol with tickets, so that who collects does not know them",
                 o.directory, "draw tokens for its issuer: sotto tokens, sotto issue"});
  }
  std::vector<std::string> ids;
  if (!o.ids.empty()) {
    Result<std::vector<std::string>> read = read_ids(o.ids);
    if (!read) return stop(read.error());
    ids = std::move(read).value();
  }
  // From here on another process that issues into this file waits, so that its lines are not lost.
  Result<analyzer::ReplacedFile> file = analyzer::ReplacedFile::begin(o.out, analyzer::Readers::owner);
  if (!file) return stop(file.error());
  const Result<std::optional<HeldKey>> held = load_master_key(o.directory);
  if (!held) return stop(held.error());
  if (!held.value()) {
    if (const auto none = nothing_needs_the_key(o); !none) return stop(none.error());
  }
  const Result<HeldKey> master = load_or_draw_master_key(o.directory);
  if (!master) return stop(master.error());
  const bool drawn = !held.value();
  const Digest study = manifest_digest(manifest.value());
  const analyzer::StudyKeys keys(master.value().get(), study);
  Issued issued(file.value());
  if (const auto loaded = load_issued(o.out, keys, issued); !loaded) return stop(loaded.error());
  const std::uint64_t rows = ids.empty() ? o.count : ids.size(), total = issued.pseudonyms.size() + rows;
  if (const auto made = issue(rows, ids, keys, issued, o.json); !made) return stop(made.error());
  if (const auto written = file.value().commit(); !written) return stop(written.error());
  if (o.json) {
    print_json({{"study_digest", analyzer::hex_text(study)},
                {"issued", rows},
                {"reissued", issued.reissued},
                {"total", total},
                {"file", o.out},
                {"master_key_drawn", drawn}});
    return done;
  }
  if (drawn) say("master key  drawn: {} was missing. Keep a copy\n", (directory.value().path / "master.key").string());
  say("issued      {} credential{}, {} in the file\n", rows, rows == 1 ? "" : "s", total);
  say("re-issued   {}{}\n", issued.reissued, issued.reissued == 0 ? "" : ": each may cost its person another epsilon");
  say("file        {}: hand each device its own line, and keep the file where the master key is kept\n", o.out);
  say("Whoever holds this file can tell which device sent a report; what protects the answer is epsilon.\n");
  return done;
}

}  // namespace

void add_enrol(CLI::App& app, Action& action) {
  auto o = std::make_shared<EnrolOptions>();
  CLI::App* verb = app.add_subcommand("enrol", "issue credentials for a study");
  verb->add_option("DIR", o->directory, "directory of a compiled study")->required();
  verb->add_option("--count", o->count, "issue this many credentials without ids")
      ->check(CLI::Range(std::uint64_t{1}, k_count_max));
  verb->add_option("--ids", o->ids, "file with one device's id on each line, or - for stdin");
  verb->add_option("--out", o->out, "the issuer's file; lines are appended to an existing one")->required();
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "The file is CSV with the head id,pseudonym,key,check: the id as given (empty with --count), the pseudonym as 16 "
      "and the key\n"
      "as 64 hexadecimal digits, and the first 16 digits of the SHA-256 of what stands before in the line. Pseudonyms "
      "are random,\n"
      "never 0 and never twice. Which id has which pseudonym is written nowhere else. An id that the file has already "
      "is re-issued\n"
      "under a fresh pseudonym, and counted. Two processes that issue into one file wait for each other.\n"
      "DIR/master.key (the key and a check, readable by its owner only) is drawn when it is missing, which is said, "
      "and "
      "never shown.\n"
      "Without it the study's reports cannot be opened: keep a copy. Where the study has run.sqlite, design.bin or "
      "credentials in the\n"
      "issuer's file, a missing key was lost, and none is drawn.");
  verb->callback([o, &action] { action = [o] { return enrol(*o); }; });
}

}  // namespace sotto::cli
