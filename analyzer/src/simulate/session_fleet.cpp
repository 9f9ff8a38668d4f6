// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/session_fleet.hpp"

#include <array>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include "sotto/analyzer/channel/status_text.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/math/xoshiro.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/number.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/question/top.hpp"
#include "sotto/question/update.hpp"
#include "sotto/question/value.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/session/session.hpp"

namespace sotto::analyzer {
namespace {

constexpr const Question* k_questions[] = {&k_vote,   &k_bin_cells, &k_block,       &k_moments_fourier,
                                           &k_value,  &k_direction, &k_label_noisy, &k_update_noisy,
                                           &k_sketch, &k_synopsis,  &k_number,      &k_top};
constexpr std::uint32_t k_sector_bytes = 3072, k_small_sector_bytes = 768;
constexpr std::uint32_t k_small_report_bytes = 64;
constexpr std::size_t k_work_min = 1024, k_work_max = std::size_t{1} << 20;

/// A flash in memory: two sectors, each with room for two images that hold the longest report, or a small one. A ledger
/// reads all of its flash when it is created, so that a large flash takes most of a simulation's time.
class MemoryFlash {
 public:
  /// Blank, for reports of so many bytes.
  [[nodiscard]] Flash blank(std::uint32_t report_bytes) noexcept {
    sector_bytes_ = report_bytes <= k_small_report_bytes ? k_small_sector_bytes : k_sector_bytes;
    std::ranges::fill(std::span(memory_).first(2 * sector_bytes_), std::uint8_t{0xff});
    return {this, read, program, erase, sync, {sector_bytes_, 2, 4, 0xff}};
  }

 private:
  static std::uint8_t* at(void* self, std::uint32_t address) noexcept {
    return static_cast<MemoryFlash*>(self)->memory_.data() + address;
  }
  static bool read(void* self, std::uint32_t address, std::uint8_t* out, std::uint32_t bytes) {
    std::memcpy(out, at(self, address), bytes);
    return true;
  }
  static bool program(void* self, std::uint32_t address, const std::uint8_t* data, std::uint32_t bytes) {
    std::memcpy(at(self, address), data, bytes);
    return true;
  }
  static bool erase(void* self, std::uint32_t sector) {
    const std::uint32_t bytes = static_cast<MemoryFlash*>(self)->sector_bytes_;
    std::memset(at(self, sector * bytes), 0xff, bytes);
    return true;
  }
  static bool sync(void*) { return true; }

  std::array<std::uint8_t, 2 * k_sector_bytes> memory_{};
  std::uint32_t sector_bytes_ = k_sector_bytes;
};

std::int32_t read_reading(void* context, std::uint32_t i) {
  return (*static_cast<const std::vector<std::int32_t>*>(context))[i];
}

/// A pseudorandom number, the same for the same two inputs.
std::uint64_t mix(std::uint64_t a, std::uint64_t b) noexcept {
  std::uint64_t z = a * 0x9e3779b97f4a7c15u + b + 0x2545f4914f6cdd1du;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

constexpr std::uint64_t k_pseudonyms = 0x7073656f, k_dropouts = 0x64726f70;

/// Seeds that are quick to make, for coins that protect nobody.
EntropySource quick_entropy(Xoshiro& random) {
  constexpr auto read = [](void* context, std::uint8_t* out, std::size_t n) {
    auto& words = *static_cast<Xoshiro*>(context);
    for (std::size_t at = 0; at < n; at += sizeof(std::uint64_t)) {
      const std::uint64_t word = words.word();
      std::memcpy(out + at, &word, std::min(n - at, sizeof word));
    }
    return true;
  };
  return {&random, [](void*) { return true; }, read};
}

const Question* question_of(QuestionKind kind) {
  for (const Question* question : k_questions) {
    if (question->kind == kind) return question;
  }
  return nullptr;
}

}  // namespace

struct SessionFleet::Player::Parts {
  const SessionFleet& fleet;
  MemoryFlash memory{};
  DeviceRows rows{};
  std::vector<std::byte> work = std::vector<std::byte>(k_work_min);
  std::array<std::uint8_t, k_report_max_bytes> report{};
  LedgerSpace<1, k_report_max_bytes> space{};
  std::uint32_t report_room = k_small_report_bytes;  // of the ledger; more room means that more is written each time

