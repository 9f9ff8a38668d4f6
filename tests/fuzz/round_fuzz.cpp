// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as a round, and rounds that are made of the fuzzer's numbers and then damaged: refused, or every field can be read, the
// encoder gives the same body back, and every question refuses it or answers it within its plan.
#include "fuzz_ask.hpp"
#include "sotto/wire/encode.hpp"

using namespace sotto;
using namespace sotto::fuzz;

namespace {

constexpr std::uint32_t k_features = 6;

/// A study that allows everything: what the round says decides.
struct Study {
  Manifest manifest;
  std::uint8_t seed[32] = {1, 2, 3};

  explicit Study(Taker& take) {
    manifest.features = take.flag() ? k_features : 2 + take.below(60);
    manifest.nominal_rows = 1 + take.below(12);
    manifest.unit_q15 = 8192;
    manifest.answers = 1;
    manifest.epsilon = take.flag() ? 2 * k_epsilon_one : 1 + take.u64() % k_epsilon_max;
    manifest.delta = 18446744073709u;  // 1e-6, as Gaussian noise needs it
    manifest.seed = seed;
  }
};

void read(const Round& r, std::size_t size) {
  must(r.number >= 1 && static_cast<std::uint8_t>(r.question) >= 1);
  must(r.bytes.body.size() + (r.bytes.signature.empty() ? 0 : 1 + r.bytes.signature.size()) == size);
  for (std::uint32_t i = 1; i < r.model_size; ++i) must(model_entry(r, i - 1).feature < model_entry(r, i).feature);
  std::int64_t sum = 0;
  for (std::uint32_t i = 0; i < r.pair_count; ++i) sum += number_pair(r, i).first;
  must(sum <= std::int64_t{r.pair_count} << 31);
  RoundTimes times;
  if (round_times(r, times) != Status::ok) return;  // a device with a clock refuses it
  must(times.closes == 0 || (send_time(times, ~0u) >= times.opens && send_time(times, ~0u) < times.closes));
  std::uint8_t again[k_round_max_bytes];
  ByteWriter writer{again};
  encode_round(r, writer, times);
  must(!writer.overflowed() && std::ranges::equal(writer.written(), r.bytes.body));
}

/// The bytes of a round as a careful analyst would write it, up to what the fuzzer changes.
std::vector<std::uint8_t> made_round(Taker& take, const Manifest& manifest) {
  Round r;
  r.question = static_cast<QuestionKind>(1 + take.u8() % k_question_last);
  r.number = static_cast<std::uint16_t>(1 + take.u8());
  r.cohort = take.flag() ? k_every_cohort : take.u8();
  r.recipe = static_cast<Recipe>(take.u8() % (k_recipe_last + 1));
  r.link = take.u8() % 3;
  put_any_spec(take, manifest, r);
  for (std::uint32_t& p : r.parameter.at_place) p = take.interesting();
  std::uint8_t model[k_model_bytes * 64], pairs[k_pair_bytes * 32];
  ByteWriter to_model{model}, to_pairs{pairs};
  std::uint32_t feature = 0;
  for (r.model_size = take.u8() % 64; to_model.size() < k_model_bytes * r.model_size; feature += 1 + take.u8() % 2) {
    to_model.u16(static_cast<std::uint16_t>(feature));
    to_model.u32(take.interesting());
  }
  std::uint32_t first = take.interesting();
  for (r.pair_count = take.u8() % 32; to_pairs.size() < k_pair_bytes * r.pair_count; first += 1 + take.u16()) {
    to_pairs.u32(first);
    to_pairs.u32(take.interesting());
  }
  r.model = model;
  r.pairs = pairs;
  std::vector<std::uint8_t> bytes(k_round_max_bytes);
  ByteWriter writer{bytes};
  const std::uint64_t opens = take.interesting();
  encode_round(r, writer, take.flag() ? RoundTimes{opens, opens + take.u16()} : RoundTimes{});
  bytes.resize(writer.overflowed() ? 0 : writer.size());
  if (take.u8() % 8 == 0) bytes.insert(bytes.end(), 1 + 4, 4);  // a signature
  damage(take, bytes);
  return bytes;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span<const std::uint8_t> given{data, size};
  const bool is_raw = text_of(given).starts_with("SOTR");
  Taker take(given);
  Study study = is_raw ? [] {
    Taker nothing({});
    return Study(nothing);
  }()
                       : Study(take);
  const std::vector<std::uint8_t> bytes =
      is_raw ? std::vector<std::uint8_t>(given.begin(), given.end()) : made_round(take, study.manifest);
  Round r;
  if (decode_round(bytes, r) != Status::ok) return 0;
  read(r, bytes.size());
  FuzzRows rows(take.u8() % 12, study.manifest.features, take.u8());
  study.manifest.units = static_cast<RowUnits>(take.u8() % (k_row_units_last + 1));
  for (const Question* question : k_every_question) {
    if (question->kind == r.question) static_cast<void>(ask(*question, study.manifest, r, 1 + take.u8(), rows));
  }
  return 0;
}
