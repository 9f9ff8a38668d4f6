// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "address.hpp"
#include "sotto/analyzer/mqtt/gateway.hpp"

struct mosquitto;
struct mosquitto_message;

// One connection to a broker, by libmosquitto.
namespace sotto::analyzer {

struct MqttMessage {
  std::string topic;
  Bytes payload;
};

/// The library acknowledges a message when it reads it; here what it says stays in memory until write() is called. So a
/// caller that stores what it read before it writes acknowledges nothing that is not stored. A connection that is dropped
/// without writing acknowledges nothing, and the broker keeps the messages of the session.
class MqttConnection {
 public:
  enum class State : std::uint8_t { connecting, ready, lost };

  /// Begins to connect, with a persistent session. Waits for the name of the host alone.
  /// Refuses   mqtt.authority; mqtt.unreachable.
  [[nodiscard]] static Result<std::unique_ptr<MqttConnection>> open(const MqttOptions& options,
                                                                    const BrokerAddress& address);
  MqttConnection(const MqttConnection&) = delete;
  MqttConnection& operator=(const MqttConnection&) = delete;
  ~MqttConnection();

  [[nodiscard]] State state() const noexcept { return state_; }
  /// Why it was lost or refused, in words.
  [[nodiscard]] const std::string& reason() const noexcept { return reason_; }
  /// What waits for more to be readable or writable.
  [[nodiscard]] int socket() const;
  [[nodiscard]] bool wants_write() const;

  /// One step towards the broker, when the socket has something to say; `failed` where poll() saw an error of it.
  void step(bool failed);
  void give_up(const std::string& reason);
  /// Reads what is there, up to `most` messages. What was read is in messages().
  void read(std::size_t most);
  [[nodiscard]] std::vector<MqttMessage>& messages() noexcept { return messages_; }
  /// Whether there are messages, and fewer than `most`.
  [[nodiscard]] bool has_room(std::size_t most) const noexcept {
    return state_ == State::ready && !messages_.empty() && messages_.size() < most;
  }
  /// Sends everything that waits, as far as the socket takes it: acknowledgements, too.
  void write();
  /// A sign of life where one is due. It would leave behind the acknowledgements that wait: write() follows it.
  void keep_alive();
  void subscribe(const std::string& topic, int quality);
  void publish(const std::string& topic, std::span<const std::uint8_t> payload, int quality, bool is_retained);
  /// Topics that the broker does not let this user read, since the last call.
  [[nodiscard]] std::vector<std::string> take_refused();
  /// Says goodbye behind everything that waits; write() follows it.
  void leave();

 private:
  MqttConnection() = default;
  void fail(int code);
  static void on_connect(mosquitto* own, void* self, int code);
  static void on_message(mosquitto* own, void* self, const mosquitto_message* message);
  static void on_subscribed(mosquitto* own, void* self, int id, int count, const int* granted);

  mosquitto* own_ = nullptr;
  State state_ = State::connecting;
  std::string reason_;
  std::vector<MqttMessage> messages_;
  std::vector<std::pair<int, std::string>> asked_;
  std::vector<std::string> refused_;
};

}  // namespace sotto::analyzer
