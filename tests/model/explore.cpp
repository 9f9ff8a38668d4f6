// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// explore DEPTH [PROMISE [BEGINNING]]: every order of calls, reboots and power cuts up to DEPTH actions, breadth first, on the real library.
// Without PROMISE all promises must hold; with it the library is a mutant, and this promise must be the first that is broken.
//
// It begins with a blank flash, and with a device that has consent, both studies and two sessions: under policies where the cap per
// study, the total or the studies' number of answers binds, and with both sessions of one study. BEGINNING, 0 to 4, is one of these.
//
// Two states are one when nothing that decides what the library does next tells them apart. Left out are: numbers that only rise
// (sequence, acts, lives; whether a session's life is the ledger's is kept), the device's secret, the coins in a session and the
// bytes of reports (whether those in the ledger are those that left is kept). Which bytes of a session are coins is measured.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

#include "reference.hpp"
#include "sotto/ledger/image.hpp"
#include "sotto/ledger/occupancy.hpp"

namespace sotto::model {
namespace {

/// Two hashes of 64 bits side by side.
struct Hash {
  std::uint64_t a = 0x9e3779b97f4a7c15u, b = 0xc2b2ae3d27d4eb4fu;
  void add(std::uint64_t v) {
    a = (a ^ v) * 0xff51afd7ed558ccdu;
    a ^= a >> 32;
    b = (b + v) * 0xc4ceb9fe1a85ec53u;
    b ^= b >> 29;
  }
  void add_bytes(const void* data, std::size_t bytes) {
    const auto* p = static_cast<const std::uint8_t*>(data);
    for (; bytes >= 8; bytes -= 8, p += 8) {
      std::uint64_t v;
      std::memcpy(&v, p, 8);
      add(v);
    }
    for (; bytes != 0; --bytes) add(*p++ + 256u);
  }
  friend bool operator==(const Hash&, const Hash&) = default;
};
struct HashOfHash {
  std::size_t operator()(const Hash& h) const { return h.a; }
};

std::uint8_t is_coin[sizeof(sotto_session)];  // of a session's bytes

void add_session(Hash& hash, std::uint32_t s) {
  static std::uint8_t bytes[sizeof(sotto_session)];
  std::memcpy(bytes, &memory.session[s], sizeof bytes);
  const Occupancy of_session = found_in(&memory.session[s]), of_ledger = found_in(&memory.ledger);
  std::memset(bytes + offsetof(Occupancy, life), 0, sizeof of_session.life);
  for (std::size_t i = 0; i < sizeof bytes; ++i) bytes[i] = is_coin[i] != 0 ? 0 : bytes[i];
  hash.add_bytes(bytes, sizeof bytes);
  hash.add(of_session.life == of_ledger.life ? 1 : 0);
}

/// An image, wherever it stands, without what only rises and what is random.
void add_image(Hash& hash, const std::uint8_t* at, const Reference& reference) {
  ImageHead head;
  std::memcpy(&head, at, sizeof head);
  hash.add(head.consent + 4u * head.removed + 4096u * head.studies);
  hash.add_bytes(&head.policy, sizeof head.policy);
  hash.add_bytes(&head.retired, sizeof head.retired);
  at += k_image_head_bytes;
  for (std::uint32_t i = 0; i < head.removed; ++i, at += k_line_bytes) hash.add(study_of(at));
  for (std::uint32_t i = 0; i < head.studies; ++i, at += head.entry_bytes) {
    StudyEntry entry;
    std::memcpy(&entry, at, sizeof entry);
    const std::uint32_t study = study_of(entry.digest.data());
    hash.add(study + 16u * entry.round + (static_cast<std::uint64_t>(entry.state) << 32));
    hash.add(entry.spent.epsilon);
    hash.add(entry.report_bytes);
    const bool known = study < k_studies && entry.round - 1u < k_rounds;
    hash.add(known && std::memcmp(reference.left[study][entry.round - 1u].report, at + k_entry_bytes,
                                  entry.report_bytes <= 34 ? entry.report_bytes : 34) == 0
                 ? 1
                 : 0);
  }
}

void add_flash(Hash& hash, const Reference& reference) {
  std::vector<std::uint32_t> sequences;
  for (std::uint32_t at = 0; at < sizeof memory.flash;) {
    ImageLine line;
    std::memcpy(&line, memory.flash + at, sizeof line);
    const std::uint32_t size = line.magic == k_ledger_magic ? image_bytes(line) : 0;
    if (size != 0 && size <= sizeof memory.words && at % k_sector_bytes + size <= k_sector_bytes) {
      std::uint32_t sum = 0;  // a torn image is told from a whole one by its bytes' number alone
      for (std::uint32_t i = 0; i < size; ++i) sum += memory.flash[at + i] == 0xff ? 1 : 0;
      hash.add(at);
      hash.add(sum > size / 3 ? sum : 0);
      add_image(hash, memory.flash + at, reference);
      std::uint32_t newer = 0;
      for (const std::uint32_t s : sequences) newer += s > line.sequence ? 1 : 0;
      hash.add(newer);
      sequences.push_back(line.sequence);
      at += size;
      continue;
    }
    bool blank = true;
    for (std::uint32_t i = 0; i < k_line_bytes; ++i) blank = blank && memory.flash[at + i] == 0xff;
    hash.add(blank ? 1 : 2);
    at += k_line_bytes;
  }
}

Hash hash_of(const Reference& reference) {
  Hash hash;
  std::uint8_t ledger[sizeof(sotto_ledger)];
  std::memcpy(ledger, &memory.ledger, sizeof ledger);
  std::memset(ledger + offsetof(Occupancy, life), 0, sizeof(std::uint32_t));
  hash.add_bytes(ledger, sizeof ledger);
  const auto* const words = reinterpret_cast<const std::uint8_t*>(memory.words);
  if (reference.open) add_image(hash, words, reference);
  add_flash(hash, reference);
  for (std::uint32_t s = 0; s < k_sessions; ++s) add_session(hash, s);
  hash.add_bytes(memory.work, sizeof memory.work);
  hash.add_bytes(&reference.created, offsetof(Reference, left));
  for (std::uint32_t k = 0; k < k_studies; ++k)
    for (std::uint32_t r = 0; r < k_rounds; ++r) hash.add(reference.left[k][r].bytes);
  hash.add_bytes(&reference.open, sizeof reference - offsetof(Reference, open));
  return hash;
}

struct World {
  Memory device;
  Reference reference;
};
/// How a state was reached: states are not kept, but made again.
struct Origin {
  std::uint32_t before;
  std::uint16_t action;
  Cut cut;
};

const std::vector<Action> k_actions = every_action();

/// Where an exploration begins.
struct Beginning {
  const char* name;
  bool ready;                   ///< consent, both studies, two sessions; else blank flash
  std::uint8_t second_session;  ///< its study; the first session's is 0
  sotto_policy policy;
};

class Explorer {
 public:
  /// False at the first promise that is broken.
  bool explore(const Beginning& beginning, std::uint32_t depth);
  std::uint64_t states = 0, transitions = 0;
  Promise broken = Promise::kept;

