// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <memory>

#include <fmt/format.h>

#include "cluster_verbs.hpp"
#include "sotto/analyzer/cluster/sizing.hpp"
#include "talk.hpp"

// `sotto fleet size`: what a cluster for a fleet needs.
namespace sotto::cli {
namespace {

struct SizeOptions {
  analyzer::FleetLoad load;
  bool kept = false, json = false;
};

std::string bytes_text(double bytes) {
  const char* const units[] = {"B", "kB", "MB", "GB", "TB", "PB"};
  std::size_t unit = 0;
  while (bytes >= 1000 && unit + 1 < std::size(units)) {
    bytes /= 1000;
    ++unit;
  }
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

int fleet_size(const SizeOptions& o) {
  analyzer::FleetLoad load = o.load;
  load.is_new_connection = !o.kept;
  const analyzer::FleetSize size = analyzer::size_of(load);
  if (o.json) {
    print_json(
        {{"reports_per_second", {{"mean", size.mean_per_second}, {"peak", size.peak_per_second}}},
         {"partitions", size.partitions},
         {"log_bytes", {{"one_replica", size.log_bytes}, {"all", size.log_bytes_all}}},
         {"entries_a_day", size.entries_a_day},
         {"cores_at_peak",
          {{"connections", size.connection_cores}, {"gateways", size.gateway_cores}, {"workers", size.worker_cores}}},
         {"memory_bytes_of_workers", size.readings_bytes},
         {"replay_seconds_of_a_partition", size.replay_seconds}});
    return done;
  }
  say("reports       {:.4g} a second, {:.4g} at the peak\n", size.mean_per_second, size.peak_per_second);
  say("partitions    {}\n", size.partitions);
  say("log           {} on each of {:.0f} brokers\n", bytes_text(size.log_bytes), load.replicas);
  say("cores         {:.2g} for new TLS connections, {:.2g} for requests, {:.2g} for workers, at the peak\n",
      size.connection_cores, size.gateway_cores, size.worker_cores);
  say("memory        {} of all workers together\n", bytes_text(size.readings_bytes));
  say("replay        {:.3g} s of a partition from the start\n", size.replay_seconds);
  return done;
}

}  // namespace

CLI::App* add_fleet_size(CLI::App& fleet, Action& action) {
  auto o = std::make_shared<SizeOptions>();
  CLI::App* verb = fleet.add_subcommand("size", "how large a cluster a fleet needs, from measured costs");
  verb->add_option("REPORTS", o->load.reports_a_day, "reports a day")->required()->check(CLI::Range(1.0, 1e12));
  verb->add_option("--days", o->load.days, "days that the log of a run holds")
      ->capture_default_str()
      ->check(CLI::Range(0.01, 3650.0));
  verb->add_option("--peak", o->load.peak, "the busiest second, in mean ones")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1e5));
  verb->add_option("--report-bytes", o->load.report_bytes, "of a sealed report")
      ->capture_default_str()
      ->check(CLI::Range(33.0, 65535.0));
  verb->add_option("--batch", o->load.reports_a_request, "reports of a request")
      ->capture_default_str()
      ->check(CLI::Range(1.0, 1872.0));
  verb->add_option("--replicas", o->load.replicas, "brokers that keep each partition")
      ->capture_default_str()
      ->check(CLI::IsMember({1, 3, 5}));
  verb->add_flag("--kept", o->kept, "connections are kept, or a proxy ends TLS");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "Arithmetic on costs of one core; docs/FLEET.md says where they were measured. Measure yours: sotto bench "
      "fleet.");
  verb->callback([o, &action] { action = [o] { return fleet_size(*o); }; });
  return verb;
}

}  // namespace sotto::cli
