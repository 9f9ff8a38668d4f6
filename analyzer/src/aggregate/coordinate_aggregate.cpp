// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/coordinate_aggregate.hpp"

#include <algorithm>
#include <optional>

#include <fmt/format.h>

#include "checksum.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"
#include "sotto/bytes.hpp"
#include "sotto/choices.hpp"
#include "sotto/local/level.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint8_t k_coordinates_version = 1;
constexpr std::size_t k_coordinates_head_bytes = 1 + 1 + 4 + 4;
constexpr std::uint64_t k_sums_max = std::uint64_t{1} << 24;

/// The type of aggregate for one coordinate, and the question that uses the randomizer; void if none does.
template <class Spec>
struct PartOf {
  using Type = void;
  static constexpr QuestionKind k_question{};
};
template <>
struct PartOf<WindowSpec> {
  using Type = WindowAggregate;
  static constexpr QuestionKind k_question = QuestionKind::value;
};
template <>
struct PartOf<LaplaceSpec> {
  using Type = LaplaceAggregate;
  static constexpr QuestionKind k_question = QuestionKind::value;
};
template <>
struct PartOf<GrrSpec> {
  using Type = GrrAggregate;
  static constexpr QuestionKind k_question = QuestionKind::bin;
};
template <>
struct PartOf<WalshHashSpec> {
  using Type = WalshHashAggregate;
  static constexpr QuestionKind k_question = QuestionKind::bin;
};
template <>
struct PartOf<HadamardResponseSpec> {
  using Type = HadamardResponseAggregate;
  static constexpr QuestionKind k_question = QuestionKind::bin;
};

bool absorb_one(WalshHashAggregate& part, const CoinLabel& label, std::uint32_t report) noexcept {
  return part.absorb(label, report);
}
template <class Part>
bool absorb_one(Part& part, const CoinLabel&, std::uint32_t report) noexcept {
  return part.absorb(report);
}

Error coordinates_refusal(std::string_view code, std::string value, std::string fix) {
  return {code, "aggregate of coordinates", std::move(value), std::move(fix)};
}

/// The bytes of each part, after the header before them and the checksum after them were checked.
Result<std::vector<std::span<const std::uint8_t>>> parts_of(std::span<const std::uint8_t> bytes, Stem stem,
                                                            std::uint32_t vector_size, std::size_t part_bytes) {
  const std::uint32_t coordinates = rotated_size(vector_size);
  const std::string size = fmt::format("{} bytes", bytes.size());
  const std::size_t wanted = k_coordinates_head_bytes + coordinates * part_bytes + k_checksum_bytes;
  if (bytes.size() < k_coordinates_head_bytes)
    return coordinates_refusal("aggregate.truncated", size, "read the whole file");
  ByteReader in{bytes};
  if (const std::uint8_t version = in.u8(); version != k_coordinates_version)
    return coordinates_refusal("aggregate.bad_version", fmt::format("{}", version), "this program reads version 1");
  const std::uint8_t found = in.u8();
  if (found != static_cast<std::uint8_t>(stem) || in.u32() != vector_size || in.u32() != part_bytes) {
    return coordinates_refusal("aggregate.other_spec", std::string(stem_name(Stem{found})),
                               "load it with the round that it was opened with");
  }
  if (bytes.size() < wanted) return coordinates_refusal("aggregate.truncated", size, "read the whole file");
  if (bytes.size() > wanted)
    return coordinates_refusal("aggregate.bytes_left_over", size, fmt::format("cut it to {} bytes", wanted));
  if (!checksum_fits(bytes))
    return coordinates_refusal("aggregate.altered", size, "copy it from its source again: its checksum does not match");
  std::vector<std::span<const std::uint8_t>> out;
  for (std::uint32_t j = 0; j < coordinates; ++j)
    out.push_back(bytes.subspan(k_coordinates_head_bytes + j * part_bytes, part_bytes));
  return out;
}

}  // namespace

std::uint32_t asked_vector_size(const Manifest& manifest, const Round& round) noexcept {
  switch (round.recipe) {
    case Recipe::least_squares: return round.model_size;
    case Recipe::gradient:
    case Recipe::row_gradient:
    case Recipe::means:
      return round.parameter[recipe::vector::scope] == k_scope_all ? manifest.features : round.model_size;
    case Recipe::gain: return 1;
    case Recipe::levels: return level_size(round.parameter[recipe::levels::measure], round.model_size);
    default: return 0;
  }
}

Result<CoordinateAggregate> CoordinateAggregate::open(const Manifest& manifest, const Round& round,
                                                      const AnySpec& any) {
  const std::uint32_t size = asked_vector_size(manifest, round);
  return std::visit(
      [&](const auto& spec) -> Result<CoordinateAggregate> {
        using Found = PartOf<std::decay_t<decltype(spec)>>;
        if constexpr (!std::is_void_v<typename Found::Type>) {
          using Part = typename Found::Type;
          if (Found::k_question == round.question && size != 0) {
            const Result<Part> part = Part::open(spec);
            if (!part) return part.error();
            const std::uint32_t coordinates = rotated_size(size);
            if (coordinates * part.value().sums().values().size() > k_sums_max) {
              return Error{"protocol.large_aggregate", "a round keeps at most 2^24 sums",
                           fmt::format("{} coordinates of {}", coordinates, part.value().sums().values().size()),
                           "ask about fewer features or bins"};
            }
            return CoordinateAggregate{size, Parts{std::vector<Part>(coordinates, part.value())}};
          }
        }
        return Error{"protocol.no_aggregate", "the reports of this round cannot be aggregated by coordinate",
                     fmt::format("{} features, {}", size, facts_of(spec).stem),
                     "ask a bin with grr, walsh_hash or hadamard_response, a value with window or laplace"};
      },
      any);
}

