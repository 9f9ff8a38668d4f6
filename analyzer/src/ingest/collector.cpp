// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/ingest/collector.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <mutex>

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/crypto/random.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint32_t k_number_bits_max = 24;  // payload of the largest channel

/// A number that distinguishes vector payloads where only one number is kept.
std::uint32_t digest_number(std::span<const std::uint8_t> payload) {
  Digest digest;
  Sha256 hash;
  hash.add(payload);
  hash.finish(digest);
  return load_u32(digest.data());
}

constexpr Absorbed refused(Reason reason, Status status = Status::ok) noexcept { return {reason, status, {}, {}}; }

/// The number of outcomes; 0 for a payload that is not one number.
std::uint32_t outcomes_of(const ChannelFacts& facts) {
  if (facts.payload_bits > k_number_bits_max) return 0;
  return facts.channel ? facts.channel->outcomes : std::uint32_t{1} << facts.payload_bits;
}

}  // namespace

Result<std::unique_ptr<Collector>> Collector::open(std::vector<std::uint8_t> manifest,
                                                   const std::optional<MasterKey>& master,
                                                   std::unique_ptr<DuplicateIndex> index) {
  std::unique_ptr<Collector> collector(new Collector(std::move(manifest), std::move(index)));
  const Result<Manifest> decoded = read_manifest(collector->bytes_, "the manifest");
  if (!decoded) return decoded.error();
  collector->manifest_ = decoded.value();
  collector->digest_ = manifest_digest(decoded.value());
  if (master) collector->keys_ = std::make_unique<StudyKeys>(*master, collector->digest_);
  return collector;
}

Result<Done> Collector::open_round(std::vector<std::uint8_t> bytes) {
  CollectedRound made;
  made.bytes = std::move(bytes);
  const Result<Round> decoded = read_round(made.bytes, "the round");
  if (!decoded) return decoded.error();
  made.round = decoded.value();
  made.digest = round_digest(made.round);
  if (!std::ranges::equal(made.round.study, digest_)) {
    return Error{"ingest.foreign_round", "the round belongs to another study",
                 fmt::format("round {}", made.round.number), "use the round that was compiled with this manifest"};
  }
  const Result<AnySpec> spec = round_spec(manifest_, made.round);
  if (!spec) return spec.error();
  const auto* vote = std::get_if<VoteSpec>(&spec.value());
  if (vote != nullptr && made.round.question == QuestionKind::vote && vote->features != manifest_.features) {
    return Error{"ingest.foreign_round", "the round votes on a different number of features than the manifest has",
                 fmt::format("{}", vote->features), "compile the study again"};
  }
  made.spec = spec.value();
  const ChannelFacts facts = facts_of(made.spec);
  made.outcomes = outcomes_of(facts);
  made.payload_bytes = payload_bytes_of(facts.payload_bits);
  const std::unique_lock hold(lock_);
  const std::uint16_t number = made.round.number;
  if (!rounds_.empty() && rounds_.rbegin()->first >= number) {
    return Error{"ingest.round_order", "rounds open in rising order", fmt::format("round {}", number),
                 fmt::format("open it before round {}", rounds_.rbegin()->first)};
  }
  rounds_.emplace(number, std::move(made));
  return Done{};
}

bool Collector::close_round(std::uint16_t number) {
  const std::unique_lock hold(lock_);
  const auto at = rounds_.find(number);
  if (at == rounds_.end()) return false;
  index_->freeze(number);
  return std::exchange(at->second.is_open, false);
}

std::optional<AnySpec> Collector::spec(std::uint16_t round) const {
  const std::shared_lock hold(lock_);
  const auto at = rounds_.find(round);
  return at == rounds_.end() ? std::nullopt : std::optional(at->second.spec);
}

void Collector::count(Reason reason, std::int64_t by) noexcept {
  counts_[static_cast<std::size_t>(reason)].fetch_add(static_cast<std::uint64_t>(by), std::memory_order_relaxed);
}

ReasonCounts Collector::counts() const noexcept {
  ReasonCounts counts;
  for (std::size_t i = 0; i < k_reasons; ++i) {
    // While other threads absorb, a report may be withdrawn a moment before it is counted; a reader never sees a count
    // below zero.
    const auto n = static_cast<std::int64_t>(counts_[i].load(std::memory_order_relaxed));
    counts.of[i] = static_cast<std::uint64_t>(std::max<std::int64_t>(n, 0));
  }
  return counts;
}

void Collector::set_counts(const ReasonCounts& counts) noexcept {
  for (std::size_t i = 0; i < k_reasons; ++i) counts_[i].store(counts.of[i], std::memory_order_relaxed);
}

/// A report on its way: its header is known to belong to an open round, or it is refused already.
struct Collector::Candidate {
  std::span<const std::uint8_t> report;
  ReportHeader header;
  const CollectedRound* round = nullptr;  ///< nullptr: refused
  Absorbed refusal;
  ReportContext context;
  std::size_t payload_bytes = 0;
  std::span<std::uint8_t> payload;  ///< where it is opened into
  void refuse(Reason reason, Status status = Status::ok) {
    round = nullptr;
    refusal = refused(reason, status);
  }
};

Absorbed Collector::absorb(std::span<const std::uint8_t> report) {
  const std::shared_lock hold(lock_);
  Candidate candidate = looked_at(report);
  std::array<std::uint8_t, k_report_bytes_max> room;
  candidate.payload = std::span(room).first(candidate.payload_bytes);
  open({&candidate, 1});
  return counted(judge(candidate));
}

