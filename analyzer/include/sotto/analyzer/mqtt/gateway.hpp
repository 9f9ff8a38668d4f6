// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reports that come through an MQTT 3.1.1 broker. A gateway takes them over with QoS 1 and a persistent session, and
/// acknowledges each to the broker when it is stored, not before: whatever the broker has acknowledged to a device, it
/// keeps until then.

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/analyzer/result.hpp"

namespace sotto::analyzer {

struct MqttOptions {
  std::string address;         ///< mqtt://HOST:PORT or mqtts://HOST:PORT
  std::string authority;       ///< PEM file of the authority that the broker's certificate is checked with
  std::string user, password;  ///< empty: none
  std::string client_id;       ///< of the session at the broker: one for each gateway, always the same
};

/// What became of the reports of a message.
enum class MqttFate : std::uint8_t {
  stored,   ///< every one is stored, and counts or counted before
  refused,  ///< the judgement on at least one is final, and it does not count
  again     ///< not stored: the message must come again
};

using Bytes = std::vector<std::uint8_t>;

/// What a gateway needs to know of a study; the functions are called from the gateway's thread.
struct MqttStudy {
  std::string digest;  ///< 64 digits
  Bytes manifest;      ///< as devices are given it
  /// The open round; null while there is none. Two calls give the same pointer as long as nothing changed.
  std::function<std::shared_ptr<const Bytes>()> round;
  /// Takes the body of a message, a report or a batch. `done` is called once, from any thread, when the fate is on the disk.
  /// False if too much waits: then nothing was taken, and `done` is not called.
  std::function<bool(Bytes body, std::function<void(MqttFate)> done)> take;
};

/// What a gateway counts about itself.
struct MqttCounts {
  std::atomic<std::uint64_t> connections{0}, messages{0}, stored{0}, refused{0}, again{0};
  std::atomic<bool> connected{false};
};

/// An event of the gateway: its name, the study's digest or nothing, and a few words.
using MqttLog = std::function<void(std::string_view event, const std::string& study, std::string_view more)>;

/// A thread of its own, which connects, and connects again with growing pauses, until it is stopped.
class MqttGateway {
 public:
  /// Checks what can be checked without the broker.
  /// Refuses   mqtt.address; mqtt.needs_tls: another machine without TLS; mqtt.authority; mqtt.not_built.
  [[nodiscard]] static Result<std::unique_ptr<MqttGateway>> open(MqttOptions options, MqttLog log);
  virtual ~MqttGateway() = default;
  /// Serves these studies until stop().
  /// Refuses   mqtt.same_topic: two studies whose digests begin alike.
  [[nodiscard]] virtual Result<Done> start(std::vector<MqttStudy> studies) = 0;
  /// Acknowledges what was stored, leaves the broker and ends the thread. The session at the broker stays.
  virtual void stop() = 0;
  [[nodiscard]] virtual const MqttCounts& counts() const = 0;
};

}  // namespace sotto::analyzer
