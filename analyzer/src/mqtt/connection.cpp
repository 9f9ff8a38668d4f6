// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#ifdef SOTTO_WITH_MQTT
#include "connection.hpp"

#include <mosquitto.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <mutex>
#include <utility>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

constexpr int k_keep_alive_seconds = 30;
constexpr int k_packets = 1;  // the library has no use for it

void begin_library() {
  static std::once_flag once;
  std::call_once(once, [] { (void)mosquitto_lib_init(); });
}

std::string words_of(int code) {
  if (code == MOSQ_ERR_ERRNO) return std::strerror(errno);
  if (code == MOSQ_ERR_EAI) return "the name of the broker's host is not known";
  return mosquitto_strerror(code);
}

}  // namespace

Result<std::unique_ptr<MqttConnection>> MqttConnection::open(const MqttOptions& options, const BrokerAddress& address) {
  begin_library();
  std::unique_ptr<MqttConnection> made(new MqttConnection);
  made->own_ = mosquitto_new(options.client_id.c_str(), false, made.get());
  mosquitto* const own = made->own_;
  if (own == nullptr) return Error{"mqtt.unreachable", "no memory for a connection", options.address, "free some"};
  (void)mosquitto_int_option(own, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V311);
  // As if other threads wrote: then what the library says waits for write(), also its acknowledgements.
  (void)mosquitto_threaded_set(own, true);
  (void)mosquitto_max_inflight_messages_set(own, 0);
  mosquitto_connect_callback_set(own, on_connect);
  mosquitto_message_callback_set(own, on_message);
  mosquitto_subscribe_callback_set(own, on_subscribed);
  if (!options.user.empty()) (void)mosquitto_username_pw_set(own, options.user.c_str(), options.password.c_str());
  if (address.is_encrypted) {
    const char* const file = options.authority.empty() ? nullptr : options.authority.c_str();
    const int code =
        mosquitto_tls_set(own, file, file == nullptr ? "/etc/ssl/certs" : nullptr, nullptr, nullptr, nullptr);
    if (code != MOSQ_ERR_SUCCESS) {
      return Error{"mqtt.authority", "the authority of the broker's certificate cannot be used: " + words_of(code),
                   options.authority, "name a PEM file with --mqtt-ca"};
    }
  }
  const int code = mosquitto_connect_async(own, address.host.c_str(), address.port, k_keep_alive_seconds);
  if (code != MOSQ_ERR_SUCCESS) {
    return Error{"mqtt.unreachable", "the broker cannot be reached: " + words_of(code), options.address,
                 "start it, or correct the address"};
  }
  return made;
}

MqttConnection::~MqttConnection() {
  if (own_ != nullptr) mosquitto_destroy(own_);
}

int MqttConnection::socket() const { return mosquitto_socket(own_); }

bool MqttConnection::wants_write() const { return mosquitto_want_write(own_); }

void MqttConnection::fail(int code) {
  if (state_ == State::lost) return;
  state_ = State::lost;
  if (reason_.empty()) reason_ = words_of(code);
}

void MqttConnection::give_up(const std::string& reason) {
  reason_ = reason;
  state_ = State::lost;
}

void MqttConnection::step(bool failed) {
  if (failed) {
    int code = 0;
    socklen_t size = sizeof code;
    (void)::getsockopt(socket(), SOL_SOCKET, SO_ERROR, &code, &size);
    return give_up(code == 0 ? "the broker closed the connection" : std::strerror(code));
  }
  read(1);
  // What came with the broker's greeting is not stored yet: its acknowledgement waits for turn().
  if (messages_.empty()) write();
}

void MqttConnection::read(std::size_t most) {
  while (state_ != State::lost && messages_.size() < most) {
    errno = 0;
    const int code = mosquitto_loop_read(own_, k_packets);
    const bool is_empty = errno == EAGAIN || errno == EWOULDBLOCK;
    if (code != MOSQ_ERR_SUCCESS) return fail(code);
    if (is_empty) return;
    // While the handshake of TLS goes on, reading is one step of it.
    if (state_ == State::connecting && messages_.empty()) return;
  }
}

void MqttConnection::write() {
  if (state_ == State::lost) return;
  const int code = mosquitto_loop_write(own_, k_packets);
  if (code != MOSQ_ERR_SUCCESS) fail(code);
}

void MqttConnection::keep_alive() {
  if (state_ == State::lost) return;
  const int code = mosquitto_loop_misc(own_);
  if (code != MOSQ_ERR_SUCCESS) fail(code);
}

void MqttConnection::subscribe(const std::string& topic, int quality) {
  int id = 0;
  if (mosquitto_subscribe(own_, &id, topic.c_str(), quality) == MOSQ_ERR_SUCCESS) asked_.emplace_back(id, topic);
}

void MqttConnection::publish(const std::string& topic, std::span<const std::uint8_t> payload, int quality,
                             bool is_retained) {
  const int code = mosquitto_publish(own_, nullptr, topic.c_str(), static_cast<int>(payload.size()), payload.data(),
                                     quality, is_retained);
  if (code != MOSQ_ERR_SUCCESS) fail(code);
}

std::vector<std::string> MqttConnection::take_refused() { return std::exchange(refused_, {}); }

void MqttConnection::leave() { (void)mosquitto_disconnect(own_); }

void MqttConnection::on_connect(mosquitto* /*own*/, void* self, int code) {
  auto& own = *static_cast<MqttConnection*>(self);
  if (code == 0) {
    own.state_ = State::ready;
  } else {
    own.reason_ = mosquitto_connack_string(code);
    own.state_ = State::lost;
  }
}

void MqttConnection::on_message(mosquitto* /*own*/, void* self, const mosquitto_message* message) {
  const auto* const bytes = static_cast<const std::uint8_t*>(message->payload);
  static_cast<MqttConnection*>(self)->messages_.push_back(
      {message->topic, Bytes(bytes, bytes + std::max(message->payloadlen, 0))});
}

void MqttConnection::on_subscribed(mosquitto* /*own*/, void* self, int id, int count, const int* granted) {
  constexpr int k_refusal = 128;
  auto& own = *static_cast<MqttConnection*>(self);
  const auto asked = std::ranges::find(own.asked_, id, &std::pair<int, std::string>::first);
  if (asked == own.asked_.end()) return;
  if (count < 1 || granted[0] == k_refusal) own.refused_.push_back(asked->second);
  own.asked_.erase(asked);
}

}  // namespace sotto::analyzer

#endif
