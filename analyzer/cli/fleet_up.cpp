// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <csignal>
#include <cstdio>
#include <ctime>
#include <memory>

#include <fmt/format.h>

#include "cluster_verbs.hpp"
#include "json.hpp"
#include "local_cluster.hpp"
#include "talk.hpp"

// `sotto fleet up`: a cluster on this machine, to try a study on it.
namespace sotto::cli {
namespace {

using analyzer::Result;

/// The signals that end it, held back so that they are waited for, also while processes start.
sigset_t ending_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  sigaddset(&set, SIGINT);
  sigaddset(&set, SIGHUP);
  return set;
}

int fleet_up(const LocalClusterOptions& o) {
  const sigset_t signals = ending_signals();
  (void)::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  (void)std::signal(SIGPIPE, SIG_IGN);
  Result<LocalCluster> cluster = LocalCluster::start(o);
  if (!cluster) return refuse(cluster.error(), false, cluster.error().code.starts_with("io.") ? input_output : refused);
  say("{}\n", json_line(cluster.value().facts()));  // a line, so that a script reads one
  (void)std::fflush(stdout);
  for (;;) {
    const timespec second{1, 0};
    if (::sigtimedwait(&signals, nullptr, &second) > 0) break;
    for (const std::string& name : cluster.value().lost())
      complain(fmt::format("sotto: {} ended; the others go on\n", name));
  }
  cluster.value().stop();
  return done;
}

}  // namespace

CLI::App* add_fleet_up(CLI::App& fleet, Action& action) {
  auto o = std::make_shared<LocalClusterOptions>();
  auto directory = std::make_shared<std::string>();
  CLI::App* verb = fleet.add_subcommand("up", "start brokers, gateways and workers on this machine, to try a cluster");
  verb->add_option("DIR", o->study, "directory of the compiled study, with its master key")->required();
  verb->add_option("--dir", *directory, "directory of the cluster: configurations, logs, stores")->required();
  verb->add_option("--nodes", o->nodes, "brokers: 1, 3 or 5")->capture_default_str()->check(CLI::IsMember({1, 3, 5}));
  verb->add_option("--gateways", o->gateways, "processes that take reports")
      ->capture_default_str()
      ->check(CLI::Range(1u, 64u));
  verb->add_option("--workers", o->workers, "processes that sum them")
      ->capture_default_str()
      ->check(CLI::Range(0u, 64u));
  verb->add_option("--partitions", o->partitions, "partitions of the log")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1024u));
  verb->add_option("--partition-megabytes", o->partition_megabytes, "a partition is full at so many")
      ->capture_default_str()
      ->check(CLI::Range(1u, 1'000'000u));
  verb->add_option("--run", o->run, "name of the run in the log")->capture_default_str();
  verb->add_option("--target", o->target, "close a round at this many accepted reports");
  verb->add_option("--deadline", o->deadline, "close a round this many seconds after it was opened");
  verb->add_option("--nats-server", o->broker, "the program of the brokers")->capture_default_str();
  verb->footer(
      "Prints one JSON object when devices can be asked: the gateways' addresses for sotto fleet and sotto-device. "
      "Everything\n"
      "listens on loopback, on free ports. SIGTERM or Ctrl-C stops what it started. A directory that was used before "
      "is\n"
      "continued.");
  verb->callback([o, directory, &action] {
    o->directory = *directory;
    action = [o] { return fleet_up(*o); };
  });
  return verb;
}

}  // namespace sotto::cli
