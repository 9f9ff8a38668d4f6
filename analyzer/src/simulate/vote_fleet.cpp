// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/vote_fleet.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <chrono>
#include <exception>
#include <optional>
#include <thread>

#include <fmt/format.h>

#include "sotto/analyzer/channel/status_text.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"
#include "sotto/analyzer/simulate/vote_world.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/randomize/vote.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint64_t k_users_max = std::uint64_t{1} << 36;
constexpr std::uint64_t k_batch = 2048;
constexpr std::uint64_t k_examples = 4;
constexpr std::uint16_t k_round = 1;

std::optional<Error> check(const VoteFleet& fleet) {
  if (fleet.users < 1 || fleet.users > k_users_max) {
    return Error{"simulate.bad_users", "the number of users must be from 1 to 2^36", std::to_string(fleet.users),
                 "change --users"};
  }
  if (fleet.features < 2 || fleet.features >= k_categories_max) {
    return Error{"simulate.bad_features", "a vote needs from 2 to 2^24 - 1 features", std::to_string(fleet.features),
                 "change --dim"};
  }
  if (fleet.heavy < 1 || fleet.heavy > fleet.features) {
    return Error{"simulate.bad_heavy", fmt::format("between 1 and all {} features can carry the votes", fleet.features),
                 std::to_string(fleet.heavy), "change --heavy"};
  }
  if (!(fleet.empty >= 0 && fleet.empty <= 1)) {
    return Error{"simulate.bad_empty", "the share of empty devices must be from 0 to 1", fmt::format("{}", fleet.empty),
                 "change --empty"};
  }
  return std::nullopt;
}

/// One simulated device: the device library with its own entropy, and its true answer.
Status cast_vote(const Certified<VoteSpec>& certified, const VoteWorld& world, std::uint64_t seed, std::uint64_t device,
                 SentVote& out) {
  out.pseudonym = device + 1;  // 0 is never issued
  out.answer = world.answer(device);
  FleetEntropy entropy(seed, device);
  PrivateCoins coins;
  if (const Status s = coins.begin_report(entropy.source()); s != Status::ok) return s;
  const CoinLabel label{world.study_seed().data(), out.pseudonym, k_round};
  return vote(certified, label, out.answer, coins, out.report);
}

/// The state of one thread.
struct Part {
  VoteAggregate aggregate;
  std::vector<std::uint64_t> truth;
  Status status = Status::ok;
  std::exception_ptr thrown;  ///< kept here, because leaving the thread would end the process
};

/// Processes batches of devices until none is left. The order does not matter: only sums of integers are kept.
void work(Part& part, const Certified<VoteSpec>& certified, const VoteWorld& world, const VoteFleet& fleet,
          std::atomic<std::uint64_t>& next, std::atomic<std::uint64_t>& done) {
  std::array<CoinReport, k_batch> batch;
  for (;;) {
    const std::uint64_t first = next.fetch_add(k_batch);
    if (first >= fleet.users) return;
    const std::uint64_t size = std::min(k_batch, fleet.users - first);
    for (std::uint64_t i = 0; i < size; ++i) {
      SentVote sent;
      part.status = cast_vote(certified, world, fleet.seed, first + i, sent);
      if (part.status != Status::ok) return next.store(fleet.users);
      ++part.truth[sent.answer];
      batch[i] = {sent.pseudonym, sent.report};
    }
    part.aggregate.absorb(world.study_seed().data(), k_round, std::span(batch).first(size));
    done.fetch_add(size);
  }
}

Error device_refused(Status status) {
  return {"simulate.device", "the device library refused", std::string(status_name(status)),
          std::string(status_fix(status))};
}

}  // namespace

Result<VoteRun> run_vote_fleet(const VoteFleet& fleet, const std::function<void(std::uint64_t)>& progress) {
  if (const auto error = check(fleet)) return *error;
  const auto started = std::chrono::steady_clock::now();
  VoteSpec spec;
  spec.epsilon = fleet.epsilon;
  spec.features = fleet.features;
  Certified<VoteSpec> certified;
  if (const Status s = derive(spec); s != Status::ok) return device_refused(s);
  if (const Status s = certify(spec, k_epsilon_max, certified); s != Status::ok) return device_refused(s);
  const VoteWorld world(fleet.seed, fleet.features, fleet.heavy, fleet.empty);
  Result<VoteAggregate> opened = VoteAggregate::open(spec);
  if (!opened) return opened.error();

  std::vector<Part> parts(std::max(1u, fleet.threads),
                          Part{opened.value(), std::vector<std::uint64_t>(fleet.features + 1), Status::ok, nullptr});
  std::atomic<std::uint64_t> next = 0, done = 0;
  std::atomic<std::size_t> running = parts.size();
  std::vector<std::jthread> threads;
  for (Part& part : parts) {
    threads.emplace_back([&] {
      try {
        work(part, certified, world, fleet, next, done);
      } catch (...) {
        part.thrown = std::current_exception();
        next.store(fleet.users);
      }
      --running;
    });
  }
  while (progress && running > 0) {
    progress(done);
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  threads.clear();  // joins

  VoteRun run{spec, world.heavy(), std::vector<std::uint64_t>(fleet.features + 1), {}, {}, 0};
  VoteAggregate total = std::move(opened).value();
  for (const Part& part : parts) {
    if (part.thrown) std::rethrow_exception(part.thrown);
    if (part.status != Status::ok) return device_refused(part.status);
    if (const Result<Done> merged = total.merge(part.aggregate); !merged) return merged.error();
    for (std::size_t i = 0; i < run.truth.size(); ++i) run.truth[i] += part.truth[i];
  }
  run.estimate = total.close();
  for (std::uint64_t device = 0; device < std::min(k_examples, fleet.users); ++device) {
    SentVote sent;
    if (const Status s = cast_vote(certified, world, fleet.seed, device, sent); s != Status::ok)
      return device_refused(s);
    run.examples.push_back(sent);
  }
  run.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  return run;
}

std::vector<std::uint8_t> vote_report_bytes(const VoteSpec& spec, const SentVote& vote) {
  std::vector<std::uint8_t> bytes;
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<std::uint8_t>(vote.pseudonym >> (8 * i)));
  const auto bits = static_cast<int>(std::bit_width(channel(spec).outcomes - 1));
  for (int at = 0; at < bits; at += 8) bytes.push_back(static_cast<std::uint8_t>(vote.report >> at));
  return bytes;
}

}  // namespace sotto::analyzer
