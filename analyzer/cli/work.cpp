// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <unistd.h>

#include <atomic>
#include <cctype>
#include <csignal>
#include <cstdio>
#include <memory>

#include <fmt/format.h>

#include "cluster_verbs.hpp"
#include "files.hpp"
#include "json.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "served.hpp"
#include "shared_log.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/cluster/worker.hpp"
#include "sotto/analyzer/log/layout.hpp"
#include "study_directory.hpp"
#include "talk.hpp"

// `sotto work`: replays partitions of a study's log.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

struct WorkOptions {
  LogOptions log;
  std::string directory, data, name;
  std::vector<std::uint32_t> partitions;
};

/// Set by SIGTERM and SIGINT, whose handlers may touch nothing else.
std::atomic<bool>& must_stop() {
  static std::atomic<bool> stop{false};
  static_assert(std::atomic<bool>::is_always_lock_free);
  return stop;
}

void stop_at_signals() {
  must_stop() = false;
  (void)std::signal(SIGTERM, [](int) { must_stop() = true; });
  (void)std::signal(SIGINT, [](int) { must_stop() = true; });
  (void)std::signal(SIGPIPE, SIG_IGN);
  (void)std::signal(SIGXFSZ, SIG_IGN);
}

std::string drawn_name() {
  char host[64] = {};
  (void)::gethostname(host, sizeof host - 1);
  std::string name = fmt::format("{}-{}", host, ::getpid());
  for (char& c : name)
    if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '-';
  return name;
}

Result<analyzer::Done> run_worker(const WorkOptions& o) {
  Result<analyzer::ServedStudy> opened = open_served_study(o.directory, o.data);
  if (!opened) return opened.error();
  const analyzer::ServedStudy& study = opened.value();
  const Result<DirectoryLock> lock = DirectoryLock::take(study.data);
  if (!lock) return lock.error();
  const Result<Manifest> manifest = analyzer::read_manifest(study.manifest, "the manifest");
  if (!manifest) return manifest.error();
  const Digest digest = manifest_digest(manifest.value());
  Result<std::unique_ptr<analyzer::SharedLog>> log = open_shared_log(o.log, digest);
  if (!log) return log.error();
  std::uint32_t partitions = 0;
  while (partitions == 0 && !must_stop()) {
    const Result<std::uint32_t> begun =
        analyzer::begun_partitions(*log.value(), run_of(o.log, digest), std::chrono::milliseconds(500));
    if (!begun) return begun.error();
    partitions = begun.value();
  }
  for (const std::uint32_t p : o.partitions) {
    if (p < partitions || partitions == 0) continue;
    return Error{"log.other_partitions", "the run has no such partition", fmt::format("{} of {}", p, partitions),
                 "name partitions from 0 on"};
  }
  const analyzer::ReplayedStudy replayed{study.manifest, study.master};
  analyzer::WorkerOptions options{o.name, study.data, o.partitions, {}};
  options.log = [](std::string_view event, std::string_view detail) {
    say("{}", json_line({{"event", event}, {"detail", detail}}));
    (void)std::fflush(stdout);
  };
  complain(fmt::format("working on {} partitions as {}\n", partitions, o.name));
  return analyzer::work(replayed, *log.value(), partitions, options, must_stop());
}

int work(const WorkOptions& o) {
  const auto stop = [](const Error& error) {
    return refuse(error, false, error.code == "usage" ? usage : error.code.starts_with("io.") ? input_output : refused);
  };
  const OwnerOnly owner_only;  // stores hold reports with their pseudonyms
  stop_at_signals();
  const Result<analyzer::Done> worked = run_worker(o);
  return worked ? static_cast<int>(done) : stop(worked.error());
}

}  // namespace

void add_work(CLI::App& app, Action& action) {
  auto o = std::make_shared<WorkOptions>();
  CLI::App* verb = app.add_subcommand("work", "open and sum the reports of a study whose log processes share");
  verb->add_option("DIR", o->directory, "directory of the compiled study, with its master key")->required();
  verb->add_option("--data", o->data, "directory of this worker; it may be deleted while the worker is stopped")
      ->required();
  add_log_options(*verb, o->log);
  verb->get_option("--log")->required();
  verb->add_option("--name", o->name, "what the page calls this worker; the host and the process by default");
  verb->add_option("--only", o->partitions, "replay these partitions, whoever else does")->delimiter(',');
  verb->footer(
      "Workers that run at the same time share the partitions. Everything they keep follows from the log: a worker "
      "that\n"
      "is lost is replaced by any other. Ends with 0 after SIGTERM. docs/FLEET.md has the whole.");
  verb->callback([o, &action] {
    if (o->name.empty()) o->name = drawn_name();
    action = [o] { return work(*o); };
  });
}

}  // namespace sotto::cli
