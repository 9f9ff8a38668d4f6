// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/worker.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <thread>

#include <fmt/format.h>

#include "sotto/analyzer/crypto/hash.hpp"

namespace sotto::analyzer {
namespace {

constexpr auto k_note_pause = std::chrono::milliseconds(250), k_away = std::chrono::milliseconds(500);
constexpr std::chrono::milliseconds k_read_wait{200};

/// A partition on a thread of its own.
class ReplayThread {
 public:
  ReplayThread(const ReplayedStudy& study, SharedLog& log, std::uint32_t partition, const WorkerOptions& options)
      : study_(study), log_(log), partition_(partition), options_(options), thread_([this] { run(); }) {}
  ReplayThread(const ReplayThread&) = delete;
  ReplayThread& operator=(const ReplayThread&) = delete;
  ~ReplayThread() {
    end();
    thread_.join();
  }
  void end() { stop_ = true; }
  [[nodiscard]] std::optional<PartitionProgress> progress() const {
    const std::lock_guard hold(lock_);
    return progress_;
  }
  [[nodiscard]] std::optional<Error> error() const {
    const std::lock_guard hold(lock_);
    return error_;
  }

 private:
  /// What another try may mend.
  static bool is_passing(const Error& error) {
    return error.code == "log.unreachable" || error.code == "log.full" || error.code == "store.busy" ||
           error.code == "io.disk_full";
  }
  void run() {
    std::unique_ptr<PartitionReplay> replay;
    while (!stop_) {
      const Result<Done> went = once(replay);
      if (went) continue;
      if (!is_passing(went.error())) {
        const std::lock_guard hold(lock_);
        error_ = went.error();
        return;
      }
      options_.log("waiting", fmt::format("partition {}: {}", partition_, went.error().message()));
      replay.reset();  // what failed half is replayed
      for (int i = 0; i < 10 && !stop_; ++i) std::this_thread::sleep_for(k_away / 10);
    }
  }
  Result<Done> once(std::unique_ptr<PartitionReplay>& replay) {
    if (!replay) {
      Result<std::unique_ptr<PartitionReplay>> opened =
          PartitionReplay::open(study_, log_, partition_, options_.data / fmt::format("partition-{}", partition_));
      if (!opened) return opened.error();
      replay = std::move(opened).value();
    }
    const Result<bool> went = replay->step(k_read_wait);
    if (!went) return went.error();
    const std::lock_guard hold(lock_);
    progress_ = replay->progress();
    return Done{};
  }

  const ReplayedStudy& study_;
  SharedLog& log_;
  const std::uint32_t partition_;
  const WorkerOptions& options_;
  std::atomic<bool> stop_{false};
  mutable std::mutex lock_;  // guards what follows
  std::optional<PartitionProgress> progress_;
  std::optional<Error> error_;
  std::thread thread_;
};

std::uint64_t weight_of(const std::string& worker, std::uint32_t partition) {
  const std::string text = fmt::format("{} {}", worker, partition);
  const Digest digest = fast_sha256({reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
  std::uint64_t weight = 0;
  for (std::size_t i = 0; i < sizeof weight; ++i) weight = weight << 8 | digest[i];
  return weight;
}

std::vector<std::string> alive_workers(SharedLog& log, const std::string& own) {
  std::vector<std::string> names{own};
  for (const WorkerNote& note : worker_notes(log)) names.push_back(note.worker);
  std::ranges::sort(names);
  // Not std::ranges::unique: Clang 14 does not take the subrange of libstdc++ 12.
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::vector<std::uint32_t> share_of(const std::string& worker, const std::vector<std::string>& alive,
                                    std::uint32_t partitions) {
  // Each partition goes to the worker with the largest weight that has not yet its full number of them.
  const std::size_t most = (partitions + alive.size() - 1) / alive.size();
  std::map<std::string, std::vector<std::uint32_t>> shares;
  for (std::uint32_t p = 0; p < partitions; ++p) {
    const std::string* best = nullptr;
    for (const std::string& name : alive) {
      if (shares[name].size() < most && (best == nullptr || weight_of(name, p) > weight_of(*best, p))) best = &name;
    }
    shares[*best].push_back(p);
  }
  return shares[worker];
}

Result<Done> work(const ReplayedStudy& study, SharedLog& log, std::uint32_t partitions, const WorkerOptions& options,
                  const std::atomic<bool>& stop) {
  std::map<std::uint32_t, std::unique_ptr<ReplayThread>> threads;
  auto last_share = std::chrono::steady_clock::time_point();
  std::vector<std::uint32_t> wanted = options.partitions;
  log.post(options.name, encode_note({}));
  while (!stop) {
    std::this_thread::sleep_for(k_note_pause);
    const auto now = std::chrono::steady_clock::now();
    // A newcomer first listens who else is there.
    if (options.partitions.empty() && now - last_share > std::chrono::seconds(1)) {
      wanted = share_of(options.name, alive_workers(log, options.name), partitions);
      last_share = now;
    }
    for (auto at = threads.begin(); at != threads.end();) {
      if (const auto failed = at->second->error()) return *failed;
      at = std::ranges::find(wanted, at->first) == wanted.end() ? threads.erase(at) : std::next(at);
    }
    for (const std::uint32_t p : wanted) {
      if (threads.contains(p)) continue;
      options.log("partition", fmt::format("{}", p));
      threads.emplace(p, std::make_unique<ReplayThread>(study, log, p, options));
    }
    std::vector<PartitionProgress> progress;
    for (const auto& [p, thread] : threads) {
      if (const auto own = thread->progress()) progress.push_back(*own);
    }
    log.post(options.name, encode_note(progress));
  }
  for (const auto& [p, thread] : threads) thread->end();
  return Done{};
}

}  // namespace sotto::analyzer