bool CoordinateAggregate::absorb(const CoinLabel& label, std::uint32_t report) noexcept {
  const std::uint32_t j = chosen_coordinate(label, size_);
  return std::visit([&](auto& parts) { return absorb_one(parts[j], label, report); }, parts_);
}

Result<Done> CoordinateAggregate::merge(const CoordinateAggregate& other) {
  return std::visit(
      [&](auto& parts) -> Result<Done> {
        using Part = typename std::decay_t<decltype(parts)>::value_type;
        const auto* from = std::get_if<std::vector<Part>>(&other.parts_);
        if (from == nullptr || size_ != other.size_) {
          return coordinates_refusal("aggregate.other_spec", fmt::format("{} and {} features", size_, other.size_),
                                     "merge only aggregates of the same round");
        }
        std::vector<Part> sum = parts;  // if one part is refused, the others stay unchanged
        for (std::size_t j = 0; j < sum.size(); ++j) {
          if (const auto merged = sum[j].merge((*from)[j]); !merged) return merged.error();
        }
        parts = std::move(sum);
        return Done{};
      },
      parts_);
}

void CoordinateAggregate::save(std::vector<std::uint8_t>& out) const {
  std::visit(
      [&](const auto& parts) {
        std::vector<std::uint8_t> body, part;
        for (const auto& p : parts) {
          p.save(part);
          body.insert(body.end(), part.begin(), part.end());
        }
        out.assign(k_coordinates_head_bytes + body.size() + k_checksum_bytes, 0);
        ByteWriter w{out};
        w.u8(k_coordinates_version);
        w.u8(static_cast<std::uint8_t>(parts.front().sums().shape().stem));
        w.u32(size_);
        w.u32(static_cast<std::uint32_t>(part.size()));
        w.bytes(body);
        w.bytes(checksum(w.written()));
      },
      parts_);
}

Result<CoordinateAggregate> CoordinateAggregate::load(const Manifest& manifest, const Round& round, const AnySpec& spec,
                                                      std::span<const std::uint8_t> bytes) {
  Result<CoordinateAggregate> loaded = open(manifest, round, spec);
  if (!loaded) return loaded.error();
  const std::optional<Error> error = std::visit(
      [&](auto& parts) -> std::optional<Error> {
        using Part = typename std::decay_t<decltype(parts)>::value_type;
        std::vector<std::uint8_t> empty;
        parts.front().save(empty);
        const auto found = parts_of(bytes, parts.front().sums().shape().stem, loaded.value().size_, empty.size());
        if (!found) return found.error();
        for (std::size_t j = 0; j < parts.size(); ++j) {
          Result<Part> part = Part::load(parts[j].spec(), found.value()[j]);
          if (!part) return part.error();
          parts[j] = std::move(part).value();
        }
        return std::nullopt;
      },
      loaded.value().parts_);
  if (error) return *error;
  return loaded;
}

std::uint32_t CoordinateAggregate::coordinates() const noexcept { return rotated_size(size_); }

std::uint64_t CoordinateAggregate::used() const noexcept {
  std::uint64_t used = 0;
  std::visit(
      [&](const auto& parts) {
        for (const auto& p : parts) used += p.sums().used();
      },
      parts_);
  return used;
}

std::uint64_t CoordinateAggregate::refused() const noexcept {
  std::uint64_t refused = 0;
  std::visit(
      [&](const auto& parts) {
        for (const auto& p : parts) refused += p.sums().refused();
      },
      parts_);
  return refused;
}

std::vector<CategoryCounts> CoordinateAggregate::counts() const {
  std::vector<CategoryCounts> out;
  std::visit(
      [&](const auto& parts) {
        for (const auto& p : parts) {
          if constexpr (std::is_same_v<decltype(p.close()), CategoryCounts>) out.push_back(p.close());
        }
      },
      parts_);
  return out;
}

std::vector<ScalarMean> CoordinateAggregate::means() const {
  std::vector<ScalarMean> out;
  std::visit(
      [&](const auto& parts) {
        for (const auto& p : parts) {
          if constexpr (std::is_same_v<decltype(p.close()), ScalarMean>) out.push_back(p.close());
          if constexpr (std::is_same_v<std::decay_t<decltype(p)>, LaplaceAggregate>) {
            // The mean is in grid steps, and G steps are half of the coordinate's range.
            ScalarMean& m = out.back();
            for (double* number : {&m.mean, &m.standard_error, &m.noise_error, &m.bias_bound})
              *number /= p.spec().radius;
          }
        }
      },
      parts_);
  return out;
}

}  // namespace sotto::analyzer
