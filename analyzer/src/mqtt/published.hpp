// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <chrono>
#include <memory>

#include "connection.hpp"
#include "sotto/analyzer/mqtt/gateway.hpp"

// What devices find at the broker of one study: its manifest and its open round, both retained.
namespace sotto::analyzer {

/// A broker of version 3.1.1 says nothing when a user may not publish. So the gateway reads the round as a device does, and
/// complains where it does not come.
class PublishedStudy {
 public:
  explicit PublishedStudy(MqttStudy study);
  [[nodiscard]] const MqttStudy& study() const noexcept { return study_; }
  [[nodiscard]] const std::string& reports_topic() const noexcept { return reports_; }

  /// On a new connection: asks for the reports, and tells what there is.
  void begin(MqttConnection& connection);
  /// Tells a round that changed. `log` hears of one that devices cannot see.
  void look(MqttConnection& connection, const MqttLog& log);
  /// Whether this message was the round coming back; then it is dealt with.
  [[nodiscard]] bool take(const MqttMessage& message);

 private:
  void tell_round(MqttConnection& connection);

  MqttStudy study_;
  std::string reports_, round_, manifest_;
  std::shared_ptr<const Bytes> told_;
  std::chrono::steady_clock::time_point told_at_;
  bool is_seen_ = true;
};

}  // namespace sotto::analyzer
