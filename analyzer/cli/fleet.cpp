// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <chrono>
#include <memory>
#include <sstream>
#include <thread>

#include <fmt/format.h>

#include "cluster_verbs.hpp"
#include "credentials.hpp"
#include "files.hpp"
#include "served_fleet.hpp"
#include "simulate_effects.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/simulate/synthetic_world.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto fleet`: simulated devices that answer a running server, for demonstrations and for load tests.
namespace sotto::cli {
namespace {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;
using Bytes = std::vector<std::uint8_t>;

struct FleetOptions {
  std::string server, effects, target, samples = "40", tokens, credentials;
  std::uint64_t users = 0, seed = 1, wait = 600;
  std::uint32_t connections = 8;
  bool json = false;
};

Result<std::vector<sotto::Credential>> read_credentials(const std::string& path) {
  const Result<std::string> text = read_file(path, k_credentials_max);
  if (!text) return text.error();
  std::vector<sotto::Credential> out;
  const auto read = each_credential(
      text.value(), path, "fleet.bad_credentials", [&out](const cli::Credential& one, std::size_t) -> Result<Done> {
        sotto::Credential own{one.pseudonym, {}, true};
        for (std::size_t i = 0; i < own.key.size(); ++i)
          own.key[i] = static_cast<std::uint8_t>(std::stoul(std::string(one.key.substr(2 * i, 2)), nullptr, 16));
        out.push_back(own);
        return Done{};
      });
  if (!read) return read.error();
  return out;
}

/// The world that `sotto simulate --effects` would simulate.
Result<analyzer::SyntheticSpec> world_of(const FleetOptions& o) {
  const Result<Effects> effects = read_effects(o.effects, o.target);
  if (!effects) return effects.error();
  const auto samples = analyzer::parse_samples(o.samples);
  if (!samples) return samples.error();
  analyzer::SyntheticSpec spec;
  spec.devices = o.users;
  spec.samples_low = samples.value().low;
  spec.samples_high = samples.value().high;
  spec.features = static_cast<std::uint32_t>(effects.value().features.size());
  spec.nonzeros = effects.value().nonzeros();
  spec.effects = effects.value().effects;
  spec.seed = o.seed;
  if (const auto checked = analyzer::check(spec); !checked) return checked.error();
  return spec;
}

/// Credentials of the devices; none for an open study.
Result<std::vector<sotto::Credential>> credentials_of(const FleetOptions& o, const Manifest& manifest,
                                                      const ServedFleet& server) {
  if (!manifest.authenticated) return std::vector<sotto::Credential>{};
  Result<std::vector<sotto::Credential>> out = std::vector<sotto::Credential>{};
  if (!o.credentials.empty()) {
    out = read_credentials(o.credentials);
  } else {
    const Result<std::string> text = read_file(o.tokens);
    if (!text) return text.error();
    std::istringstream lines(text.value());
    std::vector<std::string> tokens;
    for (std::string line; tokens.size() < o.users && lines >> line;) tokens.push_back(line);
    if (tokens.size() < o.users)
      return Error{"fleet.too_few", "there are fewer tokens than devices",
                   fmt::format("{} of {}", tokens.size(), o.users), "draw more with sotto tokens, or lower --users"};
    out = server.enrol(tokens);
  }
  if (!out) return out.error();
  if (out.value().size() < o.users)
    return Error{"fleet.too_few", "there are fewer credentials than devices",
                 fmt::format("{} of {}", out.value().size(), o.users), "issue more with sotto enrol, or lower --users"};
  return out;
}

double quantile(const std::vector<double>& sorted, double share) {
  if (sorted.empty()) return 0;
  return sorted[std::min(sorted.size() - 1, static_cast<std::size_t>(share * static_cast<double>(sorted.size())))];
}

/// Answers every round until none is open; tells of each where `tell` says so.
Result<Posted> answer_rounds(const FleetOptions& o, const ServedFleet& server, const analyzer::SessionFleet& fleet) {
  Posted sum;
  Bytes answered;
  auto last = std::chrono::steady_clock::now();
  for (;;) {
    const Result<std::optional<Bytes>> round = server.round();
    if (!round) return round.error();
    if (!round.value()) return sum;
    if (*round.value() == answered) {
      if (std::chrono::steady_clock::now() - last > std::chrono::seconds(o.wait)) {
        return Error{"fleet.no_next_round", "the round that was answered stays open", fmt::format("{} s", o.wait),
                     "close it, give sotto serve a --deadline, or wait longer with --wait"};
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(100));
      continue;
    }
    answered = *round.value();
    Result<Posted> posted = server.answer(fleet, answered);
    if (!posted) return posted.error();
    last = std::chrono::steady_clock::now();
    if (!o.json && posted.value().stored > 0) {
      say("round {:<6}{:>7} reports, {} stored\n", analyzer::read_round(answered, "the round").value().number,
          posted.value().reports, posted.value().stored);
      (void)std::fflush(stdout);
    } else if (!o.json) {
      say("round {:<6}{:>7} reports, {} accepted\n", analyzer::read_round(answered, "the round").value().number,
          posted.value().reports, posted.value().accepted);
      (void)std::fflush(stdout);
    }
    sum.add(std::move(posted).value());
  }
}

int fleet(const FleetOptions& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json,
                  error.code == "usage"           ? usage
                  : error.code.starts_with("io.") ? input_output
                                                  : refused);
  };
  const Result<StudyAddress> address = read_study_address(o.server);
  if (!address) return stop(address.error());
  const ServedFleet server(address.value(), o.connections);
  const Result<Bytes> bytes = server.manifest();
  if (!bytes) return stop(bytes.error());
  const Result<Manifest> manifest = analyzer::read_manifest(bytes.value(), "the served manifest");
  if (!manifest) return stop(manifest.error());
  const Result<analyzer::SyntheticSpec> spec = world_of(o);
  if (!spec) return stop(spec.error());
  if (spec.value().features != manifest.value().features) {
    return stop({"fleet.other_features", "the study asks about another number of features than the file has",
                 fmt::format("{} and {}", manifest.value().features, spec.value().features),
                 "name the effects that the study was written for"});
  }
  if (manifest.value().authenticated && o.tokens.empty() == o.credentials.empty())
    return stop(
        {"usage", "the devices of this study need credentials", "", "name --tokens or --credentials, one of them"});
  const Result<std::vector<sotto::Credential>> issued = credentials_of(o, manifest.value(), server);
  if (!issued) return stop(issued.error());
  const analyzer::SyntheticWorld world(spec.value());
  analyzer::SessionFleetOptions options;
  options.seed = o.seed;
  options.issued = issued.value();
  const analyzer::SessionFleet devices(world, bytes.value(), manifest.value(), options);
  Result<Posted> answered = answer_rounds(o, server, devices);
  if (!answered) return stop(answered.error());
  Posted& posted = answered.value();
  std::ranges::sort(posted.seconds);
  const auto milliseconds = [&posted](double share) { return 1e3 * quantile(posted.seconds, share); };
  if (o.json) {
    print_json({{"devices", o.users},
                {"reports", posted.reports},
                {"accepted", posted.accepted},
                {"duplicates", posted.duplicates},
                {"refused", posted.refused},
                {"stored", posted.stored},
                {"sent_again", posted.sent_again},
                {"milliseconds", {{"p50", milliseconds(0.5)}, {"p99", milliseconds(0.99)}, {"max", milliseconds(1)}}}});
    return done;
  }
  say("reports     {} posted, {} accepted, {} duplicates, {} refused; {} requests sent again\n", posted.reports,
      posted.accepted, posted.duplicates, posted.refused, posted.sent_again);
  if (posted.stored > 0) say("             {} are stored by a cluster, which judges them later\n", posted.stored);
  say("an answer   takes {:.1f} ms (median), {:.1f} ms (99 %), {:.1f} ms (longest)\n", milliseconds(0.5),
      milliseconds(0.99), milliseconds(1));
  return done;
}

}  // namespace

