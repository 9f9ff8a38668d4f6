// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/cluster/partition_replay.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "sotto/analyzer/cluster/partition_sums.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/log/layout.hpp"
#include "sotto/analyzer/store/run_settings.hpp"

namespace sotto::analyzer {
namespace {

// Written after the store at each marker; between two of them the store itself knows how far it is, because its batches
// have the sequences of the log as their numbers.
constexpr const char* k_mark_name = "mark.json";
constexpr const char* k_run_name = "run";  // the id of the run that the directory belongs to

std::string partition_command(std::uint32_t partition) { return fmt::format("sotto work, partition {}", partition); }

/// Leaves nothing in the directory that is of another run: its sums and its place in the log say nothing of this one.
Result<Done> belong_to(const std::string& run, const std::filesystem::path& directory) {
  const std::filesystem::path path = directory / k_run_name;
  const Result<bool> there = is_there(path);
  if (!there) return there.error();
  if (there.value()) {
    const Result<std::string> text = read_whole(path);
    if (!text) return text.error();
    if (text.value() == run + "\n") return Done{};
  }
  std::error_code failed;
  std::filesystem::remove_all(directory, failed);
  std::filesystem::create_directories(directory, failed);
  if (failed) {
    return Error{"io.cannot_write", "cannot make the directory: " + failed.message(), directory.string(),
                 "check the directory and its rights"};
  }
  return replace_file(path, run + "\n");
}

Error foreign_entry(std::uint32_t partition, std::uint64_t sequence) {
  return {"cluster.foreign_entry", "the log holds an entry that no gateway and no coordinator of this release writes",
          fmt::format("partition {}, entry {}", partition, sequence),
          "give the right to publish to gateways and coordinators alone; begin another run with --run"};
}

}  // namespace

Result<std::unique_ptr<PartitionReplay>> PartitionReplay::open(const ReplayedStudy& study, Log& log,
                                                               std::uint32_t partition,
                                                               const std::filesystem::path& directory) {
  const Result<std::string> run = run_id(log);
  if (!run) return run.error();
  if (const auto own = belong_to(run.value(), directory); !own) return own.error();
  Error last;
  // The log is the truth: what a disk lost is replayed.
  for (int attempt = 0; attempt < 2; ++attempt) {
    std::unique_ptr<PartitionReplay> replay(new PartitionReplay(log, partition, directory));
    const Result<Done> begun = replay->begin(study);
    if (begun) return replay;
    last = begun.error();
    if (!last.code.starts_with("store.") && !last.code.starts_with("cluster.bad_mark")) return last;
    if (last.code == "store.busy") return last;
    replay.reset();
    std::error_code ignored;
    std::filesystem::remove_all(directory, ignored);
  }
  return last;
}

Result<Done> PartitionReplay::begin(const ReplayedStudy& study) {
  std::error_code failed;
  std::filesystem::create_directories(directory_, failed);
  if (failed) {
    return Error{"io.cannot_write", "cannot make the directory: " + failed.message(), directory_.string(),
                 "check the directory and its rights"};
  }
  Result<std::unique_ptr<RunStore>> store = RunStore::open_or_create(
      directory_ / k_run_store_name, study.manifest, settings_text({partition_command(partition_), false}));
  if (!store) return store.error();
  store_ = std::move(store).value();
  if (store_->manifest() != study.manifest)
    return Error{"store.other_study", "the directory holds the partition of another study", directory_.string(), ""};
  Result<std::unique_ptr<StoreSink>> sink = StoreSink::open(*store_, study.master);
  if (!sink) return sink.error();
  sink_ = std::move(sink).value();
  if (const auto loaded = load_mark(); !loaded) return loaded;
  const Result<std::vector<StoredRound>> rounds = store_->rounds();
  if (!rounds) return rounds.error();
  for (const StoredRound& round : rounds.value()) {
    // A round that was stored before its mark was saved is opened again by its marker.
    if (round.number > round_) break;
    if (const auto opened = sink_->open_round(round.bytes); !opened) return opened;
    if (round.is_closed) {
      if (const auto closed = sink_->close_round(); !closed) return closed.error();
    }
  }
  if (round_ > 0) {
    const Result<ReasonCounts> counts = store_->counts(round_);
    const Result<std::uint64_t> next = store_->next_batch(round_);
    if (!counts) return counts.error();
    if (!next) return next.error();
    accepted_before_ = sink_->counts()[Reason::accepted] - counts.value()[Reason::accepted];
    applied_ = std::max(cut_, next.value() == 0 ? 0 : next.value() - 1);
  }
  if (phase_ == Phase::cut && round_ > 0) {
    applied_ = cut_;
    if (const auto published = publish(); !published) return published;
  }
  next_ = applied_ + 1;
  tell();
  return Done{};
}

Result<Done> PartitionReplay::load_mark() {
  const std::filesystem::path path = directory_ / k_mark_name;
  const Result<bool> there = is_there(path);
  if (!there) return there.error();
  if (!there.value()) return Done{};
  const Result<std::string> text = read_whole(path);
  if (!text) return text.error();
  const nlohmann::json mark = nlohmann::json::parse(text.value(), nullptr, false);
  try {
    phase_ = static_cast<Phase>(mark.at("phase").get<std::uint8_t>());
    round_ = mark.at("round").get<std::uint16_t>();
    attempt_ = mark.at("attempt").get<std::uint32_t>();
    cut_ = mark.at("cut").get<std::uint64_t>();
    opened_ = mark.at("opened").get<std::uint64_t>();
  } catch (const nlohmann::json::exception&) {
    return Error{"cluster.bad_mark", "the mark of a partition cannot be read", path.string(), ""};
  }
  return Done{};
}

Result<Done> PartitionReplay::save_mark() const {
  const nlohmann::json mark = {{"phase", static_cast<int>(phase_)},
                               {"round", round_},
                               {"attempt", attempt_},
                               {"cut", cut_},
                               {"opened", opened_}};
  return replace_file(directory_ / k_mark_name, mark.dump() + "\n");
}

void PartitionReplay::tell() {
  progress_.applied = applied_;
  progress_.round = round_;
  progress_.counts = sink_->counts();
  progress_.accepted = progress_.counts[Reason::accepted] - accepted_before_;
}

Result<bool> PartitionReplay::step(std::chrono::milliseconds wait) {
  const Result<std::vector<LogEntry>> entries = log_.read(partition_, next_, wait);
  if (!entries) return entries.error();
  for (const LogEntry& entry : entries.value()) {
    // A marker may send the reader back to what waited for it.
    if (entry.sequence != next_) break;
    ++next_;
    if (const auto applied = apply(entry); !applied) return applied.error();
  }
  if (const auto stored = store_collected(); !stored) return stored.error();
  // Behind CLOSE entries are read and wait; else all that was read is applied, or was a marker without effect.
  if (phase_ != Phase::cut) applied_ = next_ - 1;
  tell();
  return !entries.value().empty();
}

Result<Done> PartitionReplay::apply(const LogEntry& entry) {
  const std::optional<PartitionEntry> read = decode_entry(entry.bytes);
  if (!read) return foreign_entry(partition_, entry.sequence);
  if (read->kind == EntryKind::reports) return collect(entry, *read);
  if (entry.sequence <= opened_) return Done{};
  const bool is_own = read->round == round_ && read->attempt == attempt_;
  switch (read->kind) {
    case EntryKind::close: return phase_ == Phase::open && is_own ? cut_at(entry.sequence) : Done{};
    case EntryKind::end: return end_at(entry.sequence);
    case EntryKind::open: {
      // Two coordinators may write the same marker: the first one counts.
      const bool is_next = read->round == round_ + 1 && read->attempt == 1;
      const bool is_again = read->round == round_ && read->attempt == attempt_ + 1;
      if (phase_ == Phase::cut && (is_next || (is_again && round_ > 0))) return open_at(entry.sequence, *read);
      return Done{};
    }
    case EntryKind::reports: break;
  }
  return Done{};
}

Result<Done> PartitionReplay::collect(const LogEntry& entry, const PartitionEntry& read) {
  if (phase_ != Phase::open) return Done{};  // it is read again behind the next OPEN, if there is one
  if (read.bytes.empty() || read.bytes.size() > k_batch_max_bytes) return foreign_entry(partition_, entry.sequence);
  if (collected_.size() + read.bytes.size() > k_batch_max_bytes) {
    if (const auto stored = store_collected(); !stored) return stored;
  }
  collected_.insert(collected_.end(), read.bytes.begin(), read.bytes.end());
  collected_to_ = entry.sequence;
  return Done{};
}

Result<Done> PartitionReplay::store_collected() {
  if (collected_to_ == 0) return Done{};
  if (const auto put = sink_->put_batch(collected_to_, collected_); !put) return put;
  applied_ = collected_to_;
  collected_.clear();
  collected_to_ = 0;
  return Done{};
}

Result<Done> PartitionReplay::cut_at(std::uint64_t sequence) {
  if (const auto stored = store_collected(); !stored) return stored;
  phase_ = Phase::cut;
  cut_ = applied_ = sequence;
  if (const auto saved = save_mark(); !saved) return saved;
  return publish();
}

Result<Done> PartitionReplay::publish() {
  // What the store has only in its log could vanish unnoticed: not before others are told.
  if (const auto settled = store_->settle(); !settled) return settled;
  const Result<RoundAggregate> sums = sink_->sums();
  if (!sums) return sums.error();
  return publish_sums(log_, {round_, attempt_, partition_}, {sink_->counts(), sums.value().save()});
}

/// The reports between CLOSE and OPEN are read again: they belong to what is open now.
Result<Done> PartitionReplay::open_at(std::uint64_t sequence, const PartitionEntry& read) {
  if (read.round != round_) {
    if (round_ > 0 && !sink_->is_closed()) {
      const Result<RoundAggregate> sums = sink_->sums();
      if (!sums) return sums.error();
      if (const auto closed = sink_->close_round(sums.value()); !closed) return closed;
    }
    accepted_before_ = sink_->counts()[Reason::accepted];
    if (const auto opened = sink_->open_round(read.bytes); !opened) return opened;
  }
  phase_ = Phase::open;
  round_ = read.round;
  attempt_ = read.attempt;
  opened_ = sequence;
  if (const auto saved = save_mark(); !saved) return saved;
  applied_ = cut_;
  next_ = cut_ + 1;
  return Done{};
}

Result<Done> PartitionReplay::end_at(std::uint64_t sequence) {
  if (const auto stored = store_collected(); !stored) return stored;
  phase_ = Phase::ended;
  opened_ = applied_ = sequence;
  if (const auto saved = save_mark(); !saved) return saved;
  return store_->settle();
}

}  // namespace sotto::analyzer
