// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <array>
#include <condition_variable>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "sotto/analyzer/collect/collection.hpp"
#include "sotto/analyzer/serve/desk.hpp"
#include "sotto/analyzer/serve/served_study.hpp"

// One study of a server: its run, its rounds, and one thread that alone touches them.
namespace sotto::analyzer {

enum class Stage : std::uint8_t { open, stalled, abandoned, finished, stopped };
[[nodiscard]] std::string_view stage_name(Stage stage) noexcept;

struct ClusterView;
inline constexpr std::size_t k_arrival_minutes = 60;

/// What the page, the status and the metrics show. It does not change once it is published.
struct StudyView {
  Stage stage = Stage::open;
  std::optional<std::vector<std::uint8_t>> round;  ///< bytes of the open round
  std::string round_tag;                           ///< digest of the round
  std::uint16_t number = 0;
  ReasonCounts counts, of_round;
  std::int64_t opened = 0, deadline = 0, last_commit = 0;  ///< seconds since 1970; 0: none
  std::uint64_t commits = 0, commit_microseconds = 0, index_bytes = 0;
  std::array<std::uint64_t, k_arrival_minutes> arrivals{};  ///< accepted in each of the last minutes, the newest last
  std::shared_ptr<const std::vector<DeskEvent>> events;
  std::shared_ptr<const std::string> model, page;  ///< after the last round
  std::shared_ptr<const ClusterView> cluster;      ///< where the study is on a cluster
};

/// The answer to a request of a device or of the operator.
struct Outcome {
  std::optional<Error> error;
  ReasonCounts counts;
  std::string text;          ///< of an enrolment
  std::uint64_t stored = 0;  ///< on a cluster: reports that the log has, and that nobody judged yet
};
using Answer = std::function<void(const Outcome&)>;

/// What a device enrols with: a token, or a ticket that another party signed.
struct Enrolment {
  std::string token;
  std::optional<Ticket> ticket;
  std::vector<std::uint8_t> signature;
  bool is_signed = false;  ///< the signature holds: set by the service
};

/// What is written to the server's log: an event with a few fields, as one JSON line.
using LogLine = std::function<void(std::string_view event, const std::string& study, std::string_view more)>;

/// Takes requests from any thread; each answer is called once, from the study's own thread.
class StudyService {
 public:
  /// Refuses   what RunStore, Collection and Desk refuse.
  [[nodiscard]] static Result<std::unique_ptr<StudyService>> open(ServedStudy study, LogLine log);
  StudyService(const StudyService&) = delete;
  StudyService& operator=(const StudyService&) = delete;
  virtual ~StudyService();

  [[nodiscard]] const Study& study() const noexcept { return served_.study; }
  /// How the study asks: the name of its protocol, or "vote".
  [[nodiscard]] std::string_view protocol() const noexcept;
  /// How many rounds it has at most.
  [[nodiscard]] std::size_t rounds() const noexcept;
  [[nodiscard]] const std::string& digest() const noexcept { return digest_text_; }
  [[nodiscard]] const Digest& digest_bytes() const noexcept { return digest_; }
  /// As devices are given it: with its signature, where the study is signed.
  [[nodiscard]] const std::vector<std::uint8_t>& manifest() const noexcept {
    return served_.sign ? served_.signed_manifest : served_.manifest;
  }
  [[nodiscard]] const ClosingRule& rule() const noexcept { return served_.rule; }
  [[nodiscard]] std::shared_ptr<const StudyView> view() const;
  /// Requests that wait for the disk.
  [[nodiscard]] virtual std::size_t waiting() const;

  /// A batch; the answer comes when it is on the disk. False if too many wait: nothing was taken.
  [[nodiscard]] virtual bool submit(std::vector<std::uint8_t> batch, Answer answer);
  virtual void enroll(Enrolment with, const Answer& answer);
  /// The public key that checks tickets, in PEM; empty where devices enrol with tokens.
  [[nodiscard]] std::string_view ticket_key() const noexcept {
    return served_.tickets ? std::string_view(served_.tickets->pem()) : std::string_view();
  }
  virtual void close(const Answer& answer);
  virtual void extend(std::uint64_t seconds, const Answer& answer);
  virtual void abandon(const Answer& answer);
  virtual void forget(std::uint64_t pseudonym, const Answer& answer);
  /// Stores what waits, answers it, and ends the thread. Later requests are answered with serve.stopping.
  virtual void stop();

 protected:
  StudyService(ServedStudy study, LogLine log) : served_(std::move(study)), log_(std::move(log)) {}
  void count_arrivals(std::uint64_t accepted);

 private:
  struct Pending {
    std::vector<std::uint8_t> batch;
    Answer answer;
  };
  [[nodiscard]] Result<Done> start();
  [[nodiscard]] Result<Done> open_run();
  void order(std::function<void()> job, Answer answer);
  void work();
  void store(std::vector<Pending> group);
  void look_at_the_clock();
  [[nodiscard]] Outcome enroll_now(const Enrolment& with);
  [[nodiscard]] Result<std::uint64_t> pseudonym_for(const Enrolment& with);
  [[nodiscard]] Outcome close_now(std::string_view who);
  [[nodiscard]] Outcome extend_now(std::uint64_t seconds);
  [[nodiscard]] Outcome abandon_now();
  [[nodiscard]] Outcome forget_now(std::uint64_t pseudonym);
  [[nodiscard]] Result<Done> note(std::string_view what, std::uint16_t round, std::int64_t until);
  [[nodiscard]] Result<Done> finish();
  [[nodiscard]] std::optional<Error> needs_open_round() const;
  void publish();

  std::unique_ptr<StudyKeys> keys_;

  // Of the study's thread.
  std::unique_ptr<RunStore> store_;
  std::unique_ptr<Collection> run_;
  std::unique_ptr<Desk> desk_;
  std::int64_t arrival_minute_ = 0;
  std::uint64_t refused_at_ = 0;  // accepted reports when closing was last refused
  std::deque<Pending> pending_;   // guarded by lock_, as its size is
  std::size_t pending_bytes_ = 0;

 protected:
  ServedStudy served_;
  LogLine log_;
  Digest digest_{};
  std::string digest_text_;
  StudyView now_;  // of the study's thread

  mutable std::mutex lock_;  // guards what follows
  std::condition_variable woken_;
  std::deque<std::pair<std::function<void()>, Answer>> jobs_;
  bool stopping_ = false;
  std::shared_ptr<const StudyView> view_;
  std::thread thread_;
};

}  // namespace sotto::analyzer
