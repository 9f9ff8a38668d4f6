// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// sotto-device: a device that runs by itself, started by hand, by a timer or by whatever brings rounds.
#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>

#include "agent.hpp"
#include "check.hpp"

namespace {

constexpr const char* k_usage =
    "usage: sotto-device agree HOME            the owner agrees, once; withdraw HOME takes it back\n"
    "       sotto-device run HOME [options]    answers the rounds of HOME/inbox, once each\n"
    "       sotto-device run HOME --check FILE shows what it would answer with from these readings, and spends "
    "nothing\n"
    "\n"
    "HOME holds manifest.bin and credential (pseudonym and key of sotto enrol, on one line; none for an open study).\n"
    "Rounds are put into HOME/inbox as *.bin, renamed into place; reports appear in HOME/outbox as round-N.hex, the "
    "same\n"
    "bytes however often. HOME/inbox/round-N.ack, an empty file, says that the server has the report.\n"
    "\n"
    "  --data FILE       readings: a row on each line, whole numbers separated by commas, the target last\n"
    "  --answer N        the number of a feature, for rounds that leave the choice to the device\n"
    "  --send PROGRAM    called with the file of a report; exit code 0: the server has it. Otherwise the next start "
    "tries again\n"
    "  --server URL      http(s)://HOST:PORT/v1/studies/DIGEST of sotto serve: manifest and rounds are fetched, "
    "reports "
    "posted\n"
    "  --mqtt URL        mqtt://HOST:PORT/DIGEST or mqtts://...: the same through a broker, instead of --server\n"
    "  --mqtt-ca FILE    authority of the broker's certificate in PEM\n"
    "  --mqtt-user-file FILE   this device's user at the broker and, on the next line, its password\n"
    "  --token TOKEN     enrols at that server, once, where HOME/credential is missing\n"
    "  --tickets URL     of the issuer (sotto issue) that takes the token and signs a ticket for that server\n"
    "  --spread SECONDS  the most that passes between getting a ticket and using it: 3600\n"
    "  --tries N         of each request and report at one start, with growing pauses: 5\n"
    "  --window SECONDS  of sending, from the arrival of a round: a report waits for this device's slot\n"
    "  --study-cap NATS, --total-cap NATS   the caps of a new ledger: 4 and 8\n"
    "  --issuer HEX      answers only what this public key signed (sotto keygen)\n";

int misused(const std::string& what) {
  std::fprintf(stderr, "sotto-device: %s\n%s", what.c_str(), k_usage);
  return 2;
}

int check(const AgentOptions& options) {
  const Bytes bytes = read_bytes(options.home / "manifest.bin");
  sotto::Manifest manifest;
  if (const sotto::Status status = sotto::decode_manifest(bytes, manifest); status != sotto::Status::ok)
    throw Unusable((options.home / "manifest.bin").string() + ": " +
                   sotto_status_text(static_cast<sotto_status>(status)));
  print_check(manifest, read_readings(options.data, manifest.features + 1, Faults::refused));
  return 0;
}

bool number(const char* text, double& out) {
  char* end = nullptr;
  out = std::strtod(text, &end);
  return end != text && *end == '\0' && out >= 0;
}

}  // namespace

int main(int argc, char** argv) {
  (void)std::signal(SIGPIPE, SIG_IGN);  // a server that hangs up is an answer that did not come
  if (argc == 2 && (std::strcmp(argv[1], "--help") == 0 || std::strcmp(argv[1], "-h") == 0)) {
    std::fputs(k_usage, stdout);
    return 0;
  }
  if (argc < 3) return misused("a command and a directory are needed");
  std::string command = argv[1];
  AgentOptions options;
  options.home = argv[2];
  for (int i = 3; i + 1 < argc; i += 2) {
    const std::string name = argv[i];
    const char* const value = argv[i + 1];
    double parsed = 0;
    if (name == "--data" || name == "--check") {
      options.data = value;
      if (name == "--check") command = "check";
    } else if (name == "--send") {
      options.send = value;
    } else if (name == "--server") {
      options.server = value;
    } else if (name == "--mqtt") {
      options.mqtt.url = value;
    } else if (name == "--mqtt-ca") {
      options.mqtt.authority = value;
    } else if (name == "--mqtt-user-file") {
      std::ifstream file(value);
      if (!std::getline(file, options.mqtt.user)) return misused(name + " " + value + ": no user on its first line");
      std::getline(file, options.mqtt.password);
    } else if (name == "--token") {
      options.token = value;
    } else if (name == "--tickets") {
      options.tickets = value;
    } else if (name == "--issuer") {
      options.issuer = value;
    } else if (!number(value, parsed)) {
      return misused(name + " " + value + ": not a number");
    } else if (name == "--answer") {
      options.given = static_cast<std::uint32_t>(parsed);
    } else if (name == "--spread") {
      options.spread = parsed;
    } else if (name == "--tries") {
      options.tries = static_cast<int>(std::min(std::max(parsed, 1.0), 1000.0));
    } else if (name == "--window") {
      options.window = parsed;
    } else if (name == "--study-cap") {
      options.study_nats = parsed;
    } else if (name == "--total-cap") {
      options.total_nats = parsed;
    } else {
      return misused("unknown option " + name);
    }
  }
  if (argc % 2 == 0) return misused(std::string(argv[argc - 1]) + " needs a value");
  if (!options.server.empty() && !options.mqtt.url.empty()) return misused("--server and --mqtt: name one of them");
  if (!options.token.empty() && options.server.empty()) return misused("--token enrols over --server");
  try {
    if (command == "agree" || command == "withdraw") return set_consent(options, command == "agree");
    if (command == "run") {
      if (options.data.empty() == !options.given.has_value()) return misused("run needs either --data or --answer");
      return run_agent(options);
    }
    if (command == "check") return check(options);
  } catch (const std::exception& refusal) {
    std::fprintf(stderr, "sotto-device: %s\n", refusal.what());
    return 3;
  }
  return misused("unknown command " + command);
}
