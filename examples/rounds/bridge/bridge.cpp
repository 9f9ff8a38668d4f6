// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Stands between one device on a serial line and `sotto serve`: it hands out the open round, keeps the device's slot, and
// tells the device that the server has its report when the server says so. It sees sealed reports, and no key.
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <thread>

#include "from_broker.hpp"
#include "from_server.hpp"
#include "http_client.hpp"
#include "patience.hpp"
#include "serial_line.hpp"
#include "sotto/wire/round.hpp"

namespace {

constexpr const char* k_usage =
    "usage: sotto-bridge LINE [options]   LINE is a serial device, or a UNIX socket of an emulator\n"
    "\n"
    "  --server URL      http://HOST:PORT/v1/studies/DIGEST of sotto serve\n"
    "  --mqtt URL        mqtt://HOST:PORT/DIGEST or mqtts://...: the same through a broker\n"
    "  --mqtt-ca FILE, --mqtt-user-file FILE, --tries N   as for sotto-device\n"
    "  --consent on|off  the owner's decision, told to a device that asks\n"
    "  --window SECONDS  of sending: the device's slot in it\n";

struct BridgeOptions {
  std::string line, consent;
  AgentOptions agent;
};

int misused(const std::string& what) {
  std::fprintf(stderr, "sotto-bridge: %s\n%s", what.c_str(), k_usage);
  return 2;
}

/// The open round; empty where there is none, or where nobody was reached.
std::string open_round(const AgentOptions& options) {
  if (!options.server.empty()) {
    const HttpAnswer answer = http_insist("GET", options.server + "/round", "", "", options.tries);
    if (answer.status != 200 && answer.status != 204)
      std::fprintf(stderr, "sotto-bridge: %s/round: status %d\n", options.server.c_str(), answer.status);
    return answer.status == 200 ? answer.body : "";
  }
  Patience patience(options.tries);
  for (;;) {
    const MqttFound found = mqtt_kept(options.mqtt, "round");
    if (found.is_reached) return found.body;
    if (patience.pause()) continue;
    std::fprintf(stderr, "sotto-bridge: %s: %s\n", options.mqtt.url.c_str(), found.reason.c_str());
    return "";
  }
}

class Bridge {
 public:
  explicit Bridge(const BridgeOptions& options) : options_(options), line_(options.line) {}

  void serve() {
    while (const std::optional<SerialLine::Frame> frame = line_.receive()) handle(*frame);
  }

 private:
  void handle(const SerialLine::Frame& frame) {
    const std::vector<std::uint8_t>& body = frame.body;
    switch (frame.kind) {
      case 'H': return hello();
      case 'F': return hand_out(body.size() == 2 ? body[0] | body[1] << 8 : 0);
      case 'W': return wait(body);
      case 'R': return deliver(body);
      case 'L':
        std::printf("device: %.*s\n", static_cast<int>(body.size()), reinterpret_cast<const char*>(body.data()));
        return;
      default: return;
    }
  }

  void hello() {
    if (options_.consent.empty()) return line_.send('G');
    const std::uint8_t decision = options_.consent == "on" ? 1 : 0;
    line_.send('C', {&decision, 1});
  }

  /// `last` is the round that the device is done with.
  void hand_out(int last) {
    const std::string text = open_round(options_.agent);
    const Bytes bytes(text.begin(), text.end());
    sotto::Round round;
    if (bytes.empty() || sotto::decode_round(bytes, round) != sotto::Status::ok || round.number <= last)
      return line_.send('N');
    line_.send('M', bytes);
  }

  void wait(const std::vector<std::uint8_t>& slot) {
    double share = 0;
    for (std::size_t i = slot.size(); i-- > 0;) share = (share + slot[i]) / 256;
    std::this_thread::sleep_for(std::chrono::duration<double>(share * options_.agent.window));
    line_.send('G');
  }

  void deliver(const std::vector<std::uint8_t>& body) {
    if (body.size() <= 2) return line_.send('X');
    const std::string report(body.begin() + 2, body.end());
    const bool is_done = options_.agent.server.empty() ? post_report_to_broker(options_.agent, report)
                                                       : post_report(options_.agent, report);
    if (is_done) std::printf("round %d: the server has the report\n", body[0] | body[1] << 8);
    line_.send(is_done ? 'A' : 'X');
  }

  const BridgeOptions& options_;
  SerialLine line_;
};

}  // namespace

int main(int argc, char** argv) {
  BridgeOptions options;
  if (argc < 2 || argc % 2 != 0) return misused("a line, and a value for each option");
  options.line = argv[1];
  for (int i = 2; i < argc; i += 2) {
    const std::string name = argv[i], value = argv[i + 1];
    if (name == "--server") {
      options.agent.server = value;
    } else if (name == "--mqtt") {
      options.agent.mqtt.url = value;
    } else if (name == "--mqtt-ca") {
      options.agent.mqtt.authority = value;
    } else if (name == "--mqtt-user-file") {
      std::ifstream file(value);
      if (!std::getline(file, options.agent.mqtt.user))
        return misused(name + " " + value + ": no user on its first line");
      std::getline(file, options.agent.mqtt.password);
    } else if (name == "--consent" && (value == "on" || value == "off")) {
      options.consent = value;
    } else if (name == "--window" && std::strtod(value.c_str(), nullptr) >= 0) {
      options.agent.window = std::strtod(value.c_str(), nullptr);
    } else if (name == "--tries" && std::strtol(value.c_str(), nullptr, 10) > 0) {
      options.agent.tries = static_cast<int>(std::strtol(value.c_str(), nullptr, 10));
    } else {
      return misused(name + " " + value);
    }
  }
  if (options.agent.server.empty() == options.agent.mqtt.url.empty()) return misused("name --server or --mqtt");
  (void)std::signal(SIGPIPE, SIG_IGN);
  try {
    if (!options.agent.mqtt.url.empty()) (void)mqtt_digest(options.agent.mqtt);
    Bridge(options).serve();
  } catch (const std::exception& refusal) {
    std::fprintf(stderr, "sotto-bridge: %s\n", refusal.what());
    return 3;
  }
  return 0;
}
