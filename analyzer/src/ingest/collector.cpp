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

Absorbed Collector::absorb(std::span<const std::uint8_t> report) {
  const Absorbed absorbed = judge(report);
  count(absorbed.reason);
  if (absorbed.taken_back) {
    count(Reason::accepted, -1);
    count(Reason::conflict);
  }
  return absorbed;
}

Absorbed Collector::judge(std::span<const std::uint8_t> report) {
  ReportHeader header;
  if (const Status s = decode_header(report, header); s != Status::ok) {
    return s == Status::unsupported_version ? refused(Reason::unsupported_version) : refused(Reason::malformed, s);
  }
  if (header.study_prefix != load_u32(digest_.data())) return refused(Reason::foreign_study);
  const std::shared_lock hold(lock_);
  const auto at = rounds_.find(header.round);
  if (at == rounds_.end()) {
    const bool newer = rounds_.empty() || header.round > rounds_.rbegin()->first;
    return refused(newer ? Reason::early : Reason::late);
  }
  if (!at->second.is_open) return refused(Reason::late);
  return judge_answer(header, at->second, report);
}

// The tag is checked first: nothing in the header is trusted before.
Absorbed Collector::judge_answer(const ReportHeader& header, const CollectedRound& round,
                                 std::span<const std::uint8_t> report) {
  if (header.authenticated != manifest_.authenticated) return refused(Reason::forged);
  std::array<std::uint8_t, k_report_bytes_max> room;
  const std::size_t size = report.size() - report_bytes_of(0, header.authenticated);
  const std::span<std::uint8_t> payload = std::span(room).first(size);
  if (header.authenticated) {
    if (!opened(header, round, report, payload)) return refused(Reason::forged);
  } else {
    std::ranges::copy(report.subspan(k_header_bytes), payload.begin());
  }
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

bool Collector::opened(const ReportHeader& header, const CollectedRound& round, std::span<const std::uint8_t> report,
                       std::span<std::uint8_t> payload) const {
  if (keys_ == nullptr) return false;
  ReportKey key = keys_->key(header.pseudonym);
  const bool is_right = open_sealed(key, {digest_, round.digest}, report, payload);
  wipe_secret(key);
  return is_right;
}

ReasonCounts Collector::absorb_batch(std::span<const std::uint8_t> batch) {
  ReasonCounts made;
  const auto note = [&made](Reason reason) { ++made.of[static_cast<std::size_t>(reason)]; };
  BatchReader reader(batch);
  if (batch.size() <= k_batch_max_bytes) {
    while (const auto report = reader.next()) note(absorb(*report).reason);
  }
  if (reader.torn() || batch.size() > k_batch_max_bytes) {
    note(Reason::malformed);
    count(Reason::malformed);
  }
  return made;
}

}  // namespace sotto::analyzer
