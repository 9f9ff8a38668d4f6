// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/round_aggregate.hpp"

#include <fmt/format.h>

#include "sotto/analyzer/channel/wire_objects.hpp"

namespace sotto::analyzer {
namespace {

/// The type of aggregate for a spec; void if there is none.
template <class Spec>
struct AggregateOf {
  using Type = void;
};
template <>
struct AggregateOf<VoteSpec> {
  using Type = VoteAggregate;
};
template <>
struct AggregateOf<CrossPolytopeSpec> {
  using Type = CrossPolytopeAggregate;
};
template <>
struct AggregateOf<SphereCodeSpec> {
  using Type = SphereCodeAggregate;
};
template <>
struct AggregateOf<HemisphereSpec> {
  using Type = HemisphereAggregate;
};
template <>
struct AggregateOf<GrrSpec> {
  using Type = GrrAggregate;
};
template <>
struct AggregateOf<WindowSpec> {
  using Type = WindowAggregate;
};
template <>
struct AggregateOf<WalshHashSpec> {
  using Type = WalshHashAggregate;
};

template <class Sums, class Aggregate>
Result<Sums> as_sums(Result<Aggregate> made) {
  if (!made) return made.error();
  return Sums{std::move(made).value()};
}

/// Calls make(aggregate type's tag, spec) for the spec of a round that asks a vote or a direction.
template <class Sums, class Make>
Result<Sums> with_spec(const AnySpec& any, const Make& make) {
  return std::visit(
      [&](const auto& spec) -> Result<Sums> {
        using Aggregate = typename AggregateOf<std::decay_t<decltype(spec)>>::Type;
        if constexpr (std::is_void_v<Aggregate>) {
          return Error{"protocol.no_aggregate", "reports of this randomizer cannot be aggregated for a protocol",
                       std::string(facts_of(spec).stem),
                       "ask a vote, a direction, a block, a bin, a value, a label or a sketch"};
        } else {
          return as_sums<Sums>(make.template operator()<Aggregate>(spec));
        }
      },
      any);
}

/// A block's coordinates are those of the round's model, or all features.
std::uint32_t block_scope(const Manifest& manifest, const Round& round) noexcept {
  return round.parameter[recipe::signs::scope] == k_scope_all ? manifest.features : round.model_size;
}

bool asks_a_coordinate(const Round& round) noexcept {
  return (round.question == QuestionKind::bin && round.recipe != Recipe::cells) ||
         round.question == QuestionKind::value;
}

/// Opens the aggregate for vectors with additive noise. Several copies of a record are kept as individual vectors, a
/// record with its target as sums of products, and a record without a target as sums of groups.
template <class Sums, class... Bytes>
Result<Sums> open_vectors(const Round& round, const GaussianSpec& spec, Bytes... bytes) {
  if (round.question == QuestionKind::synopsis && round.parameter[recipe::copies::count] > 1) {
    if constexpr (sizeof...(Bytes) == 0)
      return as_sums<Sums>(VectorSet::open(spec));
    else
      return as_sums<Sums>(VectorSet::load(spec, bytes...));
  }
  const MomentLayout layout =
      round.parameter[recipe::record::target_steps] == 0 ? MomentLayout::groups : MomentLayout::products;
  if constexpr (sizeof...(Bytes) == 0)
    return as_sums<Sums>(GaussianMoments::open(spec, layout));
  else
    return as_sums<Sums>(GaussianMoments::load(spec, layout, bytes...));
}

/// The aggregate for the question of a round: a new one, or one loaded from bytes.
template <class Sums, class... Bytes>
Result<Sums> sums_of(const Manifest& manifest, const Round& round, Bytes... bytes) {
  constexpr bool k_open = sizeof...(Bytes) == 0;
  const Result<AnySpec> any = round_spec(manifest, round);
  if (!any) return any.error();
  if (asks_a_coordinate(round)) {
    if constexpr (k_open)
      return as_sums<Sums>(CoordinateAggregate::open(manifest, round, any.value()));
    else
      return as_sums<Sums>(CoordinateAggregate::load(manifest, round, any.value(), bytes...));
  }
  if (round.question == QuestionKind::label || round.question == QuestionKind::top) {
    if constexpr (k_open)
      return as_sums<Sums>(ReportSet::open(any.value()));
    else
      return as_sums<Sums>(ReportSet::load(any.value(), bytes...));
  }
  if (const auto* block = std::get_if<BlockSpec>(&any.value())) {
    if constexpr (k_open)
      return as_sums<Sums>(BlockAggregate::open(*block, block_scope(manifest, round)));
    else
      return as_sums<Sums>(BlockAggregate::load(*block, block_scope(manifest, round), bytes...));
  }
  const auto* gaussian = std::get_if<GaussianSpec>(&any.value());
  if (gaussian != nullptr && (round.question == QuestionKind::sketch || round.question == QuestionKind::synopsis))
    return open_vectors<Sums>(round, *gaussian, bytes...);
  return with_spec<Sums>(any.value(), [&]<class Aggregate>(const auto& spec) -> Result<Aggregate> {
    if constexpr (k_open)
      return Aggregate::open(spec);
    else
      return Aggregate::load(spec, bytes...);
  });
}

}  // namespace

Result<RoundAggregate> RoundAggregate::open(const Manifest& manifest, const Round& round) {
  Result<Sums> sums = sums_of<Sums>(manifest, round);
  if (!sums) return sums.error();
  return RoundAggregate{manifest, round, std::move(sums).value()};
}

Result<RoundAggregate> RoundAggregate::load(const Manifest& manifest, const Round& round,
                                            std::span<const std::uint8_t> bytes) {
  Result<Sums> sums = sums_of<Sums>(manifest, round, bytes);
  if (!sums) return sums.error();
  return RoundAggregate{manifest, round, std::move(sums).value()};
}

bool RoundAggregate::absorb(std::uint64_t pseudonym, std::uint32_t number) {
  return absorb(Reading{round_, pseudonym, number, {}});
}

bool RoundAggregate::absorb(const Reading& reading) {
  const CoinLabel label{seed_, reading.pseudonym, round_};
  return std::visit(
      [&](auto& sums) {
        if constexpr (requires { sums.absorb(label, reading.number); }) {
          return sums.absorb(label, reading.number);
        } else if constexpr (requires { sums.absorb(reading.number); }) {
          return sums.absorb(reading.number);
        } else {
          return sums.absorb(reading.pseudonym, std::span<const std::int32_t>(unpack_vector(reading.payload)));
        }
      },
      sums_);
}

CategoryCounts RoundAggregate::categories() const {
  return std::visit(
      [](const auto& sums) -> CategoryCounts {
        if constexpr (requires {
                        { sums.close() } -> std::same_as<CategoryCounts>;
                      }) {
          return sums.close();
        } else {
          return {};
        }
      },
      sums_);
}

Result<Done> RoundAggregate::merge(const RoundAggregate& other) {
  if (round_ != other.round_ || sums_.index() != other.sums_.index()) {
    return Error{"protocol.other_round", "sums of two different rounds cannot be merged",
                 fmt::format("round {} and round {}", round_, other.round_), "merge parts of one round"};
  }
  return std::visit([&](auto& sums) { return sums.merge(std::get<std::decay_t<decltype(sums)>>(other.sums_)); }, sums_);
}

std::vector<std::uint8_t> RoundAggregate::save() const {
  std::vector<std::uint8_t> bytes;
  std::visit([&](const auto& sums) { sums.save(bytes); }, sums_);
  return bytes;
}

std::uint64_t RoundAggregate::used() const {
  return std::visit(
      [](const auto& sums) {
        if constexpr (requires { sums.used(); }) {
          return sums.used();
        } else {
          return sums.close().used;
        }
      },
      sums_);
}

VoteShares RoundAggregate::votes() const { return std::get<VoteAggregate>(sums_).close(); }

VectorMean RoundAggregate::direction() const {
  return std::visit(
      [](const auto& sums) -> VectorMean {
        if constexpr (requires {
                        { sums.close() } -> std::same_as<VectorMean>;
                      }) {
          return sums.close();
        } else {
          return {};
        }
      },
      sums_);
}

}  // namespace sotto::analyzer
