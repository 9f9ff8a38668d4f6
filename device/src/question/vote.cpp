// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/question/vote.hpp"

#include <initializer_list>

#include "sotto/local/pick.hpp"
#include "sotto/local/scad.hpp"
#include "sotto/local/screen.hpp"
#include "vote_state.hpp"

namespace sotto {
namespace {

constexpr std::uint32_t k_visits_max = 65536;

[[nodiscard]] bool selects(Recipe recipe) noexcept { return recipe == Recipe::lasso || recipe == Recipe::scad; }

[[nodiscard]] std::size_t lists_bytes(std::uint32_t keep) noexcept {
  return keep * (sizeof(ScreenedColumn) + sizeof(std::int32_t) + 2 * sizeof(std::uint16_t));
}

/// The work space beside the lists: first for screening; then the same bytes hold the columns of rows that come from a
/// hook, and the Lasso.
[[nodiscard]] std::size_t selection_bytes(std::uint32_t rows, std::uint32_t keep, bool mapped, bool copies) noexcept {
  const std::size_t copy = copies ? std::size_t{rows} * (keep + 1) * sizeof(Q15) : 0;
  const std::size_t first = screen_work_bytes(rows, mapped), second = copy + lasso_work_bytes(rows, keep);
  return k_workspace_slack + lists_bytes(keep) + (first > second ? first : second);
}

Status check(Asked& asked) noexcept {
  if (!selects(asked.round.recipe)) return check_screened_vote(asked);
  const Parameters& p = asked.round.parameter;
  const std::uint32_t columns = p[recipe::selection::columns], visits = p[recipe::selection::visits];
  if (columns == 0 || columns > k_lasso_columns_max ||
      p[recipe::selection::pick] > static_cast<std::uint32_t>(Pick::weighted) || visits == 0 || visits > k_visits_max ||
      asked.round.model_size != 0) {
    return Status::bad_field;
  }
  constexpr std::uint32_t k_parameters = recipe::parameter_count(Recipe::lasso);
  static_assert(k_parameters == recipe::parameter_count(Recipe::scad));
  const Status status = check_vote(asked, k_parameters, 0);
  plan_scratch(asked, selection_bytes(asked.manifest.nominal_rows, columns, asked.mapped, copies_rows(asked)));
  return status;
}

/// check() has checked the parameters of every call below, all public; none can refuse.
[[nodiscard]] std::uint32_t selected(const Asked& asked, const Samples& samples, PrivateCoins& coins) noexcept {
  const Parameters& p = asked.round.parameter;
  const std::uint32_t d = asked.manifest.features, m = asked.manifest.nominal_rows;
  const std::uint32_t columns = p[recipe::selection::columns], keep = columns < d ? columns : d;
  Workspace space = free_space(asked);
  const std::span<ScreenedColumn> best = space.take<ScreenedColumn>(keep);
  const std::span<std::int32_t> beta = space.take<std::int32_t>(keep);
  const std::span<std::uint16_t> chosen = space.take<std::uint16_t>(keep), offsets = space.take<std::uint16_t>(keep);
  screen({m, asked.manifest.unit_q15}, samples, {}, space.rest(), best);
  for (std::uint32_t j = 0; j < keep; ++j) chosen[j] = best[j].column;
  const std::span<Q15> copy = space.take<Q15>(gathered_size(samples, keep));
  const ColumnView view = gather_columns(samples, chosen, offsets, copy);
  const ScadSpec spec{
      {.nominal_rows = m, .lambda_q24 = p[recipe::selection::lambda], .visits = p[recipe::selection::visits]},
      asked.manifest.unit_q15};
  scad(spec, asked.round.recipe == Recipe::scad ? k_scad_rounds : 0, view, space.rest(), beta);
  std::uint32_t feature = d;
  (void)pick(static_cast<Pick>(p[recipe::selection::pick]), chosen, beta, d, coins, feature);
  return feature;
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept {
  if (!selects(asked.round.recipe)) return prepare_screened_vote(asked, local, coins);
  voted_feature(asked) = selected(asked, nominal_samples(asked, local.samples), coins);
}

}  // namespace

std::size_t vote_work_bytes(std::uint32_t nominal_rows, std::uint32_t keep, bool mapped) noexcept {
  std::size_t bytes_max = selection_bytes(nominal_rows, keep, mapped, true);
  for (const Recipe recipe : {Recipe::screen, Recipe::largest_mean}) {
    const std::size_t bytes = screened_vote_bytes({recipe, nominal_rows, k_round_model_max, mapped});
    bytes_max = bytes > bytes_max ? bytes : bytes_max;
  }
  return k_workspace_slack + kept_bytes_of<std::uint32_t>(1) + bytes_max;
}

const Question k_vote{QuestionKind::vote, check, prepare, report_vote};

}  // namespace sotto