 private:
  bool take(const World& from, std::uint32_t before, std::uint16_t action, const Cut& cut, std::uint32_t* operations);
  [[nodiscard]] std::vector<Origin> way_to(std::uint32_t state) const;
  void remake(std::uint32_t state, World& out) const;
  void print_way(std::uint32_t state) const;

  sotto_policy policy_{};
  std::unordered_set<Hash, HashOfHash> seen_;
  std::vector<Origin> origins_;
  std::vector<std::uint32_t> frontier_, next_;
  World root_{};
};

std::vector<Origin> Explorer::way_to(std::uint32_t state) const {
  std::vector<Origin> way;
  for (; state != 0; state = origins_[state].before) way.insert(way.begin(), origins_[state]);
  return way;
}

void Explorer::remake(std::uint32_t state, World& out) const {
  memory = root_.device;
  out.reference = root_.reference;
  for (const Origin& step : way_to(state)) {
    out.device = memory;
    const Outcome outcome = act(k_actions[step.action], policy_, step.cut);
    static_cast<void>(judge(out.reference, k_actions[step.action], outcome, out.device, policy_));
  }
  out.device = memory;
}

void Explorer::print_way(std::uint32_t state) const {
  for (const Origin& step : way_to(state)) {
    const Action& a = k_actions[step.action];
    std::printf("    %s session %u study %u round %u%s", name_of(a.verb), a.session, a.study, a.round,
                a.on ? " on" : "");
    if (step.cut.operation != Cut{}.operation)
      std::printf(", cut at operation %u (%u)", step.cut.operation, static_cast<unsigned>(step.cut.left));
    std::printf("\n");
  }
}

bool Explorer::take(const World& from, std::uint32_t before, std::uint16_t action, const Cut& cut,
                    std::uint32_t* operations) {
  memory = from.device;
  Reference reference = from.reference;
  const Outcome outcome = act(k_actions[action], policy_, cut);
  ++transitions;
  if (operations != nullptr) *operations = outcome.operations;
  broken = judge(reference, k_actions[action], outcome, from.device, policy_);
  const auto number = static_cast<std::uint32_t>(origins_.size());
  if (broken == Promise::kept) {
    if (!seen_.insert(hash_of(reference)).second) return true;
    broken = judge_boot(reference, policy_);
  }
  origins_.push_back({before, action, cut});
  if (broken != Promise::kept) {
    std::printf("  broken promise: %s (status %s)\n", name_of(broken), sotto_status_text(outcome.status));
    print_way(number);
    return false;
  }
  ++states;
  next_.push_back(number);
  return true;
}

bool Explorer::explore(const Beginning& beginning, std::uint32_t depth) {
  policy_ = beginning.policy;
  seen_.clear();
  origins_.assign(1, {0, 0, {}});
  frontier_.assign(1, 0);
  std::memset(memory.flash, 0xff, sizeof memory.flash);
  lose_power();
  root_ = {memory, {}};
  if (beginning.ready) {
    for (const Action& a : {Action{Verb::create}, Action{Verb::consent, 0, 0, 0, true}, Action{Verb::enrol, 0, 0},
                            Action{Verb::enrol, 0, 1}, Action{Verb::open_session, 0, 0},
                            Action{Verb::open_session, 1, beginning.second_session}}) {
      const Memory before = memory;
      const Outcome outcome = act(a, policy_, {});
      broken = judge(root_.reference, a, outcome, before, policy_);
      if (broken != Promise::kept || outcome.status != SOTTO_OK) {
        std::printf("  %s: %s\n", name_of(a.verb), sotto_status_text(outcome.status));
        return false;
      }
    }
    root_.device = memory;
  }
  seen_.insert(hash_of(root_.reference));
  World from;
  for (std::uint32_t level = 1; level <= depth && !frontier_.empty(); ++level) {
    next_.clear();
    for (const std::uint32_t state : frontier_) {
      remake(state, from);
      for (std::uint16_t action = 0; action < k_actions.size(); ++action) {
        std::uint32_t operations = 0;
        if (!take(from, state, action, {}, &operations)) return false;
        for (std::uint32_t at = 0; at < operations; ++at)
          for (const Left left : {Left::nothing, Left::half, Left::everything})
            if (!take(from, state, action, {at, left}, nullptr)) return false;
      }
    }
    frontier_.swap(next_);
    std::printf("  %s, depth %u: %zu new states, %llu in all\n", beginning.name, level, frontier_.size(),
                static_cast<unsigned long long>(states));
    std::fflush(stdout);
  }
  return true;
}

/// Two devices that differ in their entropy alone: what differs in their sessions are coins.
void measure_coins(const sotto_policy& policy) {
  for (const Action& last : {Action{Verb::prepare, 0, 0, 1}, Action{Verb::send, 0}}) {
    static sotto_session first;
    for (std::uint32_t other = 0; other < 8; ++other) {
      seed_entropy(other + 1);
      std::memset(memory.flash, 0xff, sizeof memory.flash);
      lose_power();
      for (const Action& a : {Action{Verb::create}, Action{Verb::consent, 0, 0, 0, true}, Action{Verb::enrol, 0, 0},
                              Action{Verb::open_session, 0, 0}, Action{Verb::prepare, 0, 0, 1}})
        static_cast<void>(act(a, policy, {}));
      if (last.verb == Verb::send) static_cast<void>(act(last, policy, {}));
      if (other == 0) first = memory.session[0];
      for (std::size_t i = 0; i < sizeof is_coin; ++i)
        if (reinterpret_cast<const std::uint8_t*>(&first)[i] !=
            reinterpret_cast<const std::uint8_t*>(&memory.session[0])[i])
          is_coin[i] = 1;
    }
  }
  seed_entropy(1);
}

}  // namespace
}  // namespace sotto::model

