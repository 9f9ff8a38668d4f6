// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A run's SQLite file in which the fuzzer changes bytes, or any bytes in its place: opening refuses it, or everything in it can be
// asked for, and each answer is one or a refusal.
#include <fstream>
#include <iterator>

#include "../support/temporary_directory.hpp"
#include "fuzz_bytes.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/store/run_settings.hpp"
#include "sotto/analyzer/store/run_store.hpp"

using namespace sotto;
using namespace sotto::fuzz;
using namespace sotto::analyzer;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// A store with two batches of plain votes, as bytes. The collector is gone before they are read, and with it what is not yet in
/// the file.
struct Sample {
  TemporaryDirectory directory;
  Bytes bytes;

  Sample() {
    const auto study = read_study(
        "name = \"f\"\n[privacy]\nepsilon = 2\n[question]\nkind = \"vote\"\nfeatures = 8\n[study]\nauthenticated = "
        "false\n",
        "f");
    const CompiledStudy made = compile_study(study.value(), repeatable_seed(1)).value();
    const std::filesystem::path path = directory / "sample.sqlite";
    {
      const auto store = RunStore::create(path, made.manifest, settings_text({"sotto", true})).value();
      must(store->add_round(made.round).ok());
      const auto collector = Collector::open(made.manifest, {}, store->index()).value();
      must(collector->open_round(made.round).ok());
      for (std::uint64_t batch = 0; batch < 2; ++batch) {
        Bytes reports;
        for (std::uint64_t p = 1; p < 6; ++p) append_report(reports, report(made, p + batch));
        must(store->add_batch(*collector, 1, batch, reports).ok());
      }
    }
    std::ifstream in(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(in), {});
    must(!bytes.empty());
  }

  static Bytes report(const CompiledStudy& made, std::uint64_t pseudonym) {
    const Manifest manifest = read_manifest(made.manifest, "m").value();
    Bytes out(report_bytes_of(1, false));
    encode_header({QuestionKind::vote, false, 1, load_u32(manifest_digest(manifest).data()), pseudonym},
                  std::span(out).first<k_header_bytes>());
    out.back() = static_cast<std::uint8_t>(pseudonym % 9);
    return out;
  }
};

void ask_everything(const std::filesystem::path& path) {
  const auto opened = RunStore::open(path);
  if (!opened) {
    must(!opened.error().code.empty());
    return;
  }
  const RunStore& store = *opened.value();
  static_cast<void>(read_settings(store.settings()));
  const auto rounds = store.rounds();
  for (const StoredRound& round : rounds ? rounds.value() : std::vector<StoredRound>()) {
    static_cast<void>(store.each_batch(round.number, [](std::uint64_t, std::span<const std::uint8_t> batch) {
      BatchReader reader(batch);
      while (reader.next()) continue;
    }));
    static_cast<void>(store.counts(round.number));
    static_cast<void>(store.each_reading(round.number, [](const Reading&) {}));
    static_cast<void>(store.aggregate(round.number));
    static_cast<void>(store.next_batch(round.number));
  }
  static_cast<void>(store.counts());
  static_cast<void>(store.model());
  static_cast<void>(store.check());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Sample sample;
  Taker take({data, size});
  Bytes bytes = sample.bytes;
  if (take.flag()) {
    for (int changes = 0; changes < 64 && !take.empty(); ++changes) {
      const std::size_t at = take.u16() % bytes.size();
      bytes[at] = take.u8();
    }
  } else {
    bytes.assign(take.rest().begin(), take.rest().end());
  }
  const std::filesystem::path path = sample.directory / "run.sqlite";
  for (const char* name : {"run.sqlite-wal", "run.sqlite-shm", "run.sqlite-journal"})
    std::filesystem::remove(sample.directory / name);
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  try {
    ask_everything(path);
  } catch (const StoreFailure&) {  // how a visit of the index tells of a bad page; the command line names it
  }
  return 0;
}
