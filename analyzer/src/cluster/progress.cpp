// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/progress.hpp"

#include <nlohmann/json.hpp>

namespace sotto::analyzer {
namespace {

constexpr std::chrono::milliseconds k_alive{4000};

}  // namespace

std::string encode_note(const std::vector<PartitionProgress>& partitions) {
  nlohmann::json list = nlohmann::json::array();
  for (const PartitionProgress& one : partitions)
    list.push_back({one.partition, one.applied, one.round, one.accepted, one.counts.of});
  return list.dump();
}

std::vector<WorkerNote> worker_notes(SharedLog& log) {
  std::vector<WorkerNote> out;
  for (const LogNote& note : log.notes()) {
    if (note.age > k_alive) continue;
    const nlohmann::json list = nlohmann::json::parse(note.text, nullptr, false);
    if (!list.is_array()) continue;
    WorkerNote worker{note.author, {}};
    try {
      for (const nlohmann::json& one : list) {
        PartitionProgress own;
        own.partition = one.at(0).get<std::uint32_t>();
        own.applied = one.at(1).get<std::uint64_t>();
        own.round = one.at(2).get<std::uint16_t>();
        own.accepted = one.at(3).get<std::uint64_t>();
        own.counts.of = one.at(4).get<decltype(own.counts.of)>();
        worker.partitions.push_back(own);
      }
    } catch (const nlohmann::json::exception&) {
      continue;
    }
    out.push_back(std::move(worker));
  }
  return out;
}

}  // namespace sotto::analyzer
