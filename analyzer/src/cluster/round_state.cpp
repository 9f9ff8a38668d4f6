// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/round_state.hpp"

#include <array>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

namespace sotto::analyzer {
namespace {

constexpr std::array<std::string_view, 9> k_steps{"opening", "open",     "extended",  "stalled", "closing",
                                                  "closed",  "finished", "abandoned", "stopped"};

std::string state_key(std::uint64_t number) { return fmt::format("state.{}", number); }

Result<RoundState> read_state(std::uint64_t number, const std::vector<std::uint8_t>& bytes) {
  const nlohmann::json json = nlohmann::json::parse(bytes.begin(), bytes.end(), nullptr, false);
  try {
    const std::string step = json.at("step").get<std::string>();
    for (std::size_t i = 0; i < k_steps.size(); ++i) {
      if (k_steps[i] != step) continue;
      return RoundState{static_cast<StudyStep>(i),
                        json.at("round").get<std::uint16_t>(),
                        json.at("attempt").get<std::uint32_t>(),
                        json.at("at").get<std::int64_t>(),
                        json.at("until").get<std::int64_t>(),
                        json.at("why").get<std::string>()};
    }
  } catch (const nlohmann::json::exception&) {  // said below
  }
  return Error{"cluster.other_version", "a state of the study was not written by this release", state_key(number),
               "finish the run with the release that began it"};
}

}  // namespace

std::string_view step_name(StudyStep step) noexcept { return k_steps[static_cast<std::size_t>(step)]; }

Result<std::optional<RoundState>> state_of(Log& log, std::uint64_t number) {
  const Result<std::optional<std::vector<std::uint8_t>>> bytes = log.get(state_key(number));
  if (!bytes) return bytes.error();
  if (!bytes.value()) return std::optional<RoundState>{};
  const Result<RoundState> state = read_state(number, *bytes.value());
  if (!state) return state.error();
  return std::optional(state.value());
}

Result<RoundState> propose_state(Log& log, std::uint64_t number, const RoundState& state) {
  const nlohmann::json json = {{"step", step_name(state.step)}, {"round", state.round},
                               {"attempt", state.attempt},      {"at", state.at},
                               {"until", state.until},          {"why", state.why}};
  const std::string text = json.dump();
  const Result<std::vector<std::uint8_t>> stays =
      log.put_once(state_key(number), {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  if (!stays) return stays.error();
  return read_state(number, stays.value());
}

}  // namespace sotto::analyzer
