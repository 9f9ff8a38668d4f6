// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "published.hpp"

#include "topics.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::chrono::seconds k_sight_max{5};

}  // namespace

PublishedStudy::PublishedStudy(MqttStudy study)
    : study_(std::move(study)),
      reports_(topic_of(study_.digest, k_reports_topic)),
      round_(topic_of(study_.digest, k_round_topic)),
      manifest_(topic_of(study_.digest, k_manifest_topic)) {}

void PublishedStudy::begin(MqttConnection& connection) {
  connection.subscribe(reports_, 1);
  connection.subscribe(round_, 0);
  connection.publish(manifest_, study_.manifest, 1, true);
  told_ = study_.round();
  tell_round(connection);
}

void PublishedStudy::look(MqttConnection& connection, const MqttLog& log) {
  std::shared_ptr<const Bytes> now = study_.round();
  if (now != told_) {
    told_ = std::move(now);
    tell_round(connection);
  }
  if (is_seen_ || std::chrono::steady_clock::now() < told_at_ + k_sight_max) return;
  is_seen_ = true;  // said once
  log("mqtt_round_not_seen", study_.digest,
      "the broker does not hand the round out: the gateway's user may not write or read " + round_);
}

bool PublishedStudy::take(const MqttMessage& message) {
  if (message.topic != round_) return false;
  if (told_ && message.payload == *told_) is_seen_ = true;
  return true;
}

void PublishedStudy::tell_round(MqttConnection& connection) {
  // Nothing, retained, removes what was retained.
  connection.publish(round_, told_ ? std::span<const std::uint8_t>(*told_) : std::span<const std::uint8_t>(), 1, true);
  told_at_ = std::chrono::steady_clock::now();
  is_seen_ = told_ == nullptr;
}

}  // namespace sotto::analyzer
