// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/frame/round_draft.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/bytes.hpp"
#include "sotto/wire/encode.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_q24_one = 16777216.0;
constexpr double k_q24_max = 2147483647.0;

void put_spec(const AnySpec& any, Round& round) {
  std::visit(
      [&round](const auto& spec) {
        std::uint8_t fields[32] = {};
        ByteWriter packed{fields};
        encode_fields(spec, packed);
        round.stem = std::decay_t<decltype(spec)>::k_stem;
        for (std::size_t i = 0; i < k_spec_fields; ++i) round.spec[i] = load_u32(fields + 4 * i);
      },
      any);
}

}  // namespace

std::int32_t to_q24(double value) noexcept {
  return static_cast<std::int32_t>(std::clamp(std::round(value * k_q24_one), -k_q24_max, k_q24_max));
}

double from_q24(std::int32_t value) noexcept { return value / k_q24_one; }

Result<std::vector<std::uint8_t>> write_round(RoundDraft& draft, const Digest& study, const RoundTimes& times) {
  const std::size_t bytes_needed = k_round_fixed_bytes + draft.model.size() * k_model_bytes +
                                   draft.pairs.size() * k_pair_bytes + (times.closes == 0 ? 0 : k_times_bytes);
  if (bytes_needed > k_round_max_bytes) {
    return Error{"protocol.large_round", "a round has room for 1024 bytes",
                 fmt::format("{} features, {} pairs: {} bytes", draft.model.size(), draft.pairs.size(), bytes_needed),
                 "ask about fewer features at a time"};
  }
  std::vector<std::uint8_t> model(draft.model.size() * k_model_bytes), pairs(draft.pairs.size() * k_pair_bytes);
  ByteWriter model_writer{model}, pair_writer{pairs};
  for (Entry& entry : draft.model) {
    const std::int32_t value = to_q24(entry.value);
    entry.value = from_q24(value);
    model_writer.u16(static_cast<std::uint16_t>(entry.feature));
    model_writer.u32(static_cast<std::uint32_t>(value));
  }
  for (const NumberPair& pair : draft.pairs) {
    pair_writer.u32(static_cast<std::uint32_t>(pair.first));
    pair_writer.u32(static_cast<std::uint32_t>(pair.second));
  }
  Round round;
  round.question = draft.question;
  round.number = draft.number;
  round.study = study;
  round.cohort = draft.cohort;
  round.recipe = draft.recipe;
  round.link = draft.link;
  put_spec(draft.spec, round);
  round.parameter = draft.parameter;
  round.model_size = static_cast<std::uint32_t>(draft.model.size());
  round.pair_count = static_cast<std::uint32_t>(draft.pairs.size());
  round.model = model.data();
  round.pairs = pairs.data();
  std::vector<std::uint8_t> bytes(k_round_max_bytes);
  ByteWriter writer{bytes};
  encode_round(round, writer, times);
  bytes.resize(writer.size());
  if (const Result<Round> read = read_round(bytes, "the round"); !read) return read.error();
  return bytes;
}

}  // namespace sotto::analyzer
