// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <memory>
#include <set>
#include <sstream>
#include <unordered_set>

#include <fmt/format.h>

#include "credentials.hpp"
#include "files.hpp"
#include "master_key.hpp"
#include "say.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/study/compile.hpp"
#include "sotto/analyzer/study/describe.hpp"
#include "study_directory.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

constexpr std::uint64_t k_count_max = 100'000'000;

struct EnrollOptions {
  std::string directory, ids, out;
  std::uint64_t count = 0;
  bool json = false;
};

/// The issuer's file: who was given which pseudonym.
struct Issued {
  std::string text{k_credentials_head};
  std::set<std::string> ids;
  std::unordered_set<std::uint64_t> pseudonyms;
  std::uint64_t rows = 0, reissued = 0;
};

std::string row_text(const std::string& id, std::uint64_t pseudonym, const analyzer::StudyKeys& keys) {
  ReportKey key = keys.key(pseudonym);
  std::string text = credential_line(id, pseudonym, analyzer::hex_text(key));
  analyzer::wipe_secret(key);
  return text;
}

void issue(const std::string& id, const analyzer::StudyKeys& keys, Issued& issued) {
  std::uint64_t pseudonym = analyzer::random_pseudonym();
  while (!issued.pseudonyms.insert(pseudonym).second) pseudonym = analyzer::random_pseudonym();
  issued.text += row_text(id, pseudonym, keys);
  if (!id.empty() && !issued.ids.insert(id).second) ++issued.reissued;
  ++issued.rows;
}

/// What was issued before stays, and must be of this study and master key.
Result<Issued> load_issued(const std::string& path, const analyzer::StudyKeys& keys) {
  Issued issued;
  const Result<bool> there = analyzer::is_there(path);
  if (!there) return there.error();
  if (!there.value()) return issued;
  const Result<std::string> text = read_file(path);
  if (!text) return text.error();
  const Result<bool> read = each_credential(
      text.value(), path, "enroll.foreign_file",
      [&](const Credential& c, std::size_t number) -> Result<analyzer::Done> {
        if (const std::string line = row_text(c.id, c.pseudonym, keys);
            line == credential_line(c.id, c.pseudonym, c.key)) {
          issued.text += line;
        } else {
          return Error{"enroll.foreign_file",
                       fmt::format("{}:{}: this line was not issued for this study with this master key", path, number),
                       "", "choose another --out, or put the study's own file back"};
        }
        issued.pseudonyms.insert(c.pseudonym);
        if (!c.id.empty()) issued.ids.insert(c.id);
        return analyzer::Done{};
      });
  if (!read) return read.error();
  return issued;
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
      return Error{"enroll.bad_id",
                   fmt::format("{}:{}: an id has no comma, no quote and no blank at its ends", path, number), line,
                   "one id on each line"};
    }
    ids.push_back(line);
  }
  if (ids.empty()) return Error{"enroll.no_ids", "the file names no device", path, "one id on each line"};
  return ids;
}

int enroll(const EnrollOptions& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  if ((o.count == 0) == o.ids.empty())
    return refuse({"usage", "give --count N or --ids FILE", "", "sotto enroll DIR --count 100 --out credentials.csv"},
                  o.json, usage);
  const Result<StudyDirectory> directory = open_study_directory(o.directory);
  if (!directory) return stop(directory.error());
  const Result<Manifest> manifest = analyzer::read_manifest(directory.value().manifest, o.directory + "/manifest.bin");
  if (!manifest) return stop(manifest.error());
  if (!manifest.value().authenticated) {
    return stop({"enroll.no_credentials", "this study takes reports from anybody: there is nothing to issue",
                 o.directory, "write authenticated = true in [study] and compile it into another directory"});
  }
  std::vector<std::string> ids(o.count);
  if (!o.ids.empty()) {
    Result<std::vector<std::string>> read = read_ids(o.ids);
    if (!read) return stop(read.error());
    ids = std::move(read).value();
  }
  const Result<HeldKey> master = load_or_draw_master_key(o.directory);
  if (!master) return stop(master.error());
  const Digest study = manifest_digest(manifest.value());
  const analyzer::StudyKeys keys(master.value().get(), study);
  // From here on another process that issues into this file waits: what it added must not be lost.
  Result<analyzer::ReplacedFile> file = analyzer::ReplacedFile::begin(o.out, analyzer::Readers::owner);
  if (!file) return stop(file.error());
  Result<Issued> issued = load_issued(o.out, keys);
  if (!issued) return stop(issued.error());
  for (const std::string& id : ids) issue(id, keys, issued.value());
  if (const auto written = file.value().write(issued.value().text); !written) return stop(written.error());
  if (const auto written = file.value().commit(); !written) return stop(written.error());
  const Issued& all = issued.value();
  if (o.json) {
    print_json({{"study_digest", analyzer::hex_text(study)},
                {"issued", all.rows},
                {"reissued", all.reissued},
                {"total", all.pseudonyms.size()},
                {"file", o.out}});
    return done;
  }
  say("issued      {} credential{}, {} in the file\n", all.rows, all.rows == 1 ? "" : "s",
             all.pseudonyms.size());
  say("re-issued   {}{}\n", all.reissued, all.reissued == 0 ? "" : ": each may cost its person another epsilon");
  say("file        {}: hand each device its own line, and keep the file where the master key is kept\n", o.out);
  say("Whoever holds this file can tell which device sent a report; what protects the answer is epsilon.\n");
  return done;
}

}  // namespace

void add_enroll(CLI::App& app, Action& action) {
  auto o = std::make_shared<EnrollOptions>();
  CLI::App* verb = app.add_subcommand("enroll", "issue credentials for a study");
  verb->add_option("DIR", o->directory, "directory of a compiled study")->required();
  verb->add_option("--count", o->count, "so many credentials without a name")
      ->check(CLI::Range(std::uint64_t{1}, k_count_max));
  verb->add_option("--ids", o->ids, "file with one device's id on each line, or - for stdin");
  verb->add_option("--out", o->out, "the issuer's file; lines are added to one that is there")->required();
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "The file is CSV with the head id,pseudonym,key,check: the id as given (empty with --count), the pseudonym as 16 "
      "and the key\n"
      "as 64 hexadecimal digits, and the first 16 digits of the SHA-256 of what stands before in the line. Pseudonyms "
      "are random,\n"
      "never 0 and never twice. Which id has which pseudonym is written nowhere else. An id that the file has already "
      "is re-issued\n"
      "under a fresh pseudonym, and counted. Two processes that issue into one file wait for each other.\n"
      "DIR/master.key (the key and a check, readable by its owner only) is drawn when it is missing, and never shown. "
      "Without it the\n"
      "study's reports cannot be opened: keep a copy.");
  verb->callback([o, &action] { action = [o] { return enroll(*o); }; });
}

}  // namespace sotto::cli
