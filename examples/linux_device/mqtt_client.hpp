// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <string>

// MQTT 3.1.1 as a device needs it: what a study's server keeps at a broker, and one report through it.

/// A study at a broker, and who asks there.
struct MqttPlace {
  std::string url;             ///< mqtt://HOST:PORT/DIGEST or mqtts://HOST:PORT/DIGEST, the digest in 64 digits
  std::string authority;       ///< PEM file of the authority behind the broker's certificate; empty: the system's
  std::string user, password;  ///< empty: none
};

/// The digest at the end of the address. Throws Unusable where it is no address of a study.
[[nodiscard]] std::string mqtt_digest(const MqttPlace& place);

struct MqttFound {
  bool is_reached = false;  ///< the broker let this device read
  std::string body;         ///< empty: nothing is kept there
  std::string reason;       ///< where it was not reached
};

/// What the server keeps at the broker under this name (manifest, round).
[[nodiscard]] MqttFound mqtt_kept(const MqttPlace& place, const std::string& name);

enum class MqttFate {
  unreached,   ///< the broker did not take the report
  unanswered,  ///< the broker took it; that is not the server
  stored,      ///< the server says that it has it, and that it counts
  refused      ///< the server says that it does not count, for good
};

/// Publishes a report and waits for the server's receipt, which comes back on a topic that is named by the report's digest.
[[nodiscard]] MqttFate mqtt_post(const MqttPlace& place, const std::string& report, std::string& reason);
