// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/gateway.hpp"

#include <algorithm>
#include <chrono>
#include <map>

#include "sotto/analyzer/cluster/entry.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/wire/report.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_threads_max = 16;
constexpr std::size_t k_parts_max = 65536, k_waiting_bytes = std::size_t{64} << 20;

/// The reports of each partition as a batch. What is no report goes to the first partition, where it is counted.
std::map<std::uint32_t, std::vector<std::uint8_t>> split(std::span<const std::uint8_t> batch,
                                                         std::uint32_t partitions) {
  std::map<std::uint32_t, std::vector<std::uint8_t>> parts;
  BatchReader reader(batch);
  while (const auto report = reader.next()) {
    ReportHeader header;
    const bool is_named = decode_header(*report, header) == Status::ok;
    append_report(parts[is_named ? partition_of(header.pseudonym, partitions) : 0], *report);
  }
  if (reader.torn()) append_report(parts[0], {});  // the rest of a truncated batch is one unreadable report
  return parts;
}

/// Sorts reports by their bytes behind the common header: their order of arrival is not kept.
std::vector<std::uint8_t> without_order(std::span<const std::uint8_t> batch) {
  std::vector<std::span<const std::uint8_t>> reports;
  BatchReader reader(batch);
  while (const auto report = reader.next()) reports.push_back(*report);
  std::ranges::sort(reports, [](const auto& a, const auto& b) { return std::ranges::lexicographical_compare(a, b); });
  std::vector<std::uint8_t> out;
  out.reserve(batch.size());
  for (const auto report : reports) append_report(out, report);
  return out;
}

std::int64_t gateway_seconds() {
  return std::chrono::duration_cast<std::chrono::seconds>(std::chrono::system_clock::now().time_since_epoch()).count();
}

}  // namespace

Gateway::Gateway(Log& log, std::uint32_t partitions)
    : log_(log), partitions_(partitions), threads_(std::min(partitions, k_threads_max)), pending_(partitions) {
  for (std::uint32_t i = 0; i < threads_; ++i) workers_.emplace_back([this, i] { work(i); });
}

bool Gateway::submit(std::span<const std::uint8_t> batch, Stored stored) {
  std::map<std::uint32_t, std::vector<std::uint8_t>> parts = split(batch, partitions_);
  if (parts.empty()) {
    stored(std::nullopt);
    return true;
  }
  const auto whole = std::make_shared<Whole>(parts.size(), std::move(stored));
  const std::lock_guard hold(lock_);
  if (stopping_ || pending_parts_ + parts.size() > k_parts_max || pending_bytes_ + batch.size() > k_waiting_bytes)
    return false;
  for (auto& [partition, bytes] : parts) {
    pending_bytes_ += bytes.size();
    ++pending_parts_;
    pending_[partition].push_back({std::move(bytes), whole});
  }
  woken_.notify_all();
  return true;
}

std::size_t Gateway::waiting() const {
  const std::lock_guard hold(lock_);
  return pending_parts_;
}

void Gateway::stop() {
  {
    const std::lock_guard hold(lock_);
    stopping_ = true;
    woken_.notify_all();
  }
  for (std::thread& worker : workers_) {
    if (worker.joinable()) worker.join();
  }
}

void Gateway::work(std::uint32_t thread) {
  const auto find = [this, thread] {
    for (std::uint32_t p = thread; p < partitions_; p += threads_)
      if (!pending_[p].empty()) return p;
    return partitions_;
  };
  for (;;) {
    std::vector<Part> parts;
    std::uint32_t partition = partitions_;
    {
      std::unique_lock hold(lock_);
      woken_.wait(hold, [&] { return (partition = find()) != partitions_ || stopping_; });
      if (partition == partitions_) return;
      std::deque<Part>& queue = pending_[partition];
      std::size_t bytes = 0;
      while (!queue.empty() && (parts.empty() || bytes + queue.front().batch.size() <= k_batch_max_bytes)) {
        bytes += queue.front().batch.size();
        parts.push_back(std::move(queue.front()));
        queue.pop_front();
      }
      pending_bytes_ -= bytes;
      pending_parts_ -= parts.size();
    }
    append(partition, parts);
  }
}

void Gateway::append(std::uint32_t partition, const std::vector<Part>& parts) {
  std::vector<std::uint8_t> batch;
  for (const Part& part : parts) batch.insert(batch.end(), part.batch.begin(), part.batch.end());
  const std::vector<std::uint8_t> entry = encode_entry({EntryKind::reports, 0, 0, without_order(batch)});
  const Result<std::uint64_t> appended = log_.append(partition, entry, entry_id(entry));
  if (appended) {
    ++appended_;
    last_append_ = gateway_seconds();
  }
  for (const Part& part : parts) {
    Whole& whole = *part.whole;
    bool is_last = false;
    {
      const std::lock_guard hold(whole.lock);
      if (!appended && !whole.error) whole.error = appended.error();
      is_last = --whole.left == 0;
    }
    if (is_last) whole.stored(whole.error);
  }
}

}  // namespace sotto::analyzer
