// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "cluster_service.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "clock.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/log/layout.hpp"

// The requests of a study on a cluster, and the thread that leads it; cluster_stages.cpp has what is shown of it.
namespace sotto::analyzer {
namespace {

constexpr auto k_lead_pause = std::chrono::milliseconds(100);
constexpr auto k_watch_pause = std::chrono::milliseconds(500);

std::uint64_t reports_in(std::span<const std::uint8_t> batch) {
  BatchReader reader(batch);
  std::uint64_t reports = 0;
  while (reader.next()) ++reports;
  return reports + (reader.torn() ? 1 : 0);
}

/// Another coordinator may have taken a step that this one did not see yet: then the order is tried from there.
constexpr int k_tries = 10;

Error overtaken() {
  return {"serve.closing", "other gateways change the state of this study all the time", "", "send it once more"};
}

Error by_hand() {
  return {"enroll.by_hand", "a gateway of a cluster has no key, so it issues no credentials", "",
          "enrol the devices of this study with sotto enrol, where its master key is"};
}

}  // namespace

Result<std::unique_ptr<StudyService>> ClusterService::open(ServedStudy study, LogLine log) {
  std::unique_ptr<ClusterService> service(new ClusterService(std::move(study), std::move(log)));
  if (const auto begun = service->begin(); !begun) return begun.error();
  return std::unique_ptr<StudyService>(std::move(service));
}

Result<Done> ClusterService::begin() {
  if (!served_.study.regression)
    return Error{"serve.vote_cluster", "a cluster runs protocols, and this study is one vote", served_.study.name,
                 "serve it from one process, without --log"};
  const Result<Manifest> manifest = read_manifest(served_.manifest, "the manifest");
  if (!manifest) return manifest.error();
  digest_ = manifest_digest(manifest.value());
  digest_text_ = hex_text(digest_);
  const ServedLog& log = *served_.log;
  if (const auto begun = begin_run(*log.log, log.run, log.shape); !begun) return begun;
  Result<std::unique_ptr<Coordinator>> coordinator =
      Coordinator::open({&served_.study, served_.design.get(), served_.manifest, served_.command, served_.rule.target,
                         served_.rule.seconds},
                        *log.log, log.shape.partitions);
  if (!coordinator) return coordinator.error();
  coordinator_ = std::move(coordinator).value();
  gateway_ = std::make_unique<Gateway>(*log.log, log.shape.partitions);
  now_.events = std::make_shared<const std::vector<DeskEvent>>();
  cluster_.engine = log.log->engine();
  cluster_.nodes = log.log->nodes();
  cluster_.warning = log.log->warning();
  cluster_.partitions.resize(log.shape.partitions);
  if (const auto stepped = coordinator_->step(); !stepped) return stepped;
  show();
  watcher_ = std::thread([this] { watch(); });
  thread_ = std::thread([this] { lead(); });
  return Done{};
}

void ClusterService::end() {
  {
    const std::lock_guard hold(lock_);
    stopping_ = true;
    woken_.notify_one();
  }
  is_over_ = true;
  if (gateway_) gateway_->stop();
  if (thread_.joinable()) thread_.join();
  if (watcher_.joinable()) watcher_.join();
  for (const WaitingClose& one : closes_)
    one.answer({Error{"serve.stopping", "the server is stopping", "", "ask again for the state of the round"}, {}, {}});
  closes_.clear();
}

void ClusterService::lead() {
  for (;;) {
    std::deque<std::pair<std::function<void()>, Answer>> jobs;
    {
      std::unique_lock hold(lock_);
      woken_.wait_for(hold, k_lead_pause, [this] { return stopping_ || !jobs_.empty(); });
      jobs.swap(jobs_);
      if (stopping_ && jobs.empty()) return;
    }
    for (const auto& [job, answer] : jobs) job();
    const Result<Done> stepped = coordinator_->step();
    const std::string error = stepped ? "" : std::string(stepped.error().code);
    if (error != last_error_ && !stepped) log_("waiting", digest_text_, stepped.error().message());
    last_error_ = error;
    answer_closes();
    show();
  }
}

/// Looks at the brokers and at the ends of the partitions, which may take long where some are away.
void ClusterService::watch() {
  SharedLog& log = *served_.log->log;
  while (!is_over_) {
    std::vector<LogNode> nodes = log.nodes();
    const std::string warning = log.warning();
    std::vector<std::uint64_t> last;
    bool is_answering = true;
    for (std::uint32_t p = 0; p < served_.log->shape.partitions && is_answering && !is_over_; ++p) {
      const Result<std::uint64_t> own = log.last(p);
      is_answering = own.ok();
      if (own) last.push_back(own.value());
    }
    {
      const std::lock_guard hold(watched_);
      cluster_.nodes = std::move(nodes);
      cluster_.warning = warning;
      cluster_.is_answering = is_answering;
      for (std::size_t p = 0; p < last.size(); ++p) cluster_.partitions[p].last = last[p];
    }
    for (int i = 0; i < 5 && !is_over_; ++i) std::this_thread::sleep_for(k_watch_pause / 5);
  }
}

bool ClusterService::submit(std::vector<std::uint8_t> batch, Answer answer) {
  const std::shared_ptr<const StudyView> shown = view();
  const std::uint64_t reports = reports_in(batch);
  if (shown->stage == Stage::stopped) {
    answer({Error{"serve.stopped", "this study is stopped: two workers came to different sums", study().name,
                  "whoever runs it looks at its page"},
            {},
            {}});
    return true;
  }
  if (shown->stage == Stage::finished || shown->stage == Stage::abandoned) {  // nobody judges them any more
    Outcome outcome;
    outcome.counts.of[static_cast<std::size_t>(Reason::late)] = reports;
    answer(outcome);
    return true;
  }
  return gateway_->submit(batch, [answer = std::move(answer), reports](const std::optional<Error>& error) {
    Outcome outcome;
    outcome.error = error;
    outcome.stored = error ? 0 : reports;
    answer(outcome);
  });
}

void ClusterService::give(std::function<void()> job, const Answer& answer) {
  {
    const std::lock_guard hold(lock_);
    if (!stopping_) {
      jobs_.emplace_back(std::move(job), answer);
      woken_.notify_one();
      return;
    }
  }
  answer({Error{"serve.stopping", "the server is stopping", "", "send it again in a few seconds"}, {}, {}});
}

void ClusterService::enroll(Enrolment, const Answer& answer) { answer({by_hand(), {}, {}}); }

void ClusterService::forget(std::uint64_t, const Answer& answer) {
  answer({Error{"serve.cluster_forget", "the log of a cluster keeps what was sent until its run is removed", "",
                "remove the run's streams when the study is over (docs/FLEET.md)"},
          {},
          {}});
}

void ClusterService::close(const Answer& answer) {
  give([this, answer] { close_now(answer); }, answer);
}
void ClusterService::extend(std::uint64_t seconds, const Answer& answer) {
  const std::int64_t until = seconds_now() + static_cast<std::int64_t>(seconds);
  give([this, until, answer] { take_now(StudyStep::extended, until, answer); }, answer);
}
void ClusterService::abandon(const Answer& answer) {
  give([this, answer] { take_now(StudyStep::abandoned, 0, answer); }, answer);
}

std::optional<Error> ClusterService::not_asking() const {
  const std::vector<RoundState>& states = coordinator_->states();
  switch (states.empty() ? StudyStep::opening : states.back().step) {
    case StudyStep::open:
    case StudyStep::extended:
    case StudyStep::stalled: return std::nullopt;
    case StudyStep::finished:
      return Error{"serve.finished", "all rounds of this study are closed", served_.study.name, "its model is ready"};
    case StudyStep::abandoned:
      return Error{"serve.abandoned", "this study was abandoned", served_.study.name, "ask again with a new study"};
    case StudyStep::stopped:
      return Error{"serve.stopped", "this study is stopped", states.back().why, "begin another run with --run"};
    default:
      return Error{"serve.closing", "a round of this study is just being opened or closed", served_.study.name,
                   "look at its state in a few seconds"};
  }
}

/// Below the minimum, as far as the workers say, if they are not behind: an attempt would close nothing.
std::optional<Error> ClusterService::too_few() const {
  const std::shared_ptr<const StudyView> shown = view();
  const std::uint64_t accepted = shown->of_round[Reason::accepted], minimum = served_.study.terms.minimum;
  if (accepted >= minimum) return std::nullopt;
  for (std::uint32_t p = 0; p < served_.log->shape.partitions; ++p) {
    const Result<std::uint64_t> last = served_.log->log->last(p);
    if (!last || last.value() > shown->cluster->partitions[p].applied) return std::nullopt;
  }
  return Error{"serve.below_minimum", fmt::format("round {} has too few reports to close", shown->number),
               fmt::format("{} accepted, {} needed", accepted, minimum), "collect more, extend or abandon it"};
}

void ClusterService::close_now(const Answer& answer) {
  for (int tries = 0; tries < k_tries; ++tries) {
    if (const auto refused = not_asking()) return answer({*refused, {}, {}});
    show();
    if (const auto refused = too_few()) return answer({*refused, {}, {}});
    const RoundState before = coordinator_->states().back();
    const Result<bool> taken = coordinator_->take(StudyStep::closing, before.until, "operator");
    if (!taken) return answer({taken.error(), {}, {}});
    if (taken.value()) {
      closes_.push_back({before.round, before.attempt, answer});
      return;
    }
  }
  answer({overtaken(), {}, {}});
}

void ClusterService::take_now(StudyStep step, std::int64_t until, const Answer& answer) {
  for (int tries = 0; tries < k_tries; ++tries) {
    if (const auto refused = not_asking()) return answer({*refused, {}, {}});
    const Result<bool> taken = coordinator_->take(step, until, "operator");
    show();
    if (!taken) return answer({taken.error(), {}, {}});
    if (taken.value()) return answer({});
  }
  answer({overtaken(), {}, {}});
}

/// Answers each order to close when its round is closed, or open again.
void ClusterService::answer_closes() {
  const std::vector<RoundState>& states = coordinator_->states();
  const auto is_answered = [&](const WaitingClose& one) {
    for (auto state = states.rbegin(); state != states.rend(); ++state) {
      const bool is_again = state->step == StudyStep::opening && state->round == one.round;
      if (is_again && state->attempt == one.attempt + 1) {
        show();
        one.answer({Error{"serve.below_minimum", fmt::format("round {} has too few reports to close", one.round),
                          state->why, "collect more, extend or abandon it"},
                    {},
                    {}});
        return true;
      }
      if (state->step == StudyStep::stopped) {
        one.answer({Error{"cluster.diverged", state->why, "", "begin another run with --run"}, {}, {}});
        return true;
      }
      // Answered when the next round is open: whoever asked reads it from the status.
      const bool is_next = state->round > one.round && state->step == StudyStep::open;
      if (is_next || state->step == StudyStep::finished || state->step == StudyStep::abandoned) {
        show();
        one.answer({});
        return true;
      }
    }
    return false;
  };
  std::erase_if(closes_, is_answered);
}

}  // namespace sotto::analyzer
