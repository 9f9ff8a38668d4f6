// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "over_mqtt.hpp"

#include <fmt/format.h>

#include "report_body.hpp"

namespace sotto::analyzer {
namespace {

MqttFate fate_of(bool is_readable, const Outcome& outcome) {
  if (outcome.error) return MqttFate::again;
  const std::uint64_t counting = outcome.counts[Reason::accepted] + outcome.counts[Reason::duplicate];
  return is_readable && counting == outcome.counts.total() ? MqttFate::stored : MqttFate::refused;
}

/// The round of a view, shared with it: the same pointer as long as the round is the same.
class RoundOfView {
 public:
  explicit RoundOfView(StudyService& service) : service_(service) {}

  std::shared_ptr<const Bytes> operator()() {
    const std::shared_ptr<const StudyView> view = service_.view();
    if (!view->round) return last_ = nullptr;
    if (!last_ || *last_ != *view->round) last_ = std::make_shared<const Bytes>(*view->round);
    return last_;
  }

 private:
  StudyService& service_;
  std::shared_ptr<const Bytes> last_;
};

}  // namespace

std::vector<MqttStudy> mqtt_studies(const std::vector<std::unique_ptr<StudyService>>& services) {
  std::vector<MqttStudy> studies;
  for (const auto& service : services) {
    StudyService& own = *service;
    studies.push_back(
        {own.digest(), own.manifest(), RoundOfView(own), [&own](Bytes body, const std::function<void(MqttFate)>& done) {
           return take_body(own, std::move(body),
                            [done](bool is_readable, const Outcome& outcome) { done(fate_of(is_readable, outcome)); });
         }});
  }
  return studies;
}

std::string mqtt_metrics(const MqttCounts& counts) {
  return fmt::format(
      "# HELP sotto_mqtt_connected Whether the gateway is connected to its MQTT broker.\n"
      "# TYPE sotto_mqtt_connected gauge\n"
      "sotto_mqtt_connected {}\n"
      "# HELP sotto_mqtt_connections_total Connections to the MQTT broker.\n"
      "# TYPE sotto_mqtt_connections_total counter\n"
      "sotto_mqtt_connections_total {}\n"
      "# HELP sotto_mqtt_messages_total Messages from the MQTT broker by what became of them.\n"
      "# TYPE sotto_mqtt_messages_total counter\n"
      "sotto_mqtt_messages_total{{fate=\"stored\"}} {}\n"
      "sotto_mqtt_messages_total{{fate=\"refused\"}} {}\n"
      "sotto_mqtt_messages_total{{fate=\"again\"}} {}\n",
      counts.connected ? 1 : 0, counts.connections.load(), counts.stored.load(), counts.refused.load(),
      counts.again.load());
}

}  // namespace sotto::analyzer
