// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "mqtt_client.hpp"

#include "readings.hpp"

#ifdef SOTTO_WITH_MQTT

#include <mosquitto.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string_view>

#include "sotto/sha256.hpp"

namespace {

using Clock = std::chrono::steady_clock;

constexpr int k_keep_alive = 60, k_look_milliseconds = 100, k_digest_digits = 64;
// Retained messages follow the broker's answer at once; behind this there is none.
constexpr std::chrono::seconds k_connect_most{10}, k_quiet{3}, k_receipt_most{5};

struct Url {
  std::string host, digest;
  int port = 0;
  bool is_encrypted = false;
};

Url split(const std::string& text) {
  Url out;
  out.is_encrypted = text.starts_with("mqtts://");
  const std::size_t begin = out.is_encrypted ? 8 : 7, slash = text.find('/', begin);
  const std::string fix =
      text + ": write mqtt://HOST:PORT/DIGEST or mqtts://HOST:PORT/DIGEST, with the 64 digits of the study";
  if ((!out.is_encrypted && !text.starts_with("mqtt://")) || slash == std::string::npos) throw Unusable(fix);
  out.host = text.substr(begin, slash - begin);
  out.digest = text.substr(slash + 1);
  out.port = out.is_encrypted ? 8883 : 1883;
  const std::size_t colon = out.host.rfind(':');
  if (colon != std::string::npos && out.host.find(']', colon) == std::string::npos) {
    out.port = std::atoi(out.host.c_str() + colon + 1);
    out.host.resize(colon);
  }
  if (out.host.starts_with("[") && out.host.ends_with("]")) out.host = out.host.substr(1, out.host.size() - 2);
  const bool is_digest =
      out.digest.size() == k_digest_digits && out.digest.find_first_not_of("0123456789abcdef") == std::string::npos;
  if (!is_digest || out.host.empty() || out.port < 1 || out.port > 65535) throw Unusable(fix);
  const bool is_number = out.host.find_first_not_of("0123456789.") == std::string::npos;
  const bool is_own = out.host == "localhost" || out.host == "::1" || (is_number && out.host.starts_with("127."));
  if (!out.is_encrypted && !is_own) throw Unusable(text + ": a broker on another machine needs TLS: write mqtts://");
  return out;
}

std::string hex_of(const std::uint8_t* bytes, std::size_t size) {
  std::string out;
  for (std::size_t i = 0; i < size; ++i) {
    out += "0123456789abcdef"[bytes[i] >> 4];
    out += "0123456789abcdef"[bytes[i] & 15];
  }
  return out;
}

/// The name of a receipt: 16 digits of the report's SHA-256.
std::string receipt_of(const std::string& report) {
  sotto::Digest digest{};
  sotto::sha256({reinterpret_cast<const std::uint8_t*>(report.data()), report.size()}, digest);
  return hex_of(digest.data(), 8);
}

std::string drawn_name() {
  std::random_device draw;
  std::string out = "sotto-";
  for (int i = 0; i < 16; ++i) out += "0123456789abcdef"[draw() % 16];
  return out;
}

/// One connection, used up to its end by one thread.
class Line {
 public:
  Line(const MqttPlace& place, const Url& url, const std::string& name) {
    static const int begun = mosquitto_lib_init();
    (void)begun;
    own_ = mosquitto_new(name.c_str(), true, this);
    if (own_ == nullptr) throw Unusable("no memory for a connection");
    (void)mosquitto_int_option(own_, MOSQ_OPT_PROTOCOL_VERSION, MQTT_PROTOCOL_V311);
    mosquitto_connect_callback_set(own_, [](mosquitto*, void* self, int code) {
      auto& line = *static_cast<Line*>(self);
      line.is_open_ = code == 0;
      if (code != 0) line.fault_ = mosquitto_connack_string(code);
    });
    mosquitto_subscribe_callback_set(own_, [](mosquitto*, void* self, int, int count, const int* granted) {
      auto& line = *static_cast<Line*>(self);
      line.is_subscribed_ = count > 0 && granted[0] != 128;
      if (!line.is_subscribed_) line.fault_ = "this user may not read there";
    });
    mosquitto_publish_callback_set(own_,
                                   [](mosquitto*, void* self, int) { static_cast<Line*>(self)->is_taken_ = true; });
    mosquitto_message_callback_set(own_, [](mosquitto*, void* self, const mosquitto_message* message) {
      auto& line = *static_cast<Line*>(self);
      line.body_.assign(static_cast<const char*>(message->payload), static_cast<std::size_t>(message->payloadlen));
      line.has_body_ = true;
    });
    if (!place.user.empty()) (void)mosquitto_username_pw_set(own_, place.user.c_str(), place.password.c_str());
    if (url.is_encrypted) {
      const bool has_file = !place.authority.empty();
      check(mosquitto_tls_set(own_, has_file ? place.authority.c_str() : nullptr, has_file ? nullptr : "/etc/ssl/certs",
                              nullptr, nullptr, nullptr));
    }
    if (fault_.empty()) check(mosquitto_connect(own_, url.host.c_str(), url.port, k_keep_alive));
    until(k_connect_most, [this] { return is_open_; });
  }
  Line(const Line&) = delete;
  Line& operator=(const Line&) = delete;
  ~Line() {
    if (fault_.empty()) (void)mosquitto_disconnect(own_);
    mosquitto_destroy(own_);
  }

