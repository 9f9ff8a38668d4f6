// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Computes the local vector of direction, value and bin: one function for each recipe, and the size of its work space.
#include "vector_answer.hpp"

#include "round_link.hpp"
#include "sotto/arithmetic/q24_ops.hpp"
#include "sotto/local/least_squares.hpp"
#include "sotto/local/level.hpp"
#include "sotto/local/mean.hpp"

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

// Each recipe is out of line: together their stack frames would be too large for a device.

[[gnu::noinline]] void least_squares_of(const Asked& asked, const Samples& samples, const SparseModel& model,
                                        Workspace& space, const std::span<std::int32_t>& out) noexcept {
  const std::span<std::uint16_t> offsets = space.take<std::uint16_t>(even(model.feature.size()));
  const std::span<Q15> copy = space.take<Q15>(gathered_size(samples, model.feature.size()));
  const ColumnView view = gather_columns(samples, model.feature, offsets, copy);
  least_squares({asked.manifest.nominal_rows, asked.round.parameter[recipe::vector::ridge]}, view,
                model.value_q24.data(), space.rest(), out);
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

[[nodiscard]] LevelSpec level_spec(const Round& round) noexcept {
  return {round.parameter[recipe::levels::measure],
          static_cast<std::int32_t>(round.parameter[recipe::levels::target_centre]),
          static_cast<std::int32_t>(round.parameter[recipe::levels::fit_centre])};
}

/// Vectors are asked by direction, which has a radius, numbers by value and bin, which have none. Own units have no
/// levels.
[[gnu::noinline]] Status check_levels(const Asked& asked) noexcept {
  const Round& round = asked.round;
  const std::uint32_t measure = round.parameter[recipe::levels::measure];
  const bool is_vector = measure <= k_level_columns, has_model = measure != k_level_target;
  const auto is_centre = [&round](const Parameter& centre, bool taken) noexcept {
    const std::uint32_t most = taken ? k_level_centre_q24_max : 0;
    return round.parameter[centre] + most <= 2 * most;  // from -most to most
  };
  if (measure > k_level_better || is_vector != (round.parameter[recipe::levels::radius] != 0) ||
      asked.manifest.units == RowUnits::own || !takes_only_its_own(asked) ||
      !is_centre(recipe::levels::target_centre, measure != k_level_columns) ||
      !is_centre(recipe::levels::fit_centre, measure == k_level_better)) {
    return Status::bad_field;
  }
  return model_fits(asked) && (round.model_size != 0) == has_model ? Status::ok : Status::bad_dimension;
}

}  // namespace

std::uint32_t vector_size(const Asked& asked) noexcept {
  if (asked.round.recipe == Recipe::levels)
    return level_size(asked.round.parameter[recipe::levels::measure], asked.round.model_size);
  return scope_size(asked, asked.round.parameter[recipe::vector::scope]);  // zero if the recipe does not use it
}

Status check_vector(const Asked& asked) noexcept {
  const Round& round = asked.round;
  if (round.recipe == Recipe::levels) return check_levels(asked);
  bool good = round.parameter[recipe::vector::scope] <= k_scope_all && takes_only_its_own(asked);
  std::uint32_t size_max = k_features_max;
  if (round.recipe == Recipe::least_squares) {
    size_max = k_least_squares_columns_max;
    good = good && in_range(round.parameter[recipe::vector::ridge], k_ridge_q24_min, k_ridge_q24_max);
  } else if (is_gradient(round.recipe)) {
    good = good && check_gradient(round) == Status::ok;
  } else if (round.recipe != Recipe::means) {
    return Status::unsupported_question;
  }
  if (!good) return Status::bad_field;
  return model_fits(asked) && in_range(vector_size(asked), 1, size_max) ? Status::ok : Status::bad_dimension;
}

void plan_vector(Asked& asked) noexcept {
  const Round& round = asked.round;
  std::size_t work = 0;
  if (round.recipe == Recipe::least_squares) {
    work = least_squares_bytes(asked);
  } else if (round.recipe == Recipe::levels) {
    work = buffered_rows(RowUnits::stated, asked.mapped, asked.manifest.nominal_rows) * sizeof(Q15);
  } else {
    const std::uint32_t rows = round.recipe == Recipe::row_gradient ? 1 : asked.manifest.nominal_rows;
    work = gradient_work_bytes(asked.manifest.units, asked.mapped, rows);
    if (round.recipe == Recipe::means) work -= rows * sizeof(std::int32_t);  // the column alone
  }
  plan_scratch(asked, k_workspace_slack + vector_size(asked) * sizeof(std::int32_t) + model_bytes(round) + work);
}

std::span<std::int32_t> vector_answer(const Asked& asked, const LocalData& local) noexcept {
  const Round& round = asked.round;
  Samples samples = nominal_samples(asked, local.samples);
  Workspace space = free_space(asked);
  const std::span<std::int32_t> out = space.take<std::int32_t>(vector_size(asked));
  const SparseModel model = copy_model(round, space);
  if (round.recipe == Recipe::levels) {
    const std::size_t rows = buffered_rows(RowUnits::stated, asked.mapped, asked.manifest.nominal_rows);
    level_answer(level_spec(round), samples, model, space.take_data<Q15>(rows), out);
    return out;
  }
  std::span<const std::uint16_t> chosen = model.feature;
  if (round.parameter[recipe::vector::scope] == k_scope_all) chosen = {};  // no list means all features
  if (round.recipe == Recipe::least_squares) {
    least_squares_of(asked, samples, model, space, out);
  } else if (round.recipe == Recipe::means) {
    column_means(asked.manifest.nominal_rows, samples, model, chosen, space.take_data<Q15>(samples.rows), out);
  } else {
    gradient_of(asked, samples, model, chosen, space, out);
  }
  return out;
}

}  // namespace sotto
