// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Computes the local vector of direction, value and bin: one function for each recipe, and the size of its work space.
#include "vector_answer.hpp"

#include "round_link.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/least_squares.hpp"
#include "sotto/local/mean.hpp"
#include "sotto/local/scores.hpp"

namespace sotto {
namespace {

[[nodiscard]] bool is_gradient(Recipe recipe) noexcept {
  return recipe == Recipe::gradient || recipe == Recipe::row_gradient;
}

[[nodiscard]] std::size_t even(std::size_t count) noexcept { return count + (count & 1u); }

[[nodiscard]] std::size_t least_squares_bytes(const Asked& asked) noexcept {
  const std::size_t columns = asked.round.model_size;
  const std::size_t copy = copies_rows(asked) ? asked.manifest.nominal_rows * (columns + 1) : 0;
  return (even(columns) + copy) * sizeof(std::uint16_t) + least_squares_work_bytes(columns);
}

[[nodiscard]] std::size_t scores_bytes(const Asked& asked) noexcept {
  const std::uint32_t m = asked.manifest.nominal_rows;
  return (asked.round.model_size == 0 ? 0 : m * sizeof(std::int32_t)) + screen_work_bytes(m, asked.mapped);
}

// Each recipe is out of line: together their stack frames would be too large for a device.

[[gnu::noinline]] void least_squares_of(const Asked& asked, const Samples& samples, const SparseModel& model,
                                        Workspace& space, const std::span<std::int32_t>& out) noexcept {
  const std::span<std::uint16_t> offsets = space.take<std::uint16_t>(even(model.feature.size()));
  const std::span<Q15> copy = space.take<Q15>(gathered_size(samples, model.feature.size()));
  const ColumnView view = gather_columns(samples, model.feature, offsets, copy);
  least_squares({asked.manifest.nominal_rows, asked.round.parameter[recipe::vector::ridge]}, view,
                model.value_q24.data(), space.rest(), out);
}

[[gnu::noinline]] void scores_of(const Asked& asked, const Samples& samples, const SparseModel& model, Workspace& space,
                                 const std::span<std::int32_t>& out) noexcept {
  const std::span<std::int32_t> residual = take_residuals(samples, model, space);
  cubed_scores({asked.manifest.nominal_rows, asked.manifest.unit_q15}, samples, residual, space.rest(), out);
}

[[gnu::noinline]] void gradient_of(const Asked& asked, Samples& samples, const SparseModel& model,
                                   const std::span<const std::uint16_t>& chosen, Workspace& space,
                                   const std::span<std::int32_t>& out) noexcept {
  GradientSpec spec = gradient_spec(asked);
  if (asked.round.recipe == Recipe::row_gradient) {  // one row, if the device holds it
    keep_row(samples, chosen_row(asked.label, asked.manifest.nominal_rows));
    spec.nominal_rows = 1;
  }
  gradient(spec, samples, model, chosen, space.rest(), out);
}

}  // namespace

Status plan_vector(const Asked& asked, VectorPlan& plan) noexcept {
  const Round& round = asked.round;
  const bool scores = round.recipe == Recipe::scores;
  const std::uint32_t scope = round.parameter[recipe::vector::scope];  // zero if the recipe does not use it
  std::uint32_t size = fitting_size(asked, scores ? k_scope_all : scope);
  std::size_t work = 0;
  bool good = scope <= k_scope_all;
  if (round.recipe == Recipe::least_squares) {
    if (size > k_least_squares_columns_max) size = 0;
    good = in_range(round.parameter[recipe::vector::ridge], k_ridge_q24_min, k_ridge_q24_max);
    work = least_squares_bytes(asked);
  } else if (scores) {
    work = scores_bytes(asked);
  } else {
    if (!is_gradient(round.recipe) && round.recipe != Recipe::means) return Status::unsupported_question;
    const std::uint32_t rows = round.recipe == Recipe::row_gradient ? 1 : asked.manifest.nominal_rows;
    work = gradient_work_bytes(asked.manifest.units, asked.mapped, rows);
    if (round.recipe == Recipe::means) work -= rows * sizeof(std::int32_t);  // the column alone
  }
  if (!good || !takes_only_its_own(asked)) return Status::bad_field;
  if (size == 0) return Status::bad_dimension;
  plan = {size, k_workspace_slack + size * sizeof(std::int32_t) + model_bytes(round) + work};
  return Status::ok;
}

Status plan_vector_space(Asked& asked, const VectorPlan& plan) noexcept {
  plan_scratch(asked, plan.work_bytes);
  return is_gradient(asked.round.recipe) ? check_gradient(asked.round) : Status::ok;
}

std::span<std::int32_t> vector_answer(const Asked& asked, const LocalData& local) noexcept {
  const Round& round = asked.round;
  Samples samples = nominal_samples(asked, local.samples);
  VectorPlan plan;
  (void)plan_vector(asked, plan);
  Workspace space = free_space(asked);
  const std::span<std::int32_t> out = space.take<std::int32_t>(plan.size);
  const SparseModel model = copy_model(round, space);
  std::span<const std::uint16_t> chosen = model.feature;
  if (round.parameter[recipe::vector::scope] == k_scope_all) chosen = {};  // no list means all features
  if (round.recipe == Recipe::least_squares) {
    least_squares_of(asked, samples, model, space, out);
  } else if (round.recipe == Recipe::scores) {
    scores_of(asked, samples, model, space, out);
  } else if (round.recipe == Recipe::means) {
    column_means(asked.manifest.nominal_rows, samples, model, chosen, space.take_data<Q15>(samples.rows), out);
  } else {
    gradient_of(asked, samples, model, chosen, space, out);
  }
  return out;
}

}  // namespace sotto
