// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/round_aggregate.hpp"

#include <fmt/format.h>

#include "sotto/analyzer/study/compile.hpp"

namespace sotto::analyzer {
namespace {

/// The aggregate that belongs to a spec; void where there is none.
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
          return Error{"protocol.no_aggregate", "a protocol does not read reports of this randomizer",
                       std::string(facts_of(spec).stem), "ask a vote, a direction, a block, a bin, a value or a label"};
        } else {
          return as_sums<Sums>(make.template operator()<Aggregate>(spec));
        }
      },
      any);
}

/// A block's coordinates are those of the round's model, or all features.
std::uint32_t block_scope(const Manifest& manifest, const Round& round) noexcept {
  constexpr std::uint32_t k_scope = 1, k_scope_all = 1;
  return round.parameter[k_scope] == k_scope_all ? manifest.features : round.model_size;
}

bool asks_a_coordinate(const Round& round) noexcept {
  return round.question == QuestionKind::bin || round.question == QuestionKind::value;
}

}  // namespace

Result<RoundAggregate> RoundAggregate::open(const Manifest& manifest, const Round& round) {
  const Result<AnySpec> any = round_spec(manifest, round);
  if (!any) return any.error();
  const auto* const block = std::get_if<BlockSpec>(&any.value());
  Result<Sums> sums = asks_a_coordinate(round) ? as_sums<Sums>(CoordinateAggregate::open(manifest, round, any.value()))
                      : round.question == QuestionKind::label ? as_sums<Sums>(ReportSet::open(any.value()))
                      : block != nullptr
                          ? as_sums<Sums>(BlockAggregate::open(*block, block_scope(manifest, round)))
                          : with_spec<Sums>(any.value(), []<class Aggregate>(const auto& spec) -> Result<Aggregate> {
                              return Aggregate::open(spec);
                            });
  if (!sums) return sums.error();
  return RoundAggregate{manifest, round, std::move(sums).value()};
}

Result<RoundAggregate> RoundAggregate::load(const Manifest& manifest, const Round& round,
                                            std::span<const std::uint8_t> bytes) {
  const Result<AnySpec> any = round_spec(manifest, round);
  if (!any) return any.error();
  const auto* const block = std::get_if<BlockSpec>(&any.value());
  Result<Sums> sums =
      asks_a_coordinate(round) ? as_sums<Sums>(CoordinateAggregate::load(manifest, round, any.value(), bytes))
      : round.question == QuestionKind::label ? as_sums<Sums>(ReportSet::load(any.value(), bytes))
      : block != nullptr
          ? as_sums<Sums>(BlockAggregate::load(*block, block_scope(manifest, round), bytes))
          : with_spec<Sums>(any.value(), [bytes]<class Aggregate>(const auto& spec) -> Result<Aggregate> {
              return Aggregate::load(spec, bytes);
            });
  if (!sums) return sums.error();
  return RoundAggregate{manifest, round, std::move(sums).value()};
}

bool RoundAggregate::absorb(std::uint64_t pseudonym, std::uint32_t number) noexcept {
  return std::visit([&](auto& sums) { return sums.absorb(CoinLabel{seed_, pseudonym, round_}, number); }, sums_);
}

Result<Done> RoundAggregate::merge(const RoundAggregate& other) {
  if (round_ != other.round_ || sums_.index() != other.sums_.index()) {
    return Error{"protocol.other_round", "sums of two rounds do not add up",
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
