// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "study_service.hpp"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>

#include "clock.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/store/run_settings.hpp"

// The requests of a study and the thread that serves them; lifecycle.cpp has the rounds.
namespace sotto::analyzer {
namespace {

// Requests that wait while the disk writes: beyond this, devices are asked to come again.
constexpr std::size_t k_waiting_max = 16384, k_waiting_bytes_max = std::size_t{32} << 20;
constexpr std::size_t k_jobs_max = 1024;
// What one transaction takes: some 16,000 reports.
constexpr std::size_t k_group_bytes_max = 16384 * 35;

Error stopping() {
  return {"serve.stopping", "the server is stopping or has too much to do", "", "send it again in a few seconds"};
}

}  // namespace

std::string_view stage_name(Stage stage) noexcept {
  switch (stage) {
    case Stage::open: return "open";
    case Stage::stalled: return "stalled";
    case Stage::abandoned: return "abandoned";
    case Stage::finished: return "finished";
    case Stage::stopped: return "stopped";
  }
  return "unknown";
}

std::filesystem::path data_directory(const std::filesystem::path& data, const std::string& digest) {
  return data / digest.substr(0, 16);
}

Result<std::unique_ptr<StudyService>> StudyService::open(ServedStudy study, LogLine log) {
  std::unique_ptr<StudyService> service(new StudyService(std::move(study), std::move(log)));
  if (const auto started = service->start(); !started) return started.error();
  return service;
}

Result<Done> StudyService::start() {
  const Result<Manifest> manifest = read_manifest(served_.manifest, "the manifest");
  if (!manifest) return manifest.error();
  digest_ = manifest_digest(manifest.value());
  digest_text_ = hex_text(digest_);
  if (served_.master) keys_ = std::make_unique<StudyKeys>(*served_.master, digest_);
  Result<std::unique_ptr<Desk>> desk = Desk::open(served_.data / "collection.sqlite");
  if (!desk) return desk.error();
  desk_ = std::move(desk).value();
  Result<std::unique_ptr<RunStore>> store = RunStore::open_or_create(served_.data / k_run_store_name, served_.manifest,
                                                                     settings_text({served_.command, false}));
  if (!store) return store.error();
  store_ = std::move(store).value();
  if (const auto opened = open_run(); !opened) return opened;
  publish();
  thread_ = std::thread([this] { work(); });
  return Done{};
}

StudyService::~StudyService() {
  stop();
  if (served_.master) wipe_secret(*served_.master);
}

std::shared_ptr<const StudyView> StudyService::view() const {
  const std::lock_guard hold(lock_);
  return view_;
}

std::size_t StudyService::waiting() const {
  const std::lock_guard hold(lock_);
  return pending_.size();
}

std::string_view StudyService::protocol() const noexcept {
  return study().regression ? std::string_view(study().regression->protocol->name) : "vote";
}

std::size_t StudyService::rounds() const noexcept { return study().regression ? study().terms.weights.size() : 1; }

bool StudyService::submit(std::vector<std::uint8_t> batch, Answer answer) {
  const std::lock_guard hold(lock_);
  if (stopping_ || pending_.size() >= k_waiting_max || pending_bytes_ + batch.size() > k_waiting_bytes_max)
    return false;
  pending_bytes_ += batch.size();
  pending_.push_back({std::move(batch), std::move(answer)});
  woken_.notify_one();
  return true;
}

void StudyService::order(std::function<void()> job, Answer answer) {
  {
    const std::lock_guard hold(lock_);
    if (!stopping_ && jobs_.size() < k_jobs_max) {
      jobs_.emplace_back(std::move(job), std::move(answer));
      woken_.notify_one();
      return;
    }
  }
  answer({stopping(), {}, {}});
}

void StudyService::close(const Answer& answer) {
  order([this, answer] { answer(close_now("operator")); }, answer);
}
void StudyService::extend(std::uint64_t seconds, const Answer& answer) {
  order([this, seconds, answer] { answer(extend_now(seconds)); }, answer);
}
void StudyService::abandon(const Answer& answer) {
  order([this, answer] { answer(abandon_now()); }, answer);
}
void StudyService::forget(std::uint64_t pseudonym, const Answer& answer) {
  order([this, pseudonym, answer] { answer(forget_now(pseudonym)); }, answer);
}

void StudyService::stop() {
  {
    const std::lock_guard hold(lock_);
    if (stopping_) return;
    stopping_ = true;
    woken_.notify_one();
  }
  if (thread_.joinable()) thread_.join();
}

void StudyService::work() {
  for (;;) {
    std::vector<Pending> group;
    std::deque<std::pair<std::function<void()>, Answer>> jobs;
    bool is_last = false;
    {
      std::unique_lock hold(lock_);
      // Whatever arrived while the disk was writing is stored together: a group needs no waiting of its own.
      woken_.wait_for(hold, std::chrono::seconds(1),
                      [this] { return stopping_ || !pending_.empty() || !jobs_.empty(); });
      jobs.swap(jobs_);
      std::size_t bytes = 0;
      while (!pending_.empty() && (group.empty() || bytes + pending_.front().batch.size() <= k_group_bytes_max)) {
        bytes += pending_.front().batch.size();
        pending_bytes_ -= pending_.front().batch.size();
        group.push_back(std::move(pending_.front()));
        pending_.pop_front();
      }
      is_last = stopping_ && group.empty() && jobs.empty();
    }
    if (is_last) break;
    // Reports first: those that arrived before an order count before it.
    if (!group.empty()) store(std::move(group));
    for (const auto& [job, answer] : jobs) job();
    look_at_the_clock();
  }
  (void)run_->keep_refusals();
  (void)store_->settle();
}

void StudyService::store(std::vector<Pending> group) {
  std::vector<std::span<const std::uint8_t>> requests;
  requests.reserve(group.size());
  for (const Pending& pending : group) requests.emplace_back(pending.batch);
  const ReasonCounts before = run_->counts();
  const auto begin = std::chrono::steady_clock::now();
  const Result<std::vector<ReasonCounts>> each = run_->put_group(requests);
  if (!each) {
    log_("not_stored", digest_text_, each.error().code);
    for (const Pending& pending : group) pending.answer({each.error(), {}, {}});
    return;
  }
  const auto spent = std::chrono::steady_clock::now() - begin;
  const ReasonCounts after = run_->counts();
  // A contradiction may take an earlier reading away again.
  for (std::size_t i = 0; i < k_reasons; ++i) now_.of_round.of[i] += after.of[i] - before.of[i];
  now_.last_commit = seconds_now();
  ++now_.commits;
  now_.commit_microseconds +=
      static_cast<std::uint64_t>(std::chrono::duration_cast<std::chrono::microseconds>(spent).count());
  std::uint64_t accepted = 0;
  for (const ReasonCounts& counts : each.value()) accepted += counts[Reason::accepted];
  count_arrivals(accepted);
  publish();
  for (std::size_t i = 0; i < group.size(); ++i) group[i].answer({{}, each.value()[i], {}});
}

void StudyService::count_arrivals(std::uint64_t accepted) {
  const std::int64_t minute = seconds_now() / 60;
  const std::int64_t passed = arrival_minute_ == 0 ? 0 : minute - arrival_minute_;
  for (std::int64_t i = 0; i < passed && i < static_cast<std::int64_t>(k_arrival_minutes); ++i) {
    std::rotate(now_.arrivals.begin(), now_.arrivals.begin() + 1, now_.arrivals.end());
    now_.arrivals.back() = 0;
  }
  arrival_minute_ = minute;
  now_.arrivals.back() += accepted;
}

void StudyService::publish() {
  now_.counts = run_->counts();
  now_.index_bytes = store_->index_bytes();
  auto view = std::make_shared<const StudyView>(now_);
  const std::lock_guard hold(lock_);
  view_ = std::move(view);
}

Outcome StudyService::forget_now(std::uint64_t pseudonym) {
  const std::uint64_t before = run_->counts()[Reason::accepted];
  if (const auto forgotten = run_->forget(pseudonym); !forgotten) return {forgotten.error(), {}, {}};
  now_.of_round.of[static_cast<std::size_t>(Reason::accepted)] -= before - run_->counts()[Reason::accepted];
  if (const auto noted = note("forgotten", now_.number, now_.deadline); !noted) return {noted.error(), {}, {}};
  publish();
  return {};
}

}  // namespace sotto::analyzer
