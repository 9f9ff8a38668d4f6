// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "prepare_dense.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "scales_file.hpp"
#include "sotto/analyzer/central/moments.hpp"
#include "sotto/analyzer/data/columns.hpp"
#include "sotto/analyzer/data/table_warnings.hpp"
#include "sotto/analyzer/data/target_values.hpp"

namespace sotto::analyzer::central {
namespace {

constexpr double k_target_share = 0.2;  // share of the payment for scales that the target gets

/// All coefficients depend on the scale of a regression's target, so it has a share of its own.
void pay_for_scales(PreparedData& data, const Table& table, const DataSettings& s, const MomentsPayment& payment) {
  const double for_target = s.loss == Loss::logistic ? 0 : k_target_share * payment.precision;
  PaidMoments features = pay_moments(table.x, table.features.size(), s.transform, payment.precision - for_target,
                                     payment.adjacency, payment.coins);
  data.scales = std::move(features.scales);
  data.paid = std::move(features.releases);
  data.is_common_range = features.is_common_range;
  data.scales_source = ScalesSource::paid;
  if (for_target == 0) return;
  const PaidMoments target = pay_moments(table.y, 1, Transform::none, for_target, payment.adjacency, payment.coins);
  data.target_scale = target.scales.front();
  data.paid.insert(data.paid.end(), target.releases.begin(), target.releases.end());
}

/// Scales the table in place, so that the rows are in memory only once.
Result<Done> standardise(PreparedData& data, Table& table, const DataSettings& s, const MomentsPayment* payment) {
  if (s.scales_file.empty() && payment != nullptr) {
    pay_for_scales(data, table, s, *payment);
  } else if (s.scales_file.empty()) {
    std::vector<std::uint32_t> users(table.users.size());
    std::iota(users.begin(), users.end(), 0u);
    const Scaling measured = measure_scaling(table, users, s.transform, Outliers::clipped);
    data.scales = measured.features;
    data.target_scale = measured.target;
    data.scales_source = ScalesSource::exact;
    data.assumed_public.emplace_back(
        "offsets and deviations of the columns: computed from these rows, and not paid for");
  } else {
    const auto read = read_scales(s.scales_file, table, s.loss == Loss::logistic ? "" : s.target);
    if (!read) return read.error();
    data.scales = read.value().features;
    data.target_scale = read.value().target;
    data.scales_source = ScalesSource::given;
    data.assumed_public.push_back(
        fmt::format("offsets and deviations of the columns, from {}", s.scales_file.string()));
  }
  data.assumed_public.push_back(fmt::format(
      "a feature is clipped at {:g} of these deviations from its offset; one that is missing (empty, NA, N/A, NaN, "
      "null) stands at its offset",
      k_standard_clip));
  const std::size_t d = table.features.size();
  for (std::size_t i = 0; i < table.x.size(); ++i) {
    const Scale& scale = data.scales[i % d];
    const double v = (transformed(table.x[i], s.transform) - scale.offset) / scale.deviation;
    table.x[i] = std::isnan(v) ? 0 : static_cast<float>(std::clamp(v, -k_standard_clip, k_standard_clip));
  }
  if (s.loss == Loss::logistic) data.target_scale = {};
  constexpr double k_max = std::numeric_limits<float>::max();
  for (float& y : table.y)
    y = static_cast<float>(std::clamp((y - data.target_scale.offset) / data.target_scale.deviation, -k_max, k_max));
  return Done{};
}

/// The kinds of the columns and their levels describe the format of a file and are assumed to be public.
void state_columns(PreparedData& data, const Table& table) {
  if (!table.dates.empty())
    data.assumed_public.push_back(
        fmt::format("which columns hold dates, and are left out: {}", fmt::join(table.dates, ", ")));
  for (const ColumnLevels& column : table.levels)
    data.assumed_public.push_back(fmt::format("the levels of {}, which were given: {}; any other text is \"other\"",
                                              column.column, fmt::join(column.levels, ", ")));
}

}  // namespace

Result<Done> read_dense(PreparedData& data, const DataSettings& s, const MomentsPayment* payment) {
  const TableColumns columns{.user = "",
                             .target = s.target,
                             .left_out = s.left_out,
                             .levels = s.levels,
                             .leaves_out_dates = true,
                             .keeps_missing = true,
                             .is_missing = s.is_missing,
                             .positive = s.positive,
                             .target_varies = true};
  auto read = s.rows ? s.rows(columns) : read_table(s.file, columns);
  if (!read) return read.error();
  Table table = std::move(read).value();
  if (s.is_count) {
    if (const auto made = read_targets_as(TargetKind::count, s.target, table); !made) return made.error();
    data.is_count = true;
    data.assumed_public.push_back(
        fmt::format("{0} is a count, and the model is one of log(1 + {0}); so are its errors", s.target));
  }
  data.warnings = identifier_warnings(table);
  state_columns(data, table);
  if (s.scaling == RowScaling::standard) {
    if (const auto done = standardise(data, table, s, payment); !done) return done;
  } else {
    data.assumed_public.emplace_back("a feature that is missing (empty, NA, N/A, NaN, null) counts as 0");
    for (float& v : table.x) v = std::isnan(v) ? 0 : static_cast<float>(transformed(v, s.transform));
  }
  data.names = std::move(table.features);
  data.sources = std::move(table.sources);
  data.levels = std::move(table.levels);
  data.notes = std::move(table.notes);
  data.target = s.target;
  data.positive = field_level(s.positive);
  data.problem.y = std::move(table.y);
  data.problem.x = Rows::dense(std::move(table.x), data.names.size());
  return Done{};
}

}  // namespace sotto::analyzer::central
