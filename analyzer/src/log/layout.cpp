// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/log/layout.hpp"

#include <array>
#include <charconv>
#include <string>
#include <thread>

#include <fmt/format.h>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/crypto/random.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_layout_key = "layout", k_ready_key = "ready";

std::span<const std::uint8_t> layout_bytes(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

std::string layout_head(const LogRun& run) { return fmt::format("sotto-log-1 {} {} ", run.study, run.run); }

/// The number of partitions in a layout of this study.
Result<std::uint32_t> read_layout(std::span<const std::uint8_t> bytes, const LogRun& run) {
  const std::string text(bytes.begin(), bytes.end()), head = layout_head(run);
  std::uint32_t partitions = 0;
  if (text.starts_with(head)) {
    const char* const from = text.data() + head.size();
    const auto [end, status] = std::from_chars(from, text.data() + text.size(), partitions);
    if (status == std::errc() && end == text.data() + text.size() && partitions > 0) return partitions;
  }
  return Error{"log.other_partitions", "the log holds the partitions of another study or run", text,
               "name the log of this study, or begin another run with --run"};
}

}  // namespace

Result<Done> begin_run(SharedLog& log, const LogRun& run, const LogShape& shape) {
  const std::string own = layout_head(run) + std::to_string(shape.partitions);
  const Result<std::vector<std::uint8_t>> stays = log.put_once(k_layout_key, layout_bytes(own));
  if (!stays) return stays.error();
  const Result<std::uint32_t> partitions = read_layout(stays.value(), run);
  if (!partitions) return partitions.error();
  if (partitions.value() != shape.partitions) {
    return Error{"log.other_partitions", "this run was begun with another number of partitions",
                 fmt::format("{} asked, {} there", shape.partitions, partitions.value()),
                 fmt::format("say --partitions {}, or begin another run with --run", partitions.value())};
  }
  const Result<std::optional<std::vector<std::uint8_t>>> ready = log.get(k_ready_key);
  if (!ready) return ready.error();
  if (const auto made = log.make_partitions(shape, !ready.value()); !made) return made;
  std::array<std::uint8_t, 16> id{};  // no other run has it, whatever its name and its log's address
  random_bytes(id);
  const Result<std::vector<std::uint8_t>> marked = log.put_once(k_ready_key, layout_bytes(hex_text(id)));
  if (!marked) return marked.error();
  return Done{};
}

Result<std::uint32_t> begun_partitions(SharedLog& log, const LogRun& run, std::chrono::milliseconds wait) {
  const auto until = std::chrono::steady_clock::now() + wait;
  for (;;) {
    const Result<std::optional<std::vector<std::uint8_t>>> ready = log.get(k_ready_key);
    if (!ready) return ready.error();
    const Result<std::optional<std::vector<std::uint8_t>>> layout = log.get(k_layout_key);
    if (!layout) return layout.error();
    if (ready.value() && layout.value()) {
      const Result<std::uint32_t> partitions = read_layout(*layout.value(), run);
      if (!partitions) return partitions.error();
      if (const auto there = log.make_partitions({partitions.value(), 0, 0}, false); !there) return there.error();
      return partitions;
    }
    if (std::chrono::steady_clock::now() >= until) return std::uint32_t{0};
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
  }
}

Result<std::string> run_id(Log& log) {
  const Result<std::optional<std::vector<std::uint8_t>>> ready = log.get(k_ready_key);
  if (!ready) return ready.error();
  return ready.value() ? std::string(ready.value()->begin(), ready.value()->end()) : std::string();
}

}  // namespace sotto::analyzer
