// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// A device in a directory of its own: manifest.bin, credential, ledger, inbox, outbox.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mqtt_client.hpp"
#include "readings.hpp"
#include "sotto.h"
#include "sotto/wire/manifest.hpp"

using Bytes = std::vector<std::uint8_t>;

[[nodiscard]] Bytes read_bytes(const std::filesystem::path& path);

struct AgentOptions {
  std::filesystem::path home;
  std::string data;                    ///< file of readings; empty where the answer is given
  std::optional<std::uint32_t> given;  ///< the device's own answer
  std::string send;  ///< a program that is called with the file of a report and returns 0 when the server has it
  std::string
      server;  ///< the study at a server: http://HOST:PORT/v1/studies/DIGEST; empty: rounds and reports travel otherwise
  std::string token;     ///< one-time token of enrolment, used where HOME/credential is missing
  std::string tickets;   ///< the study at an issuer of tickets, who takes the token in place of the server
  double spread = 3600;  ///< seconds; the most that passes between getting a ticket and using it
  MqttPlace mqtt;        ///< the study at a broker, in place of a server
  int tries = 5;         ///< of each request and report at one start
  double window = 0;  ///< seconds; a report is sent at the device's slot of it, counted from the arrival of the round
  double study_nats = 4, total_nats = 8;  ///< the caps of a new ledger
  std::string issuer;                     ///< 64 hexadecimal digits: only what this key signed is answered
};

/// Answers every round of the inbox that asks this device, once; writes the reports to the outbox; sends those that are due. Returns 0, or
/// 1 where something was refused or must be tried again.
[[nodiscard]] int run_agent(const AgentOptions& options);

/// Records the owner's decision in the ledger, which is created if there is none yet.
[[nodiscard]] int set_consent(const AgentOptions& options, bool on);
