// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/directory_run.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/collect/master_key.hpp"
#include "sotto/analyzer/files/owner_only.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/store/run_settings.hpp"

namespace sotto::analyzer {
namespace {

namespace fs = std::filesystem;

/// Opens the run in DIR/run.sqlite; the first reports create it.
Result<std::unique_ptr<RunStore>> open_store(const StudyDirectory& directory, bool adds) {
  const OwnerOnly owner_only;  // the store holds reports with their pseudonyms
  const fs::path path = directory.path / k_run_store_name;
  const Error no_run{"estimate.no_run", "no report was collected yet, so there is nothing to estimate", path.string(),
                     "sotto estimate DIR REPORTS..."};
  if (!adds) {
    const Result<bool> there = is_there(path);
    if (!there) return there.error();
    if (!there.value()) return no_run;
    // An interrupted creation stored nothing.
    if (const auto opened = RunStore::open(path); !opened && opened.error().code == "store.unfinished") return no_run;
  }
  Result<std::unique_ptr<RunStore>> store =
      RunStore::open_or_create(path, body_of(directory.manifest),
                               settings_text({fmt::format("sotto estimate {}", directory.path.string()), false}));
  if (!store) return store.error();
  if (!std::ranges::equal(store.value()->manifest(), body_of(directory.manifest))) {
    return Error{"estimate.other_run", "the run was collected for another manifest", path.string(),
                 "put back the manifest.bin that devices loaded"};
  }
  return store;
}

/// Checks the files of all rounds that the run has asked, closed ones included: they may be signed and broadcast again.
Result<Done> check_round_files(const StudyDirectory& directory, const RunStore& store) {
  const Result<std::vector<StoredRound>> rounds = store.rounds();
  if (!rounds) return rounds.error();
  for (const StoredRound& round : rounds.value()) {
    const fs::path path = round_path(directory.path, round.number);
    const Result<bool> exists = is_there(path);
    if (!exists) return exists.error();
    if (!exists.value()) continue;
    const Result<Bytes> there = read_bytes(path.string());
    if (!there) return there.error();
    if (!std::ranges::equal(body_of(there.value()), body_of(round.bytes))) {
      return Error{"estimate.other_round", "this file is not the round that the run asks", path.string(),
                   "move it away; the next call writes the one that is open"};
    }
    if (const auto sum = add_round_sum(directory.path, round.number, round.bytes); !sum) return sum.error();
  }
  return Done{};
}

/// The features of a label study.
Result<std::unique_ptr<DesignFile>> open_design(const StudyDirectory& directory, const Manifest& manifest,
                                                bool closes) {
  if (!directory.study->regression->protocol->asks_labels) return std::unique_ptr<DesignFile>();
  Result<std::unique_ptr<DesignFile>> opened =
      DesignFile::open(directory.path / k_design_name, manifest_digest(manifest));
  // Reports may arrive before the features are known; only closing needs them.
  if (!opened && !closes && opened.error().code == "io.cannot_read") return std::unique_ptr<DesignFile>();
  return opened;
}

}  // namespace

Result<std::unique_ptr<DirectoryRun>> DirectoryRun::open(const StudyDirectory& directory, DirectoryUse use) {
  const Result<Manifest> manifest = read_manifest(directory.manifest, (directory.path / "manifest.bin").string());
  if (!manifest) return manifest.error();
  const Result<std::optional<HeldKey>> held = load_master_key(directory.path);
  if (!held) return held.error();
  if (use.adds && manifest.value().authenticated && !held.value()) return no_master_key(directory);
  // The sums are read and then stored: no report may be added in between.
  Result<DirectoryLock> lock = DirectoryLock::take(directory.path);
  if (!lock) return lock.error();
  std::unique_ptr<DirectoryRun> out(new DirectoryRun(directory, std::move(lock).value()));
  Result<std::unique_ptr<RunStore>> store = open_store(directory, use.adds);
  if (!store) return store.error();
  out->store_ = std::move(store).value();
  Result<std::unique_ptr<DesignFile>> design = open_design(directory, manifest.value(), use.closes);
  if (!design) return design.error();
  out->design_ = std::move(design).value();
  std::optional<MasterKey> master;
  if (held.value()) master = held.value()->get();
  Result<std::unique_ptr<CollectedRun>> run =
      CollectedRun::open(*directory.study, *out->store_, master, out->design_.get());
  if (master) wipe_secret(*master);
  if (!run) return run.error();
  out->run_ = std::move(run).value();
  if (const auto kept = out->keep_round_file(); !kept) return kept.error();
  return out;
}

Result<Done> DirectoryRun::keep_round_file() {
  if (const auto same = check_round_files(directory_, *store_); !same) return same;
  if (!run_->round()) return Done{};
  const fs::path path = round_path(directory_.path, run_->number());
  const Result<bool> exists = is_there(path);
  if (!exists) return exists.error();
  if (const auto sum = add_round_sum(directory_.path, run_->number(), *run_->round()); !sum) return sum.error();
  return exists.value() ? Result<Done>(Done{}) : write_bytes(path, *run_->round());
}

Error no_master_key(const StudyDirectory& directory) {
  return {"estimate.no_key", "reports of this study are sealed, and the master key is missing",
          (directory.path / "master.key").string(), "restore the key that the credentials were issued with"};
}

}  // namespace sotto::analyzer
