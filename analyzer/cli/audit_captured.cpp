// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <memory>

#include <fmt/format.h>

#include "audit.hpp"
#include "files.hpp"
#include "master_key.hpp"
#include "sotto/analyzer/audit/captured.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/status_text.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/bytes.hpp"
#include "sotto/wire/report.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto audit --reports`: what captured reports show, whoever made them.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;
namespace audit = analyzer::audit;

/// A study whose reports were captured. Nothing of it moves: manifest and rounds point into their bytes.
struct AuditedStudy {
  StudyDirectory directory;
  Manifest manifest;
  std::vector<Round> rounds;
  Digest digest{};
  std::unique_ptr<analyzer::StudyKeys> keys;
};

Result<std::unique_ptr<AuditedStudy>> open_study(const std::string& path) {
  Result<StudyDirectory> directory = open_study_directory(path);
  if (!directory) return directory.error();
  auto out = std::make_unique<AuditedStudy>();
  out->directory = std::move(directory).value();
  const Result<Manifest> manifest = analyzer::read_manifest(out->directory.manifest, path + "/manifest.bin");
  if (!manifest) return manifest.error();
  out->manifest = manifest.value();
  out->digest = manifest_digest(out->manifest);
  for (const Bytes& bytes : out->directory.rounds) {
    const Result<Round> round = analyzer::read_round(bytes, path + ": a round");
    if (!round) return round.error();
    out->rounds.push_back(round.value());
  }
  const Result<std::optional<HeldKey>> master = load_master_key(path);
  if (!master) return master.error();
  if (master.value()) out->keys = std::make_unique<analyzer::StudyKeys>(master.value()->get(), out->digest);
  return out;
}

Error bad_report(std::string what, std::string value, std::string fix) {
  return {"audit.bad_report", std::move(what), std::move(value), std::move(fix)};
}

Result<audit::OpenedReport> open_report(const AuditedStudy& study, std::span<const std::uint8_t> report) {
  ReportHeader header;
  if (const Status s = decode_header(report, header); s != Status::ok) {
    return bad_report("this is not a report", std::string(status_name(s)),
                      "of another implementation, leave --study out and give --epsilon");
  }
  if (header.study_prefix != load_u32(study.digest.data()))
    return bad_report("the report answers another study", study.directory.path.string(), "give its own directory");
  const Round* asked = nullptr;
  for (const Round& round : study.rounds) {
    if (round.number == header.round) asked = &round;
  }
  if (asked == nullptr || header.authenticated != study.manifest.authenticated) {
    return bad_report("the report answers a round that the study does not have", fmt::format("round {}", header.round),
                      "put the round's file into the study's directory");
  }
  const std::string context = fmt::format("{}:{:016x}", header.round, header.pseudonym);
  const std::span<const std::uint8_t> rest = report.subspan(k_header_bytes);
  if (!header.authenticated) return audit::OpenedReport{context, std::string(rest.begin(), rest.end())};
  if (study.keys == nullptr) {
    return bad_report("the report is sealed, and the study's directory has no master.key",
                      study.directory.path.string(), "put the key there that issued the credentials");
  }
  std::string payload(rest.size() - k_tag_bytes, '\0');
  const ReportKey key = study.keys->key(header.pseudonym);
  if (!analyzer::open_sealed(key, {study.digest, round_digest(*asked)}, report,
                             {reinterpret_cast<std::uint8_t*>(payload.data()), payload.size()}))
    return bad_report("the seal does not open", context, "check that master.key issued this device's credential");
  return audit::OpenedReport{context, payload};
}

/// What the study says of its reports.
struct Promise {
  audit::AuditRow row;
  bool numbers = false;
};

Result<Promise> promise_of(const AuditedStudy& study) {
  if (study.rounds.empty())
    return Error{"audit.no_round", "the study has no round", study.directory.path.string(), "compile it with --out"};
  const Round& round = study.rounds.front();
  const Result<analyzer::AnySpec> spec = analyzer::round_spec(study.manifest, round);
  if (!spec) return spec.error();
  Promise out;
  out.row.question = analyzer::question_name(round.question);
  out.row.stem = analyzer::facts_of(spec.value()).stem;
  out.row.epsilon_delivered = audit::delivered_nats(spec.value());
  out.row.delta = analyzer::delta_chance(study.manifest.delta);
  out.row.epsilon_declared = static_cast<double>(study.manifest.epsilon) / static_cast<double>(k_epsilon_one);
  out.numbers = round.stem == Stem::gaussian;
  return out;
}

}  // namespace

int run_captured_audit(const CapturedAudit& options) {
  if (options.study.empty() && options.epsilon == 0) {
    return refuse({"audit.no_promise", "nothing says what these reports may spend", "",
                   "give --study DIR, or --epsilon for reports of another implementation"},
                  options.json, usage);
  }
  const Result<std::string> reports = read_file(options.reports), truth = read_file(options.truth);
  if (!reports) return refuse(reports.error(), options.json);
  if (!truth) return refuse(truth.error(), options.json);
  Promise promise;
  promise.row.question = promise.row.stem = "unknown";
  std::unique_ptr<AuditedStudy> study;
  audit::OpenReport open = audit::whole_report;
  if (!options.study.empty()) {
    Result<std::unique_ptr<AuditedStudy>> opened = open_study(options.study);
    if (!opened) return refuse(opened.error(), options.json);
    study = std::move(opened).value();
    Result<Promise> said = promise_of(*study);
    if (!said) return refuse(said.error(), options.json);
    promise = std::move(said).value();
    open = [&study](std::span<const std::uint8_t> report) { return open_report(*study, report); };
  }
  const Result<audit::Runs> runs = audit::read_captured(reports.value(), truth.value(), open);
  if (!runs) return refuse(runs.error(), options.json);

  audit::AuditRow row = promise.row;
  const std::size_t parts = runs.value().first.front().parts.size();
  row.asking = "captured";
  row.parameters = parts == 1 ? "one report a run" : fmt::format("{} reports a run", parts);
  row.alpha = options.alpha;
  if (options.epsilon > 0) {
    row.epsilon_declared = options.epsilon;
    row.delta = options.delta;
  } else {  // each report of a run is paid for
    row.epsilon_declared *= static_cast<double>(parts);
    row.delta *= static_cast<double>(parts);
  }
  const bool numbers = promise.numbers || options.numbers;
  std::vector<audit::AuditRow> rows(1, row);
  audit::judge(rows[0], runs.value(), audit::measure_reports(runs.value(), options.alpha, row.delta, numbers));
  if (runs.value().first.front().time) {
    row.asking = "timing";
    row.epsilon_delivered = 0;  // time is no part of what a report may tell
    audit::judge(row, runs.value(), audit::measure_times(runs.value(), options.alpha, row.delta));
    rows.push_back(row);
  }
  return show_audit(rows, options.json);
}

}  // namespace sotto::cli
