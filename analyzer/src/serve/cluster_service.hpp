// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <optional>

#include "cluster_view.hpp"
#include "sotto/analyzer/cluster/coordinator.hpp"
#include "sotto/analyzer/cluster/gateway.hpp"
#include "study_service.hpp"

// A study whose reports are in a log that several processes share: this process takes them, and coordinates; workers open
// and sum them. It has no key.
namespace sotto::analyzer {

class ClusterService final : public StudyService {
 public:
  /// Refuses   serve.signed_cluster; what begin_run() and Coordinator refuse.
  [[nodiscard]] static Result<std::unique_ptr<StudyService>> open(ServedStudy study, LogLine log);
  ~ClusterService() override { end(); }

  [[nodiscard]] std::size_t waiting() const override { return gateway_->waiting(); }
  [[nodiscard]] bool submit(std::vector<std::uint8_t> batch, Answer answer) override;
  void enroll(Enrolment with, const Answer& answer) override;
  void close(const Answer& answer) override;
  void extend(std::uint64_t seconds, const Answer& answer) override;
  void abandon(const Answer& answer) override;
  void forget(std::uint64_t pseudonym, const Answer& answer) override;
  void stop() override { end(); }

 private:
  ClusterService(ServedStudy study, LogLine log) : StudyService(std::move(study), std::move(log)) {}
  struct WaitingClose {
    std::uint16_t round;
    std::uint32_t attempt;
    Answer answer;
  };
  [[nodiscard]] Result<Done> begin();
  void end();
  void lead();
  void watch();
  void give(std::function<void()> job, const Answer& answer);
  [[nodiscard]] std::optional<Error> not_asking() const;
  [[nodiscard]] std::optional<Error> too_few() const;
  void close_now(const Answer& answer);
  void take_now(StudyStep step, std::int64_t until, const Answer& answer);
  void answer_closes();
  void show();
  void show_states();
  [[nodiscard]] Result<Done> show_model();
  void tell_new_states();

  std::unique_ptr<Gateway> gateway_;
  std::unique_ptr<Coordinator> coordinator_;
  std::vector<WaitingClose> closes_;
  std::size_t told_ = 0;        // states that are in the server's log
  std::uint64_t accepted_ = 0;  // for the bars of arrivals
  std::string last_error_;      // said once
  ClusterView cluster_;         // what watch() saw
  std::mutex watched_;          // guards cluster_
  std::atomic<bool> is_over_{false};
  std::thread watcher_;
};

}  // namespace sotto::analyzer
