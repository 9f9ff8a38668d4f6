// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "simulate_cost.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "say.hpp"
#include "sotto/analyzer/simulate/synthetic_spec.hpp"

namespace sotto::cli {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;

namespace {

// Measured on one core with `sotto simulate`: complete sessions with a ledger, votes without one, and random numbers of
// a synthetic population.
constexpr double k_sessions_per_second = 8e3, k_votes_per_second = 2e6, k_numbers_per_second = 1e8;
// A label study keeps pseudonym, position and report of every device while it sorts them twice.
constexpr double k_label_bytes = 64;
// Memory of a vote for each feature: counts in each thread, estimates with errors in the sum, and sorted rows for the
// page.
constexpr double k_vote_bytes_of_thread = 32, k_vote_bytes = 96;
constexpr double k_long_seconds = 60;

double rows_of(const SimulateOptions& o) {
  const auto samples = analyzer::parse_samples(o.samples);
  return samples ? (1.0 * samples.value().low + samples.value().high) / 2 : 1;
}

}  // namespace

SimulationCost cost_of(const SimulateOptions& o, double devices, double runs) {
  const double cores = std::max(1.0, static_cast<double>(::sysconf(_SC_NPROCESSORS_ONLN)));
  const double threads = std::min<double>(o.threads, cores);
  if (o.protocol == "vote") {
    return {devices * runs / k_votes_per_second / threads, o.dim * (k_vote_bytes + k_vote_bytes_of_thread * o.threads)};
  }
  const double numbers = o.data.empty() ? rows_of(o) * (o.dim + 1.0) : 0;
  return {devices * runs * (1 / k_sessions_per_second + numbers / k_numbers_per_second) / threads,
          asks_labels(o.protocol) ? k_label_bytes * devices : 0};
}

std::string duration_text(double seconds) {
  struct Unit {
    const char* name;
    double seconds;
  };
  constexpr Unit k_units[] = {{"years", 365.25 * 86400}, {"days", 86400}, {"hours", 3600}, {"minutes", 60}};
  for (const Unit& unit : k_units) {
    if (seconds >= 2 * unit.seconds) return fmt::format("{:.0f} {}", seconds / unit.seconds, unit.name);
  }
  return fmt::format("{:.0f} s", seconds);
}

Result<Done> announce_cost(const SimulateOptions& o, double devices, double runs) {
  const SimulationCost cost = cost_of(o, devices, runs);
  const double memory = static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (memory > 0 && cost.bytes > memory) {
    return Error{"simulate.too_large", "the fleet does not fit into the memory of this machine",
                 fmt::format("about {:.3g} GB of {:.3g} GB", cost.bytes / 1e9, memory / 1e9),
                 o.protocol == "vote" ? "lower --dim or --threads" : "lower --users"};
  }
  if (cost.seconds < k_long_seconds) return Done{};
  complain(
      fmt::format("sotto: {:.0f} devices, {:.0f} run{}: about {} with {} thread{}{}. Ctrl-C stops it{}.\n", devices,
                  runs, runs == 1 ? "" : "s", duration_text(cost.seconds), o.threads, o.threads == 1 ? "" : "s",
                  cost.bytes > 1e9 ? fmt::format(" and {:.3g} GB", cost.bytes / 1e9) : "",
                  !o.is_stored ? ", and --out DIR keeps what was collected" : "; the same command goes on with it"));
  return Done{};
}

}  // namespace sotto::cli
