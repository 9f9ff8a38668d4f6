// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Simulated devices that answer a running server: they fetch manifest and rounds, enrol, answer by the device library
/// and post their reports one by one, on a few kept connections.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "http_line.hpp"
#include "sotto/analyzer/result.hpp"
#include "sotto/analyzer/simulate/session_fleet.hpp"

namespace sotto::cli {

/// What became of the reports of a round.
struct Posted {
  std::uint64_t reports = 0, accepted = 0, duplicates = 0, refused = 0;
  std::uint64_t stored = 0;       ///< by a cluster, which judges later
  std::uint64_t sent_again = 0;   ///< after no answer, 429 or 503
  std::vector<double> seconds{};  ///< from the request to its answer, of each report that was posted

  void add(Posted&& more);
};

/// The server as its devices see it.
class ServedFleet {
 public:
  ServedFleet(StudyAddress address, std::uint32_t lines) : address_(std::move(address)), lines_(lines) {}

  /// Refuses   fleet.no_answer; fleet.other_study: its digest is not that of the address.
  [[nodiscard]] analyzer::Result<std::vector<std::uint8_t>> manifest() const;
  /// One credential for each token, in their order.
  /// Refuses   fleet.no_answer; fleet.not_enrolled: what the server says.
  [[nodiscard]] analyzer::Result<std::vector<sotto::Credential>> enrol(const std::vector<std::string>& tokens) const;
  /// The bytes of the open round; empty where none is open.
  /// Refuses   fleet.no_answer.
  [[nodiscard]] analyzer::Result<std::optional<std::vector<std::uint8_t>>> round() const;
  /// Lets the devices that the round asks answer it.
  /// Refuses   fleet.no_answer; what the device library refuses.
  [[nodiscard]] analyzer::Result<Posted> answer(const analyzer::SessionFleet& fleet,
                                                const std::vector<std::uint8_t>& round) const;

 private:
  [[nodiscard]] analyzer::Error no_answer(std::string_view what, unsigned status) const;
  [[nodiscard]] HttpReply insist(HttpLine& line, std::string_view method, std::string_view what, std::string_view body,
                                 std::uint64_t& again) const;
  [[nodiscard]] HttpLine line() const { return {address_.host, address_.port}; }
  template <class Work>
  [[nodiscard]] analyzer::Result<analyzer::Done> on_all_lines(const Work& work) const;

  StudyAddress address_;
  std::uint32_t lines_;
};

}  // namespace sotto::cli
