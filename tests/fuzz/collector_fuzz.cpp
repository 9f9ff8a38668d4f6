// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any reports, batches and rounds to a collector, in any order, good ones among them: each report has one reason, the counts are those
// of all of them, and what counts in the end does not depend on the order.
#include "fuzz_bytes.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/crypto/report_seal.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/analyzer/ingest/collector.hpp"

using namespace sotto;
using namespace sotto::fuzz;
using namespace sotto::analyzer;

namespace {

using Bytes = std::vector<std::uint8_t>;

/// Two studies of votes, one whose reports are sealed.
struct Kit {
  CompiledStudy made;
  Manifest manifest;
  Round round;
  Digest digest{};
  MasterKey master{};

  explicit Kit(bool sealed) {
    const std::string study =
        "name = \"f\"\n[privacy]\nepsilon = 2\n[question]\nkind = \"vote\"\nfeatures = 8\n[study]\nauthenticated = ";
    made = compile_study(read_study(study + (sealed ? "true" : "false"), "f").value(), repeatable_seed(1)).value();
    manifest = read_manifest(made.manifest, "m").value();
    round = read_round(made.round, "r").value();
    digest = manifest_digest(manifest);
    master.fill(7);
  }

  [[nodiscard]] Bytes report(Taker& take) const {
    const std::uint64_t pseudonym = take.u8() % 6;  // none at all sometimes, and often the same
    const auto number = static_cast<std::uint16_t>(take.u8() % 8 == 0 ? take.u16() : 1);
    Bytes out(report_bytes_of(1, manifest.authenticated));
    encode_header({QuestionKind::vote, manifest.authenticated, number, load_u32(digest.data()), pseudonym},
                  std::span(out).first<k_header_bytes>());
    out[k_header_bytes] = take.u8() % 10;
    if (manifest.authenticated) {
      ReportKey key;
      derive_key(master, digest, pseudonym, key);
      must(seal_report(key, {digest, round_digest(round)}, out) == Status::ok);
    }
    if (take.u8() % 4 == 0) damage(take, out);
    return out;
  }
};

std::unique_ptr<Collector> collector_of(const Kit& kit) {
  auto made = Collector::open(kit.made.manifest, kit.master, std::make_unique<MemoryIndex>());
  must(made.ok() && made.value()->open_round(kit.made.round).ok());
  return std::move(made).value();
}

std::vector<Reading> readings(const Collector& collector) {
  std::vector<Reading> out;
  collector.each(1, [&out](const Reading& r) { out.push_back(r); });
  return out;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Kit sealed(true), plain(false);
  Taker take({data, size});
  const Kit& kit = take.flag() ? sealed : plain;
  const std::unique_ptr<Collector> forward = collector_of(kit), backward = collector_of(kit);
  std::vector<Bytes> reports;
  while (!take.empty() && reports.size() < 64) {
    const std::uint8_t what = take.u8();
    if (what % 8 == 0) {  // another round, from a stranger or from the study
      Bytes round = kit.made.round;
      damage(take, round);
      for (Collector* collector : {forward.get(), backward.get()}) static_cast<void>(collector->open_round(round));
    } else if (what % 8 == 1) {
      const std::size_t length = std::min<std::size_t>(take.u8(), take.rest().size());
      reports.emplace_back(take.rest().begin(), take.rest().begin() + static_cast<std::ptrdiff_t>(length));
      for (std::size_t i = 0; i < length; ++i) static_cast<void>(take.u8());
    } else {
      reports.push_back(kit.report(take));
    }
  }
  Bytes batch;
  for (const Bytes& report : reports) append_report(batch, report);
  static_cast<void>(forward->absorb_batch(batch));
  for (auto report = reports.rbegin(); report != reports.rend(); ++report) static_cast<void>(backward->absorb(*report));
  must(forward->counts().total() == reports.size() && forward->counts() == backward->counts());
  must(readings(*forward) == readings(*backward));
  static_cast<void>(describe(kit.round));
  return 0;
}
