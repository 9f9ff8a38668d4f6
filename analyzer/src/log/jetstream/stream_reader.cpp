// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "stream_reader.hpp"

#include <thread>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

constexpr int k_fetch_messages = 64;
constexpr std::int64_t k_second = 1'000'000'000;
constexpr auto k_silence = std::chrono::seconds(2);

}  // namespace

bool StreamReader::subscribe(std::uint64_t from) {
  drop();
  jsSubOptions options;
  jsSubOptions_Init(&options);
  options.Stream = stream_.c_str();
  options.Config.AckPolicy = js_AckNone;
  options.Config.DeliverPolicy = js_DeliverByStartSequence;
  options.Config.OptStartSeq = from;
  options.Config.InactiveThreshold = 30 * k_second;
  options.Config.Replicas = 1;
  options.Config.MemoryStorage = true;
  natsSubscription* made = nullptr;
  const natsStatus status = js_PullSubscribe(&made, context_, subject_.c_str(), nullptr, nullptr, &options, nullptr);
  if (status != NATS_OK) return false;
  subscription_.reset(made);
  next_ = from;
  heard_ = std::chrono::steady_clock::now();
  return true;
}

/// A consumer died with its broker, or the log has lost its start: silence alone says neither.
Result<Done> StreamReader::look_after_silence(std::uint64_t from) {
  heard_ = std::chrono::steady_clock::now();
  jsStreamInfo* made = nullptr;
  if (js_GetStreamInfo(&made, context_, stream_.c_str(), nullptr, nullptr) != NATS_OK) {
    drop();
    return Done{};
  }
  const NatsStreamInfo info(made);
  if (info->State.LastSeq < from) return Done{};
  drop();
  if (info->State.FirstSeq <= from) return Done{};
  return Error{"log.truncated", "the log no longer has this entry", fmt::format("{}, entry {}", stream_, from),
               "restore the stream from a backup, or begin another run with --run"};
}

Result<std::vector<LogEntry>> StreamReader::read(std::uint64_t from, std::chrono::milliseconds wait) {
  const std::lock_guard hold(lock_);
  std::vector<LogEntry> entries;
  if ((!subscription_ || next_ != from) && !subscribe(from)) {
    std::this_thread::sleep_for(wait);
    return entries;  // who reads asks again; that a broker is away shows elsewhere
  }
  natsMsgList list{};
  (void)natsSubscription_Fetch(&list, subscription_.get(), k_fetch_messages, wait.count(), nullptr);
  bool has_gap = false;
  for (int i = 0; i < list.Count && !has_gap; ++i) {
    jsMsgMetaData* facts = nullptr;
    if (natsMsg_GetMetaData(&facts, list.Msgs[i]) != NATS_OK) break;
    const std::uint64_t sequence = facts->Sequence.Stream;
    jsMsgMetaData_Destroy(facts);
    if (sequence < next_) continue;
    has_gap = sequence != next_;
    if (has_gap) break;
    const auto* const data = reinterpret_cast<const std::uint8_t*>(natsMsg_GetData(list.Msgs[i]));
    entries.push_back({sequence, {data, data + natsMsg_GetDataLength(list.Msgs[i])}});
    ++next_;
  }
  natsMsgList_Destroy(&list);
  if (has_gap) drop();
  if (!entries.empty()) heard_ = std::chrono::steady_clock::now();
  if (entries.empty() && (has_gap || std::chrono::steady_clock::now() - heard_ > k_silence)) {
    if (const auto looked = look_after_silence(from); !looked) return looked.error();
  }
  return entries;
}

}  // namespace sotto::analyzer
