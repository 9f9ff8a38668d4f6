// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "front.hpp"

#include <array>

#include "sotto/wide.hpp"
#include "sotto/wipe.hpp"

namespace sotto {

namespace {

// What each recipe uses, as bits: one for the place of each parameter, then these.
constexpr std::uint32_t k_takes_model = 1u << k_parameter_places, k_takes_link = 2 * k_takes_model,
                        k_takes_pairs = 4 * k_takes_model, k_takes_centred = 8 * k_takes_model;
static_assert(k_takes_model == recipe::k_model << k_parameter_places &&
              k_takes_link == recipe::k_link << k_parameter_places &&
              k_takes_pairs == recipe::k_ranges << k_parameter_places &&
              k_takes_centred == recipe::k_centred << k_parameter_places);
constexpr std::uint32_t k_table_places =
    1u << recipe::link_table::first_point.place | 1u << recipe::link_table::log2_step.place;
constexpr std::uint32_t k_table_taken = k_table_places | k_takes_pairs;

constexpr auto k_taken = [] {
  std::array<std::uint16_t, k_recipe_last + 1> taken{};
  for (std::size_t i = 0; i < taken.size(); ++i) {
    const recipe::Row& row = recipe::k_rows[i];
    std::uint32_t bits = row.also << k_parameter_places;
    for (std::uint32_t place = 0; place < k_parameter_places; ++place)
      bits |= recipe::takes_place(row.recipe, place) ? 1u << place : 0;
    if ((row.also & recipe::k_link) != 0) bits &= ~k_table_places;
    taken[i] = static_cast<std::uint16_t>(bits);
  }
  return taken;
}();

}  // namespace

Status spend_front(const FrontSpec& spec, const TwoLevel& channel) noexcept {
  return two_level_spend(channel, spec.as<EpsilonNano>());  // epsilon is the first member of every spec
}

Status find_front(const Asked& asked, const FrontStem*& stem) noexcept {
  for (; stem->stem != asked.round.stem; ++stem) {
    if (stem->last) return Status::bad_channel;
  }
  return spec_ends(asked.round, stem->fields) ? Status::ok : Status::bad_field;
}

[[gnu::noinline]] FrontSpec::FrontSpec(const Asked& asked, std::size_t fields_at) noexcept {
  const std::uint64_t privacy[] = {asked.manifest.epsilon, asked.manifest.delta};
  static_assert(sizeof privacy + sizeof asked.round.spec <= k_front_spec_bytes);
  __builtin_memcpy(bytes_, privacy, sizeof privacy);
  __builtin_memcpy(bytes_ + fields_at, asked.round.spec, sizeof asked.round.spec);
}

Status certify_front(Asked& asked, const FrontStem& stem, std::size_t kept) noexcept {
  const FrontSpec spec{asked, stem.fields_at};
  TwoLevel channel;
  if (const Status s = stem.shape(spec, channel); s != Status::ok) return s;
  if (const Status s = check_epsilon(asked.manifest.epsilon, k_epsilon_max); s != Status::ok) return s;
  if (const Status s = stem.check_channel(spec, channel); s != Status::ok) return s;
  asked.plan = {outcome_bytes(channel.outcomes), kept, kept};
  return Status::ok;
}

Status check_front(Asked& asked, const FrontStem* stem, std::size_t kept) noexcept {
  const Status status = find_front(asked, stem);
  return status == Status::ok ? certify_front(asked, *stem, kept) : status;
}

void report_front(const Asked& asked, const FrontStem* stem, PrivateCoins& coins,
                  const std::span<std::uint8_t>& payload) noexcept {
  (void)find_front(asked, stem);
  const FrontSpec spec{asked, stem->fields_at};
  TwoLevel channel;
  (void)stem->shape(spec, channel);
  TwoLevelDraw draw = draw_two_level(coins, channel);
  write_number(stem->report(asked, spec, channel, draw), payload);
  wipe_object(draw);
}

bool spec_ends(const Round& round, std::uint32_t used) noexcept {
  std::uint32_t any = 0;
  for (std::uint32_t i = used; i < k_spec_fields; ++i) any |= round.spec[i];
  return any == 0;
}

bool takes_only_its_own(const Asked& asked) noexcept {
  const Round& round = asked.round;
  std::uint32_t taken = k_taken[static_cast<std::size_t>(round.recipe)], any = 0;
  if ((taken & k_takes_link) == 0) any = round.link;
  if (has_table(round)) taken |= k_table_taken;  // without effect where a link is refused
  if ((taken & k_takes_model) == 0) any |= round.model_size;
  if ((taken & k_takes_centred) == 0) any |= static_cast<std::uint32_t>(asked.manifest.units);
  if ((taken & k_takes_pairs) == 0) any |= round.pair_count;
  for (const std::uint32_t number : round.parameter.at_place) {
    if ((taken & 1u) == 0) any |= number;
    taken >>= 1;
  }
  return any == 0;
}

[[gnu::noinline]] std::uint32_t scope_size(const Asked& asked, std::uint32_t scope) noexcept {
  return scope == k_scope_all ? asked.manifest.features : asked.round.model_size;
}

std::uint32_t fitting_size(const Asked& asked, std::uint32_t scope) noexcept {
  return model_fits(asked) ? scope_size(asked, scope) : 0;
}

void keep_row(Samples& samples, std::uint32_t row) noexcept {
  const bool held = row < samples.rows;
  samples.rows = held ? 1 : 0;
  samples.first_row = row;
  if (held && samples.mapped != nullptr) samples.mapped += std::size_t{row} * samples.stride;
}

ChosenRow::ChosenRow(const Asked& asked, const LocalData& local) noexcept
    : samples(nominal_samples(asked, local.samples)) {
  keep_row(samples, chosen_row(asked.label, asked.manifest.nominal_rows));
}

[[gnu::noinline]] Q15 ChosenRow::column(std::uint32_t j) const noexcept {
  Q15 buffer = 0;
  return held() ? *sample_columns(samples, 0, j, 1, &buffer) : Q15{0};
}

Q15 ChosenRow::coordinate(const Asked& asked, std::uint32_t scope, std::uint32_t j) const noexcept {
  return column(scope == k_scope_all ? j : model_entry(asked.round, j).feature);
}

void ChosenRow::coordinates_q24(const Asked& asked, std::uint32_t scope,
                                const std::span<std::int32_t>& out) const noexcept {
  for (std::uint32_t j = 0; j < out.size(); ++j) out[j] = coordinate(asked, scope, j) * 512;  // Q15 to Q24
}

std::int32_t scaled_target(Q15 target, std::uint32_t bound_q15, std::uint32_t steps) noexcept {
  static_assert(std::uint64_t{32768} * 32768 + 16384 < std::uint64_t{1} << 31);
  const std::uint32_t size = magnitude(target), clipped = size < bound_q15 ? size : bound_q15;
  const auto scaled = static_cast<std::int32_t>(divide_floor_32(clipped * steps + bound_q15 / 2, bound_q15));
  return target < 0 ? -scaled : scaled;
}

}  // namespace sotto