void add_fleet(CLI::App& app, Action& action) {
  auto o = std::make_shared<FleetOptions>();
  CLI::App* verb = app.add_subcommand("fleet", "let simulated devices answer a server, to try it or to load it");
  verb->add_option("URL", o->server, "http://HOST:PORT/v1/studies/DIGEST of sotto serve");
  verb->add_option("--effects", o->effects, "CSV of the features and their true effects, as of sotto simulate");
  verb->add_option("--target", o->target, "the line of that file that describes the target");
  verb->add_option("--users", o->users, "so many devices")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{10'000'000}));
  verb->add_option("--samples", o->samples, "rows of a device, N or LOW:HIGH")->capture_default_str();
  verb->add_option("--seed", o->seed, "of their rows and of their entropy")->capture_default_str();
  verb->add_option("--tokens", o->tokens, "file of one-time tokens, with which they enrol (sotto tokens)");
  verb->add_option("--credentials", o->credentials, "file of credentials in place of tokens (sotto enrol)");
  verb->add_option("--connections", o->connections, "kept connections, a thread each")
      ->capture_default_str()
      ->check(CLI::Range(1u, 256u));
  verb->add_option("--wait", o->wait, "seconds for which a round that was answered may stay open")
      ->capture_default_str()
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{86400}));
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "Rows are drawn, and so are the coins, from --seed: never use this in a study whose model matters. The device "
      "library\n"
      "computes, randomizes and seals each report; a report is posted alone, and again until the server answers. It "
      "ends when\n"
      "no round is open.");
  const CLI::App* const up = add_fleet_up(*verb, action);
  const CLI::App* const size = add_fleet_size(*verb, action);
  verb->callback([o, up, size, verb, &action] {
    if (up->parsed() || size->parsed()) return;
    // Needed, but not by these two, so that the parser cannot demand them.
    for (const char* name : {"URL", "--effects", "--target", "--users"})
      if (verb->get_option(name)->empty()) throw CLI::RequiredError(name);
    action = [o] { return fleet(*o); };
  });
}

}  // namespace sotto::cli
