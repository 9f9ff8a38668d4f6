// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "from_broker.hpp"

#include <cstdio>

#include "from_server.hpp"
#include "patience.hpp"

namespace fs = std::filesystem;

namespace {

MqttFound insist(const AgentOptions& options, const std::string& name) {
  Patience patience(options.tries);
  for (;;) {
    MqttFound found = mqtt_kept(options.mqtt, name);
    if (found.is_reached || !patience.pause()) return found;
  }
}

}  // namespace

void fetch_study_from_broker(const AgentOptions& options) {
  const std::string digest = mqtt_digest(options.mqtt);
  fs::create_directories(options.home);
  if (fs::exists(options.home / "manifest.bin")) return;
  const MqttFound found = insist(options, "manifest");
  if (!found.is_reached) throw Unusable(options.mqtt.url + ": " + found.reason);
  if (found.body.empty()) throw Unusable(options.mqtt.url + ": no server has left the study at this broker");
  keep_manifest(options, found.body, digest, options.mqtt.url);
}

bool fetch_round_from_broker(const AgentOptions& options) {
  const MqttFound found = insist(options, "round");
  if (!found.is_reached) {
    std::fprintf(stderr, "sotto-device: %s: %s; the next start tries again\n", options.mqtt.url.c_str(),
                 found.reason.c_str());
    return false;
  }
  if (found.body.empty() || keep_round(options, found.body)) return true;
  std::fprintf(stderr, "sotto-device: %s: what the broker has there is no round\n", options.mqtt.url.c_str());
  return false;
}

bool post_report_to_broker(const AgentOptions& options, const std::string& report) {
  Patience patience(options.tries);
  std::string reason;
  MqttFate fate = MqttFate::unreached;
  bool is_taken = false;
  do {
    fate = mqtt_post(options.mqtt, report, reason);
    is_taken = is_taken || fate == MqttFate::unanswered;
  } while (fate != MqttFate::stored && fate != MqttFate::refused && patience.pause());
  if (fate == MqttFate::refused) std::fprintf(stderr, "sotto-device: the server does not count the report\n");
  if (fate == MqttFate::stored || fate == MqttFate::refused) return true;
  std::fprintf(
      stderr, "sotto-device: %s: %s\n", options.mqtt.url.c_str(),
      is_taken ? "the broker took the report, and no server has said that it is stored: it is kept" : reason.c_str());
  return false;
}
