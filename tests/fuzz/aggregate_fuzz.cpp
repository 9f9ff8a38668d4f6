// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as the saved sums of a round, and sums of the fuzzer's reports that are then damaged, with their checksum put right:
// refused, or sums that are saved as the same bytes, merge, and close. The first byte chooses what the round asks.
#include "fuzz_bytes.hpp"
#include "sotto/analyzer/aggregate/round_aggregate.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/propose/defaults.hpp"
#include "sotto/analyzer/protocol/frame/round_draft.hpp"
#include "sotto/analyzer/protocol/rounds/coordinate.hpp"
#include "sotto/analyzer/protocol/rounds/direction.hpp"

using namespace sotto;
using namespace sotto::fuzz;
using namespace sotto::analyzer;

namespace {

using Bytes = std::vector<std::uint8_t>;
constexpr EpsilonNano k_epsilon = 2 * k_epsilon_one;
constexpr std::uint32_t k_features = 24;

template <class Spec>
AnySpec derived(Spec spec) {
  must(derive(spec) == Status::ok);
  return spec;
}

/// A study, and a round of every kind whose reports are summed.
struct Rounds {
  Bytes manifest_bytes;
  Manifest manifest;
  std::vector<Bytes> bytes;
  std::vector<Round> rounds;

  Rounds() {
    const auto study = read_study(
        "name = \"f\"\n[privacy]\nepsilon = 2\n[protocol]\nkind = \"cascade\"\nfeatures = 24\ndevices = 1000\n", "f");
    manifest_bytes = compile_study(study.value(), repeatable_seed(3)).value().manifest;
    manifest = read_manifest(manifest_bytes, "m").value();
    RegressionTerms terms;
    terms.epsilon = k_epsilon;
    terms.features = k_features;
    const Entries five{{1, 0}, {3, 0.5}, {4, 0}, {9, -0.25}, {20, 0}};
    const CoordinateQuestion question{LocalAnswer::least_squares, five, {{-1, 1}}};
    const auto coordinate = [&](QuestionKind kind, const AnySpec& spec) {
      add(draft_coordinate(terms, kind, spec, question, 2, 0));
    };
    add(draft_vote(terms, false, {}, 2, 0).value());
    RoundDraft direction = draft_direction(terms, {LocalAnswer::gradient, 1, five}, 2, 0).value();
    for (const AnySpec& spec :
         {default_cross_polytope(k_epsilon, 6, 6).value(), default_sphere_code(k_epsilon, 6, 256).value(),
          derived(HemisphereSpec{k_epsilon, 6, 0})}) {
      direction.spec = spec;
      add(direction);
    }
    coordinate(QuestionKind::bin, derived(GrrSpec{k_epsilon, 7, 0}));
    coordinate(QuestionKind::bin, derived(WalshHashSpec{k_epsilon, 40, 3, 0}));
    coordinate(QuestionKind::bin, derived(HadamardResponseSpec{k_epsilon, 4, 9, 0}));
    coordinate(QuestionKind::value, default_window(k_epsilon).value());
    coordinate(QuestionKind::value, derived(LaplaceSpec{k_epsilon, 16, 0}));
    for (const Bytes& round : bytes) rounds.push_back(read_round(round, "r").value());
  }

  void add(RoundDraft draft) { bytes.push_back(write_round(draft, manifest_digest(manifest)).value()); }
};

/// The last 32 bytes of saved sums are the digest of the others.
void put_right(Bytes& saved) {
  if (saved.size() < 32) return;
  Digest digest;
  sha256(std::span(saved).first(saved.size() - 32), digest);
  std::ranges::copy(digest, saved.end() - 32);
}

void close(const RoundAggregate& sums, QuestionKind question) {
  if (question == QuestionKind::vote) {
    static_cast<void>(sums.votes());
  } else if (question == QuestionKind::direction) {
    static_cast<void>(sums.direction());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const Rounds all;
  Taker take({data, size});
  const Round& round = all.rounds[take.u8() % all.rounds.size()];
  Bytes bytes;
  if (take.flag()) {
    auto made = RoundAggregate::open(all.manifest, round);
    must(made.ok());
    for (int reports = take.u8() % 32; reports > 0; --reports) {
      const std::uint64_t pseudonym = 1 + take.u8();
      static_cast<void>(made.value().absorb(pseudonym, take.flag() ? take.u8() : take.u32()));
    }
    bytes = made.value().save();
    must(RoundAggregate::load(all.manifest, round, bytes).ok());
    damage(take, bytes);
  } else {
    bytes.assign(take.rest().begin(), take.rest().end());
  }
  if (!bytes.empty() && (bytes.front() & 0x80) == 0) put_right(bytes);
  auto sums = RoundAggregate::load(all.manifest, round, bytes);
  if (!sums) return 0;
  must(sums.value().save() == bytes);
  close(sums.value(), round.question);
  const RoundAggregate other = sums.value();
  const std::uint64_t used = sums.value().used();
  if (sums.value().merge(other)) must(sums.value().used() == 2 * used);
  close(sums.value(), round.question);
  return 0;
}
