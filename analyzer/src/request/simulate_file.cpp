// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "simulate_file.hpp"

#include <fmt/format.h>

#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/data/missing.hpp"
#include "sotto/analyzer/data/table_warnings.hpp"
#include "sotto/analyzer/data/target_values.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

namespace sotto::analyzer::request {

namespace {

void append(std::vector<std::string>& to, std::vector<std::string> more) {
  to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

Result<Table> read_file_table(const SimulateOptions& o, bool by_devices, FileNotes& notes) {
  auto levels = read_levels(o.table);
  if (!levels) return levels.error();
  const TableColumns columns{.user = o.user_column,
                             .target = o.target,
                             .left_out = o.table.leave_out,
                             .levels = std::move(levels).value(),
                             .takes_levels_from_data = true,
                             .leaves_out_dates = true,
                             .keeps_missing = true,
                             .is_missing = o.table.is_missing,
                             .positive = o.table.positive,
                             .target_varies = true};
  Result<Table> read = o.rows ? o.rows(columns) : read_table(o.data, columns);
  if (!read) return read;
  Table& table = read.value();
  append(notes.notes, table.notes);
  append(notes.notes, by_devices ? missing_notes(table) : fill_missing(table));
  append(notes.notes, outlier_notes(table, o.table.positive.empty() ? o.target : ""));
  append(notes.warnings, identifier_warnings(table));
  return read;
}

/// Whether a target of zeros and ones is taken for classes: where the protocol is free to choose how it learns them.
bool may_be_class(const SimulateOptions& o) {
  const ProtocolFacts* const named = find_protocol(o.protocol);
  return named == nullptr || named->from_all_rows;
}

/// What the target is, by the options or by its values; classes become 0 and 1, counts their logarithms.
Result<Done> read_target(const SimulateOptions& o, std::optional<OnceTask> task, FleetSource& source,
                         FileNotes& notes) {
  if (const auto link = parse_link(o.link)) source.link = link.value();
  Table& table = *source.table;
  if (task) source.link = *task == OnceTask::logistic ? TargetLink::logistic : TargetLink::identity;
  if (task == OnceTask::logistic) source.kind = TargetKind::two_classes;
  if (task || o.target.empty()) return Done{};
  const std::optional<TargetKind> asked = parse_target_kind(o.target_kind);
  const bool is_logistic = source.link == TargetLink::logistic;
  if (asked && is_logistic && *asked != TargetKind::two_classes)
    return Error{"usage", "the link logistic is that of a class", "--target-kind " + o.target_kind,
                 "leave one of --link and --target-kind out"};
  source.kind = asked.value_or(TargetKind::number);
  if (is_logistic) {
    source.kind = TargetKind::two_classes;
    if (!asked && !targets_are_classes(table)) {
      notes.notes.push_back(fmt::format("{}: {} has more than two values; the upper class is above its mean, {:.4g}",
                                        o.data, o.target, make_classes_by_mean(table)));
    }
  } else if (!asked && may_be_class(o) && targets_are_classes(table)) {
    source.kind = TargetKind::two_classes;
    notes.notes.push_back(
        fmt::format("{}: {} is one of two values in every row and is taken for a class; --target-kind number takes it "
                    "for a number",
                    o.data, o.target));
  }
  if (source.kind == TargetKind::count)
    notes.notes.push_back(fmt::format("{}: the model is one of log(1 + {}), and so are its errors", o.data, o.target));
  return read_targets_as(source.kind, o.target, table);
}

}  // namespace

Result<OnceTerms> once_terms(const SimulateOptions& o) {
  OnceTerms terms;
  terms.degree = o.degree;
  if (o.delta > 0) {
    const auto delta = delta_from_chance(o.delta, "--delta");
    if (!delta) return delta.error();
    terms.delta = delta.value();
  }
  return terms;
}

Result<FleetSource> file_source(const SimulateOptions& o, std::optional<OnceTask> task, FileNotes& notes) {
  // A device with several rows has a mean of its own; one row has none.
  Result<Table> table = read_file_table(o, !task && !o.row_is_device && !o.user_column.empty(), notes);
  if (!table) return table.error();
  if (table.value().features.size() < 2 && task != OnceTask::function) {
    return Error{"simulate.bad_features", fmt::format("{}: only one column is left for the features", o.data),
                 table.value().features.front(), k_two_features_fix};
  }
  FleetSource source;
  source.table = o.row_is_device || task ? one_row_each(std::move(table).value()) : std::move(table).value();
  source.target = o.target;
  source.transform = o.transform == "log" ? Transform::log : Transform::none;
  source.outliers = Outliers::clipped;
  source.test_share = o.test_share;
  if (const auto read = read_target(o, task, source, notes); !read) return read.error();
  if (!task) return source;
  const auto terms = once_terms(o);
  if (!terms) return terms.error();
  source.once = {.task = *task};
  source.once_terms = terms.value();
  if (!o.user_column.empty())
    notes.notes.push_back(
        fmt::format("{}: a device of this protocol holds one record, so that every row is a device "
                    "of its own; --user-column {} only names a column that is no feature",
                    o.data, o.user_column));
  return source;
}

}  // namespace sotto::analyzer::request