  Status answer_one(std::span<const std::uint8_t> round, std::uint64_t device, std::uint64_t pseudonym,
                    std::size_t& bytes) {
    const Manifest& manifest = fleet.manifest_;
    const Flash flash = memory.blank(report_room);
    const LedgerHooks no_hooks;
    Ledger ledger(LedgerMemory{space.words, sizeof space.words, report_room});
    const Charge cap{manifest.epsilon, manifest.delta};
    FleetEntropy entropy(fleet.options_.seed, device);
    if (const Status s = ledger.create(flash, no_hooks, {cap, cap}, entropy.source()); s != Status::ok) return s;
    if (const Status s = ledger.set_consent(true); s != Status::ok) return s;
    Credential credential{pseudonym, {}, manifest.authenticated};
    if (!fleet.options_.issued.empty()) {
      credential = fleet.options_.issued[device];
    } else if (manifest.authenticated) {
      credential.key = fleet.keys_.key(pseudonym);
    }
    if (const Status s = ledger.enrol(fleet.digest_, credential); s != Status::ok) return s;

    SessionHooks hooks;
    hooks.entropy = entropy.source();
    hooks.questions = k_questions;
    Session session;
    if (const Status s = session.open(fleet.manifest_bytes_, ledger, hooks); s != Status::ok) return s;
    fleet.data_.read(device, rows);
    const LocalData local{{rows.rows, manifest.features, rows.numbers.data(), manifest.features + 1, nullptr, nullptr},
                          rows.given,
                          {static_cast<std::uint32_t>(rows.readings.size()), &rows.readings, read_reading, 0},
                          static_cast<std::uint32_t>(rows.item.size()),
                          rows.item.data()};
    return session.answer(round, local, work, report, bytes);
  }
};

SessionFleet::SessionFleet(const FleetData& data, std::span<const std::uint8_t> manifest_bytes,
                           const Manifest& manifest, const SessionFleetOptions& options)
    : data_(data),
      manifest_bytes_(manifest_bytes),
      manifest_(manifest),
      options_(options),
      keys_(options.master, manifest_digest(manifest)),
      digest_(manifest_digest(manifest)) {}

std::uint64_t SessionFleet::pseudonym(std::uint64_t device) const noexcept {
  if (!options_.issued.empty()) return options_.issued[device].pseudonym;
  // A bijection, except for the device whose number would be 0.
  const std::uint64_t name = mix(mix(options_.seed, k_pseudonyms), device);
  return name == 0 ? ~std::uint64_t{0} : name;
}

namespace {

/// The report of a payload, as a collector reads it.
Reading reading_of(std::uint16_t round, std::uint64_t pseudonym, std::span<const std::uint8_t> payload,
                   bool is_one_number) {
  Reading out{round, pseudonym, 0, {}};
  if (!is_one_number) {
    out.payload.assign(payload.begin(), payload.end());
    return out;
  }
  for (std::size_t i = payload.size(); i-- > 0;) out.number = out.number << 8 | payload[i];
  return out;
}

}  // namespace

Result<Done> SessionFleet::Player::tell(const Round& round, std::uint64_t first, std::uint64_t last,
                                        RoundAggregate& sums) {
  constexpr std::uint32_t k_number_bits_max = 24;
  const SessionFleet& fleet = parts_->fleet;
  const Result<AnySpec> spec = round_spec(fleet.manifest_, round);
  if (!spec) return spec.error();
  const bool is_one_number = facts_of(spec.value()).payload_bits <= k_number_bits_max;
  Asked asked{{}, {}, round, {}, true, fleet.manifest_};
  const Question* const question = question_of(round.question);
  const Status status = question == nullptr ? Status::unsupported_question : question->check(asked);
  if (status != Status::ok)
    return Error{"simulate.device", "the device library refused", std::string(status_name(status)),
                 std::string(status_fix(status))};
  std::vector<std::uint64_t> work(asked.plan.work_bytes / sizeof(std::uint64_t) + 1);
  asked.work = std::as_writable_bytes(std::span(work)).first(asked.plan.work_bytes);
  std::vector<std::uint8_t> payload(asked.plan.payload_bytes);
  const double dropped = std::ldexp(fleet.options_.dropout, 64);
  PrivateCoins coins;
  DeviceRows& rows = parts_->rows;
  for (std::uint64_t device = first; device < last; ++device) {
    const std::uint64_t pseudonym = fleet.pseudonym(device);
    if (round.cohort != k_every_cohort && cohort_of(fleet.manifest_, pseudonym) != round.cohort) continue;
    if (static_cast<double>(mix(mix(fleet.options_.seed, k_dropouts), device)) < dropped) continue;
    Xoshiro random(fleet.options_.seed, mix(device, round.number));
    const EntropySource entropy = quick_entropy(random);
    // A seed that happens to look broken is refused; the next one is not.
    if (coins.begin_report(entropy) != Status::ok && coins.begin_report(entropy) != Status::ok)
      return Error{"simulate.device", "the coins refused their seed", "", "choose another seed"};
    fleet.data_.read(device, rows);
    const LocalData local{
        {rows.rows, fleet.manifest_.features, rows.numbers.data(), fleet.manifest_.features + 1, nullptr, nullptr},
        rows.given,
        {static_cast<std::uint32_t>(rows.readings.size()), &rows.readings, read_reading, 0},
        static_cast<std::uint32_t>(rows.item.size()),
        rows.item.data()};
    asked.label = {fleet.manifest_.seed, pseudonym, round.number};
    question->prepare(asked, local, coins);
    question->report(asked, coins, payload);
    sums.absorb(reading_of(round.number, pseudonym, payload, is_one_number));
  }
  return Done{};
}

SessionFleet::Player::Player(const SessionFleet& fleet) : parts_(new Parts{fleet}) {}
SessionFleet::Player::~Player() = default;
SessionFleet::Player::Player(Player&&) noexcept = default;

Result<Done> SessionFleet::Player::answer(std::span<const std::uint8_t> round_bytes, std::uint64_t first,
                                          std::uint64_t last, std::vector<std::uint8_t>& batch) {
  const SessionFleet& fleet = parts_->fleet;
  const Result<Round> round = read_round(round_bytes, "the round");
  if (!round) return round.error();
  parts_->work.resize(k_work_min);
  const double dropped = std::ldexp(fleet.options_.dropout, 64);
  for (std::uint64_t device = first; device < last; ++device) {
    const std::uint64_t pseudonym = fleet.pseudonym(device);
    if (round.value().cohort != k_every_cohort && cohort_of(fleet.manifest_, pseudonym) != round.value().cohort)
      continue;
    if (static_cast<double>(mix(mix(fleet.options_.seed, k_dropouts), device)) < dropped) continue;
    std::size_t bytes = 0;
    Status s = parts_->answer_one(round_bytes, device, pseudonym, bytes);
    // A work space that is too small is refused before a row is read. It is no larger than needed, because the session
    // wipes all of it.
    while ((s == Status::short_buffer && parts_->work.size() < k_work_max) ||
           (s == Status::bad_report_size && parts_->report_room < k_report_max_bytes)) {
      if (s == Status::short_buffer)
        parts_->work.resize(2 * parts_->work.size());
      else
        parts_->report_room = k_report_max_bytes;
      s = parts_->answer_one(round_bytes, device, pseudonym, bytes);
    }
    if (s != Status::ok) {
      return Error{"simulate.device", "the device library refused", std::string(status_name(s)),
                   std::string(status_fix(s))};
    }
    append_report(batch, std::span(parts_->report).first(bytes));
  }
  return Done{};
}

}  // namespace sotto::analyzer