void Collector::absorb_all(std::span<const std::span<const std::uint8_t>> reports,
                           const std::function<void(std::size_t at, Reason reason)>& visit) {
  constexpr std::size_t k_together = 8;
  const std::shared_lock hold(lock_);
  std::vector<Candidate> candidates;
  candidates.reserve(k_together);
  std::array<std::array<std::uint8_t, k_report_bytes_max>, k_together> rooms;
  for (std::size_t first = 0; first < reports.size(); first += k_together) {
    candidates.clear();
    for (const auto report : reports.subspan(first, std::min(k_together, reports.size() - first)))
      candidates.push_back(looked_at(report));
    for (std::size_t i = 0; i < candidates.size(); ++i)
      candidates[i].payload = std::span(rooms[i]).first(candidates[i].payload_bytes);
    open(candidates);
    for (std::size_t i = 0; i < candidates.size(); ++i) visit(first + i, counted(judge(candidates[i])).reason);
  }
}

Absorbed Collector::counted(const Absorbed& absorbed) noexcept {
  count(absorbed.reason);
  if (absorbed.taken_back) {
    count(Reason::accepted, -1);
    count(Reason::conflict);
  }
  return absorbed;
}

Collector::Candidate Collector::looked_at(std::span<const std::uint8_t> report) const {
  Candidate out;
  out.report = report;
  if (const Status s = decode_header(report, out.header); s != Status::ok) {
    if (s == Status::unsupported_version)
      out.refuse(Reason::unsupported_version);
    else
      out.refuse(Reason::malformed, s);
    return out;
  }
  if (out.header.study_prefix != load_u32(digest_.data())) {
    out.refuse(Reason::foreign_study);
    return out;
  }
  const auto at = rounds_.find(out.header.round);
  if (at == rounds_.end()) {
    const bool newer = rounds_.empty() || out.header.round > rounds_.rbegin()->first;
    out.refuse(newer ? Reason::early : Reason::late);
  } else if (!at->second.is_open) {
    out.refuse(Reason::late);
  } else if (out.header.authenticated != manifest_.authenticated || (out.header.authenticated && keys_ == nullptr)) {
    out.refuse(Reason::forged);
  } else {
    out.round = &at->second;
    out.context = {digest_, at->second.digest};
    out.payload_bytes = report.size() - report_bytes_of(0, out.header.authenticated);
  }
  return out;
}

// The tag is checked first: nothing else in the header is trusted before.
void Collector::open(std::span<Candidate> candidates) const {
  std::array<SealedReport, 8> sealed;
  std::array<Candidate*, 8> whose;
  std::size_t number = 0;
  const auto open_those = [&] {
    if (number > 0) keys_->open(std::span(sealed).first(number));
    for (std::size_t i = 0; i < number; ++i) {
      if (!sealed[i].is_right) whose[i]->refuse(Reason::forged);
    }
    number = 0;
  };
  for (Candidate& one : candidates) {
    if (one.round == nullptr) continue;
    if (!one.header.authenticated) {
      std::ranges::copy(one.report.subspan(k_header_bytes), one.payload.begin());
      continue;
    }
    whose[number] = &one;
    sealed[number++] = {one.header.pseudonym, &one.context, one.report, one.payload, false};
    if (number == sealed.size()) open_those();
  }
  open_those();
}

Absorbed Collector::judge(const Candidate& candidate) {
  if (candidate.round == nullptr) return candidate.refusal;
  const ReportHeader& header = candidate.header;
  const CollectedRound& round = *candidate.round;
  const std::span<const std::uint8_t> payload = candidate.payload;
  const std::size_t size = payload.size();
  if (header.question != round.round.question) return refused(Reason::wrong_question);
  if (round.round.cohort != k_every_cohort && round.round.cohort != cohort_of(manifest_, header.pseudonym))
    return refused(Reason::wrong_cohort);
  if (size != round.payload_bytes)
    return refused(Reason::malformed, size < round.payload_bytes ? Status::truncated : Status::trailing_bytes);
  Reading reading{header.round, header.pseudonym, 0, {}};
  if (round.outcomes == 0) {
    reading.number = digest_number(payload);
    reading.payload.assign(payload.begin(), payload.end());
  } else {
    for (std::size_t i = size; i-- > 0;) reading.number = reading.number << 8 | payload[i];  // at most 24 bits
    if (reading.number >= round.outcomes) return refused(Reason::bad_payload);
  }

  // A study that asks each device once has one slot for it, whichever round it answers.
  const DuplicateIndex::Finding found = index_->put(manifest_.answers == 1 ? 0 : header.round, reading);
  switch (found.seen) {
    case Seen::again: return refused(Reason::duplicate);
    case Seen::contradicted: return {Reason::conflict, Status::ok, {}, found.taken_back};
    case Seen::first: break;
  }
  return {Reason::accepted, Status::ok, reading, {}};
}

ReasonCounts Collector::absorb_batch(std::span<const std::uint8_t> batch) {
  ReasonCounts made;
  const auto note = [&made](Reason reason) { ++made.of[static_cast<std::size_t>(reason)]; };
  BatchReader reader(batch);
  if (batch.size() <= k_batch_max_bytes) {
    std::vector<std::span<const std::uint8_t>> reports;
    while (const auto report = reader.next()) reports.push_back(*report);
    absorb_all(reports, [&note](std::size_t, Reason reason) { note(reason); });
  }
  if (reader.torn() || batch.size() > k_batch_max_bytes) {
    note(Reason::malformed);
    count(Reason::malformed);
  }
  return made;
}

}  // namespace sotto::analyzer
