// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "seeded_entropy.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/ingest/collector.hpp"
#include "sotto/bytes.hpp"
#include "sotto/coins/private_coins.hpp"
#include "sotto/randomize/vote.hpp"
#include "sotto/wire/report.hpp"

namespace sotto::analyzer {

using Bytes = std::vector<std::uint8_t>;

inline MasterKey test_master(std::uint8_t fill = 7) {
  MasterKey key;
  key.fill(fill);
  return key;
}

inline std::string vote_study(const std::string& terms = "", const std::string& question = "") {
  return "name = \"test\"\n[privacy]\nepsilon = 2\n[question]\nkind = \"vote\"\nfeatures = 8\nselector = \"given\"\n" +
         question + "\n[study]\n" + terms + "\n";
}

/// A compiled study of votes with its devices: reports as the device library makes them, sealed where the study wants it.
class ReportKit {
 public:
  explicit ReportKit(const std::string& study = vote_study(), std::uint64_t seed = 1) : entropy_(seed) {
    const Result<Study> read = read_study(study, "here");
    if (!read) throw std::runtime_error(read.error().message());
    Result<CompiledStudy> made = compile_study(read.value(), repeatable_seed(seed));
    if (!made) throw std::runtime_error(made.error().message());
    compiled = std::move(made).value();
    use_round(compiled.round);
  }

  /// Reports answer this round from now on.
  void use_round(const Bytes& bytes) {
    round_bytes = bytes;
    manifest = read_manifest(compiled.manifest, "").value();
    digest = manifest_digest(manifest);
    round = read_round(round_bytes, "").value();
    spec = std::get<VoteSpec>(round_spec(manifest, round).value());
    EXPECT_EQ(certify(spec, k_epsilon_max, certified_), Status::ok);
  }

  /// The compiled round with another number, asking another cohort.
  [[nodiscard]] Bytes round_with(std::uint16_t number, std::uint8_t cohort) const {
    Bytes bytes = compiled.round;
    bytes[6] = static_cast<std::uint8_t>(number);
    bytes[7] = static_cast<std::uint8_t>(number >> 8);
    bytes[40] = cohort;
    return bytes;
  }

  [[nodiscard]] ReportHeader header(std::uint64_t pseudonym) const {
    return {QuestionKind::vote, manifest.authenticated, round.number, load_u32(digest.data()), pseudonym};
  }

  /// Header and payload as given, sealed for this study and round where the header says so.
  [[nodiscard]] Bytes pack(const ReportHeader& head, const Bytes& payload,
                           const MasterKey& master = test_master()) const {
    Bytes report(report_bytes_of(payload.size(), head.authenticated));
    encode_header(head, std::span(report).first<k_header_bytes>());
    std::ranges::copy(payload, report.begin() + k_header_bytes);
    if (!head.authenticated) return report;
    ReportKey key;
    derive_key(master, digest, head.pseudonym, key);
    EXPECT_EQ(seal_report(key, {digest, round_digest(round)}, report), Status::ok);
    return report;
  }
  [[nodiscard]] Bytes pack(std::uint64_t pseudonym, std::uint8_t number) const {
    return pack(header(pseudonym), {number});
  }

  /// What a device with this answer sends.
  [[nodiscard]] Bytes vote_for(std::uint64_t pseudonym, std::uint32_t answer) {
    std::uint32_t number = 0;
    EXPECT_EQ(coins_.begin_report(entropy_.source()), Status::ok);
    EXPECT_EQ(vote(certified_, {manifest.seed, pseudonym, round.number}, answer, coins_, number), Status::ok);
    return pack(pseudonym, static_cast<std::uint8_t>(number));
  }

  /// A collector with round 1 open.
  [[nodiscard]] std::unique_ptr<Collector> collector(const std::optional<MasterKey>& master = test_master()) const {
    auto made = Collector::open(compiled.manifest, master, std::make_unique<MemoryIndex>());
    EXPECT_TRUE(made.ok());
    EXPECT_TRUE(made.value()->open_round(round_bytes).ok());
    return std::move(made).value();
  }

  CompiledStudy compiled;
  Bytes round_bytes;
  Manifest manifest;
  Digest digest{};
  Round round;
  VoteSpec spec;

 private:
  Certified<VoteSpec> certified_;
  SeededEntropy entropy_;
  PrivateCoins coins_;
};

}  // namespace sotto::analyzer
