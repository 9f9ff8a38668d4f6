// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "simulate_file.hpp"

#include <fmt/format.h>

#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/data/missing.hpp"
#include "sotto/analyzer/data/table_warnings.hpp"

namespace sotto::cli {

using analyzer::Error;
using analyzer::FleetSource;
using analyzer::OnceTask;
using analyzer::Result;

namespace {

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Result<analyzer::Table> read_file_table(const SimulateOptions& o, FileNotes& notes) {
  auto levels = read_levels(o.table);
  if (!levels) return levels.error();
  Result<analyzer::Table> read = analyzer::read_table(o.data, {.user = o.user_column,
                                                               .target = o.target,
                                                               .left_out = o.table.leave_out,
                                                               .levels = std::move(levels).value(),
                                                               .takes_levels_from_data = true,
                                                               .leaves_out_dates = true,
                                                               .keeps_missing = true,
                                                               .is_missing = o.table.is_missing,
                                                               .positive = o.table.positive,
                                                               .target_varies = true});
  if (!read) return read;
  analyzer::Table& table = read.value();
  append(notes.notes, table.notes);
  append(notes.notes, analyzer::fill_missing(table));
  append(notes.notes, analyzer::outlier_notes(table, o.table.positive.empty() ? o.target : ""));
  append(notes.warnings, analyzer::identifier_warnings(table));
  return read;
}

}  // namespace

Result<analyzer::OnceTerms> once_terms(const SimulateOptions& o) {
  analyzer::OnceTerms terms;
  terms.degree = o.degree;
  if (o.delta > 0) {
    const auto delta = analyzer::delta_from_chance(o.delta, "--delta");
    if (!delta) return delta.error();
    terms.delta = delta.value();
  }
  return terms;
}

Result<FleetSource> file_source(const SimulateOptions& o, std::optional<OnceTask> task, FileNotes& notes) {
  Result<analyzer::Table> table = read_file_table(o, notes);
  if (!table) return table.error();
  if (table.value().features.size() < 2 && task != OnceTask::function) {
    return Error{"simulate.bad_features", fmt::format("{}: only one column is left for the features", o.data),
                 table.value().features.front(), k_two_features_fix};
  }
  FleetSource source;
  source.table = o.row_is_device || task ? one_row_each(std::move(table).value()) : std::move(table).value();
  source.target = o.target;
  source.transform = o.transform == "log" ? analyzer::Transform::log : analyzer::Transform::none;
  source.outliers = analyzer::Outliers::clipped;
  source.test_share = o.test_share;
  if (const auto link = analyzer::parse_link(o.link)) source.link = link.value();
  if (!task) return source;
  const auto terms = once_terms(o);
  if (!terms) return terms.error();
  source.once = {.task = *task};
  source.once_terms = terms.value();
  source.link = *task == OnceTask::logistic ? analyzer::TargetLink::logistic : analyzer::TargetLink::identity;
  if (!o.user_column.empty())
    notes.notes.push_back(
        fmt::format("{}: a device of this protocol holds one record, so that every row is a device "
                    "of its own; --user-column {} only names a column that is no feature",
                    o.data, o.user_column));
  return source;
}

}  // namespace sotto::cli
