// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/block.hpp"

#include "front.hpp"
#include "round_link.hpp"
#include "rounded_coin.hpp"
#include "sotto/local/residual.hpp"
#include "sotto/randomize/unchecked.hpp"
#include "sotto/spec/block.hpp"

namespace sotto {
namespace {

constexpr std::int32_t k_one = 1 << 24;

std::uint32_t block_answer(const Asked& asked, const FrontSpec& spec, const TwoLevel& channel,
                           const TwoLevelDraw& draw) noexcept {
  return block_report(channel, spec.as<BlockSpec>().width, number_of<std::uint32_t>(asked), draw);
}

constexpr FrontStem k_stem = two_level_stem<BlockSpec>(3, block_answer, true);

Status check(Asked& asked) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::signs) return Status::unsupported_question;
  if (round.stem != Stem::block) return Status::bad_channel;
  if (!in_range(round.parameter[recipe::signs::bound], 1, 64u << 24) ||
      round.parameter[recipe::signs::scope] > k_scope_all || !takes_only_its_own(asked) || !spec_ends(round, 3)) {
    return Status::bad_field;
  }
  if (!model_fits(asked)) return Status::bad_dimension;
  if (const Status s = certify_front(asked, k_stem, kept_bytes_of<std::uint32_t>(1)); s != Status::ok) return s;
  if (round.spec[0] > scope_size(asked, round.parameter[recipe::signs::scope])) return Status::bad_dimension;
  plan_scratch(asked, k_workspace_slack + model_bytes(round));
  return link_good(round) ? Status::ok : Status::bad_field;
}

/// y - f(u), Q24; for the logistic link y is the class, 1 or 0.
[[nodiscard]] std::int64_t residual_q24(const Link& link, std::int32_t u_q24, Q15 target) noexcept {
  const std::int32_t as_class = target > 0 ? k_one : 0, as_number = target * 512;  // Q15 to Q24
  return std::int64_t{link.kind == LinkKind::logistic ? as_class : as_number} - link_at(link, u_q24).value_q24;
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept {
  const Round& round = asked.round;
  const ChosenRow chosen{asked, local};
  Workspace space = free_space(asked);
  std::int64_t residual = 0;
  if (chosen.held()) {
    residual =
        residual_q24(link_of(round), inner_product_q24(chosen.samples, 0, copy_model(round, space)), chosen.target());
  }
  std::uint32_t word = rounded_up(residual, round.parameter[recipe::signs::bound], coins) ? 0 : ~std::uint32_t{0};

  std::uint32_t coordinates[k_block_width_max];
  const std::span<std::uint32_t> block{coordinates, round.spec[0]};
  block_coordinates(asked.label, scope_size(asked, round.parameter[recipe::signs::scope]), block);
  for (std::uint32_t i = 0; i < block.size(); ++i) {
    const Q15 x = chosen.coordinate(asked, round.parameter[recipe::signs::scope], block[i]);
    word ^= (x < 0 ? 1u : 0u) << i;
  }
  number_of<std::uint32_t>(asked) = word;  // block() clears the bits beyond its width
}

void report(const Asked& asked, PrivateCoins& coins, const std::span<std::uint8_t>& payload) noexcept {
  report_front(asked, &k_stem, coins, payload);
}

}  // namespace

const Question k_block{QuestionKind::block, check, prepare, report};

}  // namespace sotto
