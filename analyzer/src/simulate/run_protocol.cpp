// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/run_protocol.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/ingest/batch.hpp"

namespace sotto::analyzer {
namespace {

/// One round over the whole fleet: threads take batches until none is left or one was refused.
class RoundRun {
 public:
  RoundRun(const SessionFleet& fleet, RoundSink& sink, std::span<const std::uint8_t> round, std::uint64_t per_batch,
           const std::function<bool()>& is_stopped)
      : fleet_(fleet), sink_(sink), round_(round), is_stopped_(is_stopped), per_batch_(per_batch) {}

  Result<Done> run(std::uint32_t threads, const std::function<void(std::uint64_t)>& progress, std::uint64_t before) {
    // No more threads than batches.
    const std::uint64_t batches = (fleet_.devices() + per_batch_ - 1) / per_batch_;
    std::uint64_t running = std::clamp<std::uint64_t>(batches, 1, std::max(1u, threads));
    std::condition_variable ended;
    {
      std::vector<std::jthread> workers;
      for (std::uint64_t i = running; i-- > 0;) {
        workers.emplace_back([&] {
          work_or_throw_later();
          const std::lock_guard hold(lock_);
          if (--running == 0) ended.notify_one();
        });
      }
      std::unique_lock hold(lock_);
      while (progress && !ended.wait_for(hold, std::chrono::milliseconds(5), [&] { return running == 0; })) {
        hold.unlock();
        progress(before + std::min(next_.load(), fleet_.devices()));
        hold.lock();
      }
    }
    if (thrown_) std::rethrow_exception(thrown_);
    if (error_) return *error_;
    return Done{};
  }

  [[nodiscard]] std::uint64_t reports() const noexcept { return reports_; }
  [[nodiscard]] std::uint64_t bytes() const noexcept { return bytes_; }

 private:
  /// An exception that leaves a thread would end the process, so the caller reports it, for example exhausted memory.
  void work_or_throw_later() {
    try {
      work();
    } catch (...) {
      const std::lock_guard hold(lock_);
      thrown_ = std::current_exception();
      next_ = fleet_.devices();
    }
  }

  void work() {
    SessionFleet::Player player(fleet_);
    std::vector<std::uint8_t> batch;
    for (;;) {
      const std::uint64_t first = next_.fetch_add(per_batch_);
      if (first >= fleet_.devices()) return;
      const std::uint64_t number = first / per_batch_;
      if (is_stopped_ && is_stopped_()) {
        return stop({"simulate.stopped", "the run was stopped before its end", "",
                     "begin again; with --out DIR the same command goes on where it stopped"});
      }
      const Result<bool> there = sink_.has_batch(number);
      if (!there) return stop(there.error());
      if (there.value()) continue;
      batch.clear();
      Result<Done> done = player.answer(round_, first, std::min(first + per_batch_, fleet_.devices()), batch);
      if (done) done = sink_.put_batch(number, batch);
      if (!done) return stop(done.error());
      BatchReader reader(batch);
      while (const auto report = reader.next()) {
        ++reports_;
        bytes_ += report->size();
      }
    }
  }

  void stop(const Error& error) {
    const std::lock_guard hold(lock_);
    if (!error_) error_ = error;
    next_ = fleet_.devices();
  }

  const SessionFleet& fleet_;
  RoundSink& sink_;
  std::span<const std::uint8_t> round_;
  const std::function<bool()>& is_stopped_;
  std::uint64_t per_batch_;
  std::atomic<std::uint64_t> next_ = 0, reports_ = 0, bytes_ = 0;
  std::mutex lock_;
  std::optional<Error> error_;
  std::exception_ptr thrown_;
};

}  // namespace

std::uint64_t devices_per_batch(std::uint64_t devices, std::size_t report_bytes) noexcept {
  constexpr std::uint64_t k_min = 512, k_batches = 256, k_length_bytes = 2;
  const std::uint64_t most = k_batch_max_bytes / (report_bytes + k_length_bytes);  // if all of them answer
  return std::min(std::max(std::bit_ceil(devices / k_batches), k_min), std::bit_floor(most));
}

Result<ReportSizes> run_protocol(Protocol& protocol, const SessionFleet& fleet, RoundSink& sink, std::uint32_t threads,
                                 const std::function<void(std::uint64_t)>& progress, RunRecord& record,
                                 const std::function<bool()>& is_stopped) {
  ReportSizes sizes;
  for (std::uint64_t asked = 0;; asked += fleet.devices()) {
    const Result<std::optional<std::vector<std::uint8_t>>> round = protocol.open();
    if (!round) return round.error();
    if (!round.value()) break;
    record.rounds.push_back(*round.value());
    if (const auto opened = sink.open_round(*round.value()); !opened) return opened.error();
    ReportSizes one;
    if (const auto sized = one.add(fleet.manifest(), *round.value(), 1); !sized) return sized.error();
    const std::uint64_t per_batch = devices_per_batch(fleet.devices(), static_cast<std::size_t>(one.mean()));
    RoundRun run(fleet, sink, *round.value(), per_batch, is_stopped);
    if (const auto ran = run.run(threads, progress, asked); !ran) return ran.error();
    record.reports += run.reports();
    record.bytes += run.bytes();
    const Result<RoundAggregate> sums = sink.close_round();
    if (!sums) return sums.error();
    if (const auto closed = protocol.close(sums.value()); !closed) return closed.error();
    if (const auto sized = sizes.add(fleet.manifest(), *round.value(), sums.value().used()); !sized)
      return sized.error();
  }
  return sizes;
}

Result<ReportSizes> rehearse_protocol(Protocol& protocol, const SessionFleet& fleet, RunRecord& record) {
  ReportSizes sizes;
  SessionFleet::Player player(fleet);
  for (;;) {
    const Result<std::optional<std::vector<std::uint8_t>>> bytes = protocol.open();
    if (!bytes) return bytes.error();
    if (!bytes.value()) break;
    record.rounds.push_back(*bytes.value());
    const Result<Round> round = read_round(*bytes.value(), "the round");
    if (!round) return round.error();
    Result<RoundAggregate> sums = RoundAggregate::open(fleet.manifest(), round.value());
    if (!sums) return sums.error();
    if (const auto told = player.tell(round.value(), 0, fleet.devices(), sums.value()); !told) return told.error();
    record.reports += sums.value().used();
    if (const auto closed = protocol.close(sums.value()); !closed) return closed.error();
    if (const auto sized = sizes.add(fleet.manifest(), *bytes.value(), sums.value().used()); !sized)
      return sized.error();
  }
  return sizes;
}

}  // namespace sotto::analyzer
