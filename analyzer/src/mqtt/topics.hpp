// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

// The topics of a study at a broker. They begin with the 8 digits of its digest that every report carries in its header.
namespace sotto::analyzer {

/// What stands between the study and the end of a topic.
[[nodiscard]] std::string topic_of(std::string_view digest, std::string_view what);

inline constexpr std::string_view k_reports_topic = "r", k_round_topic = "round", k_manifest_topic = "manifest";

/// Where the fate of a message is told: to whoever knows its bytes.
[[nodiscard]] std::string receipt_topic(std::string_view digest, std::span<const std::uint8_t> message);

}  // namespace sotto::analyzer