int main(int argc, char** argv) {
  using namespace sotto::model;
  if (argc < 2) {
    std::fprintf(stderr, "usage: explore DEPTH [PROMISE [BEGINNING]]\n");
    return 2;
  }
  constexpr std::uint64_t k_wide = 20'000'000'000, k_narrow = 3'000'000'000;  // for one answer
  constexpr Beginning k_beginnings[] = {{"blank flash", false, 0, {{k_wide, 0}, {k_wide, 0}}},
                                        {"ready, the study's cap binds", true, 1, {{k_narrow, 0}, {k_wide, 0}}},
                                        {"ready, the total binds", true, 1, {{k_wide, 0}, {k_narrow, 0}}},
                                        {"ready, the answers bind", true, 1, {{k_wide, 0}, {k_wide, 0}}},
                                        {"two sessions of one study", true, 0, {{k_wide, 0}, {k_wide, 0}}}};
  const auto depth = static_cast<std::uint32_t>(std::strtoul(argv[1], nullptr, 10));
  const std::string expected = argc > 2 ? argv[2] : "kept";
  const int only = argc > 3 ? std::atoi(argv[3]) : -1;
  measure_coins(k_beginnings[0].policy);
  const auto began = std::chrono::steady_clock::now();
  Explorer explorer;
  for (int i = 0; i < 5; ++i) {
    if (only >= 0 && i != only) continue;
    if (!explorer.explore(k_beginnings[i], depth)) break;
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began;
  std::printf("%llu states, %llu transitions, depth %u, %.1f s: %s\n", static_cast<unsigned long long>(explorer.states),
              static_cast<unsigned long long>(explorer.transitions), depth, seconds.count(), name_of(explorer.broken));
  return expected == name_of(explorer.broken) ? 0 : 1;
}