  bool subscribe(const std::string& topic) {
    if (!fault_.empty()) return false;
    check(mosquitto_subscribe(own_, nullptr, topic.c_str(), 0));
    return until(k_connect_most, [this] { return is_subscribed_; });
  }
  /// Whether the broker took it, which says nothing of the server.
  bool publish(const std::string& topic, const std::string& body) {
    if (!fault_.empty()) return false;
    check(mosquitto_publish(own_, nullptr, topic.c_str(), static_cast<int>(body.size()), body.data(), 1, false));
    return until(k_connect_most, [this] { return is_taken_; });
  }
  /// Waits for a message.
  bool hear(std::chrono::seconds at_most) {
    return until(at_most, [this] { return has_body_; });
  }
  [[nodiscard]] const std::string& body() const { return body_; }
  [[nodiscard]] std::string fault() const { return fault_.empty() ? "the broker does not answer" : fault_; }

 private:
  void check(int code) {
    if (code != MOSQ_ERR_SUCCESS) fault_ = code == MOSQ_ERR_ERRNO ? std::strerror(errno) : mosquitto_strerror(code);
  }
  template <typename Condition>
  bool until(std::chrono::seconds at_most, const Condition& holds) {
    const Clock::time_point end = Clock::now() + at_most;
    while (fault_.empty() && !holds() && Clock::now() < end) {
      const int code = mosquitto_loop(own_, k_look_milliseconds, 1);
      if (fault_.empty()) check(code);
    }
    return fault_.empty() && holds();
  }

  mosquitto* own_ = nullptr;
  std::string fault_, body_;
  bool is_open_ = false, is_subscribed_ = false, is_taken_ = false, has_body_ = false;
};

std::string topic(const Url& url, const std::string& name) { return "sotto/" + url.digest.substr(0, 8) + "/" + name; }

}  // namespace

std::string mqtt_digest(const MqttPlace& place) { return split(place.url).digest; }

MqttFound mqtt_kept(const MqttPlace& place, const std::string& name) {
  const Url url = split(place.url);
  Line line(place, url, drawn_name());
  MqttFound found;
  found.is_reached = line.subscribe(topic(url, name));
  if (!found.is_reached) found.reason = line.fault();
  if (found.is_reached && line.hear(k_quiet)) found.body = line.body();
  return found;
}

MqttFate mqtt_post(const MqttPlace& place, const std::string& report, std::string& reason) {
  const Url url = split(place.url);
  // Under the receipt's name, a broker can let each device read its own receipt and no other.
  const std::string receipt = receipt_of(report);
  Line line(place, url, receipt);
  const bool is_taken = line.subscribe(topic(url, "a/" + receipt)) && line.publish(topic(url, "r"), report);
  if (!is_taken) reason = line.fault();
  if (!is_taken) return MqttFate::unreached;
  if (!line.hear(k_receipt_most)) return MqttFate::unanswered;
  return line.body() == "stored"    ? MqttFate::stored
         : line.body() == "refused" ? MqttFate::refused
                                    : MqttFate::unanswered;
}

#else

namespace {

[[noreturn]] void not_built() {
  throw Unusable("this agent was built without libmosquitto: build it where libmosquitto-dev is installed");
}

}  // namespace

std::string mqtt_digest(const MqttPlace& /*place*/) { not_built(); }
MqttFound mqtt_kept(const MqttPlace& /*place*/, const std::string& /*name*/) { not_built(); }
MqttFate mqtt_post(const MqttPlace& /*place*/, const std::string& /*report*/, std::string& /*reason*/) { not_built(); }

#endif
