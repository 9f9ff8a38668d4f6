// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "bin.hpp"
#include "rounded_coin.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/spec/grr.hpp"
#include "sotto/wide.hpp"

namespace sotto {
namespace {

Status check(Asked& asked) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::cells) return check_bin(asked);
  const std::uint32_t cells = round.parameter[recipe::cells::count], scope = round.parameter[recipe::cells::scope];
  if (!in_range(cells, 2, 65536) || !in_range(round.parameter[recipe::cells::bound], 1, 32768) || scope > k_scope_all ||
      !takes_only_its_own(asked)) {
    return Status::bad_field;
  }
  const std::uint32_t features = fitting_size(asked, scope);
  if (features == 0) return Status::bad_dimension;
  if (const Status s = check_category(asked); s != Status::ok) return s;
  // 2 K^a by repeated multiplication, which stops before it overflows: a spec has at most 2^24 categories.
  std::uint64_t categories = 2;
  for (std::uint32_t j = 0; j < features && categories <= k_categories_max; ++j)
    categories = multiply_32(static_cast<std::uint32_t>(categories), cells);
  return categories == bins(round) ? Status::ok : Status::bad_dimension;
}

void prepare(const Asked& asked, const LocalData& local, PrivateCoins& coins) noexcept {
  const Round& round = asked.round;
  if (round.recipe != Recipe::cells) return prepare_bin(asked, local, coins);
  const std::uint32_t cells = round.parameter[recipe::cells::count], scope = round.parameter[recipe::cells::scope];
  const ChosenRow chosen{asked, local};
  std::uint32_t cell = 0;
  for (std::uint32_t j = scope_size(asked, scope); j-- > 0;) {  // Horner's scheme; the first feature has weight 1
    const auto above = static_cast<std::uint32_t>(chosen.coordinate(asked, scope, j) + 32768);
    cell = cell * cells + (above * cells >> 16);  // at most 65535 * 65536
  }
  const bool upper = rounded_up(chosen.target(), round.parameter[recipe::cells::bound], coins);
  number_of<std::uint32_t>(asked) = 2 * cell + (upper ? 1u : 0u);
}

}  // namespace

const Question k_bin_cells{QuestionKind::bin, check, prepare, report_category};

}  // namespace sotto
