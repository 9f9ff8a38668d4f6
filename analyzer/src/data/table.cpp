// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/table.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "csv_number.hpp"
#include "feature_column.hpp"
#include "sotto/analyzer/data/columns.hpp"
#include "sotto/analyzer/data/table_reader.hpp"
#include "table_layout.hpp"

namespace sotto::analyzer {
namespace {

/// Collects rows in the file's order, with the index of their user.
class TableBuilder {
 public:
  TableBuilder(CsvReader& csv, TableLayout layout, const TableColumns& how)
      : csv_(csv), layout_(std::move(layout)), how_(how), positive_(field_level(how.positive)) {
    for (const std::size_t at : layout_.features) columns_.emplace_back(layout_.names[at], how);
  }

  std::optional<Error> add(const std::vector<std::string_view>& fields) {
    if (fields.size() != layout_.names.size()) {
      return csv_.refuse("data.ragged_row",
                         fmt::format("the header has {} fields, this line {}", layout_.names.size(), fields.size()), "",
                         "check for a missing field, or a separator in a field that is not quoted");
    }
    float y = 0;
    if (layout_.target != k_no_column) {
      if (auto wrong = target(fields[layout_.target], y)) return wrong;
    }
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      float x = 0;
      if (auto wrong = columns_[j].read(csv_, fields[layout_.features[j]], x)) return wrong;
      table_.x.push_back(x);
    }
    user_of_row_.push_back(layout_.user == k_no_column ? new_user(std::to_string(table_.y.size() + 1))
                                                       : find_user(fields[layout_.user]));
    table_.y.push_back(y);
    return {};
  }

  Result<Table> finish() {
    if (table_.y.empty()) {
      return Error{"data.no_rows", fmt::format("{}: the file has a header but no rows", csv_.file()), "", "add rows"};
    }
    if (table_.users.size() < how_.least_users) {
      return Error{"data.one_user", fmt::format("{}: all rows belong to one user", csv_.file()), table_.users[0],
                   "privacy of users needs many of them: name the column that identifies users"};
    }
    if (auto wrong = constant_target()) return *std::move(wrong);
    if (auto wrong = make_features()) return *std::move(wrong);
    add_notes();
    group();
    return std::move(table_);
  }

 private:
  std::optional<Error> target(std::string_view text, float& out) {
    const std::string& name = layout_.names[layout_.target];
    const bool is_word = !how_.positive.empty();
    const Number parsed = is_word ? Number::not_a_number : parse_number(text, csv_.separator() == ';', out);
    if (parsed == Number::good) return {};
    if (parsed == Number::not_finite)
      return csv_.refuse("data.not_finite", fmt::format("{} is not a finite number of at most 3.4e38", name), text,
                         "fill it in, or drop the row");
    if (is_missing(text))
      return csv_.refuse("data.not_a_number", fmt::format("the target {} is missing", name), text,
                         "fill it in, or drop the row");
    if (is_word) {
      out = field_level(text) == positive_ ? 1 : 0;
      return {};
    }
    return csv_.refuse("data.not_a_number", fmt::format("the target {} is not a number", name), text,
                       fmt::format("if {} is one of two classes, --positive \"{}\" makes that one 1 and all others 0; "
                                   "else fill in a number, drop the row, or name another target",
                                   name, trimmed(text)));
  }

  std::optional<Error> constant_target() const {
    if (!how_.target_varies || layout_.target == k_no_column) return {};
    const bool varies = std::ranges::any_of(table_.y, [&](float y) { return y != table_.y.front(); });
    if (varies) return {};
    const std::string& name = layout_.names[layout_.target];
    return Error{"data.constant_target", fmt::format("{}: the target {} is the same in every row", csv_.file(), name),
                 how_.positive.empty()
                     ? fmt::format("{:g}", table_.y.front())
                     : fmt::format("{} \"{}\"", table_.y.front() == 0 ? "never" : "always", how_.positive),
                 how_.positive.empty() ? "name a target that varies: features cannot explain a constant one"
                                       : "write --positive exactly as the level is in the file"};
  }

  /// Converts the stored fields to features; nothing has to be done where all columns are plain numbers.
  std::optional<Error> make_features() {
    for (const FeatureColumn& column : columns_) {
      column.describe(table_);
      if (column.is_dates()) table_.dates.push_back(column.name());
    }
    if (table_.features.empty())
      return Error{"data.no_features", fmt::format("{}: no column is left for the features", csv_.file()), "",
                   "columns of dates are not features"};
    std::unordered_set<std::string> seen;
    for (const std::string& name : table_.features) {
      if (!seen.insert(name).second)
        return Error{"data.duplicate_column", fmt::format("{}: two features have the same name", csv_.file()), name,
                     "rename the column or the level"};
    }
    if (std::ranges::all_of(columns_, &FeatureColumn::is_plain)) return {};
    std::vector<float> x;
    x.reserve(table_.rows() * table_.features.size());
    for (std::size_t i = 0; i < table_.x.size(); ++i) columns_[i % columns_.size()].expand(table_.x[i], x);
    table_.x = std::move(x);
    return {};
  }

  void add_notes() {
    if (csv_.separator() != ',')
      table_.notes.push_back(
          fmt::format("{}: fields are separated by {}, as the first line shows", csv_.file(),
                      csv_.separator() == ';' ? "semicolons, and a comma in a number is its point" : "tabs"));
    for (const std::string& name : table_.dates)
      table_.notes.push_back(
          fmt::format("{}: {} holds dates and is left out: write a number, such as days since a "
                      "date, if it matters",
                      csv_.file(), name));
    for (const ColumnLevels& column : table_.levels) {
      const bool is_given =
          std::ranges::any_of(how_.levels, [&](const auto& g) { return column_name(g.column) == column.column; });
      if (!is_given)
        table_.notes.push_back(fmt::format(
            "{}: {} holds text. Its {} levels were taken from the rows and are assumed "
            "to be public: a study states them, --levels {}={}",
            csv_.file(), column.column, column.levels.size(), column.column, fmt::join(column.levels, ",")));
    }
  }

  std::uint32_t new_user(std::string name) {
    table_.users.push_back(std::move(name));
    return static_cast<std::uint32_t>(table_.users.size() - 1);
  }

  std::uint32_t find_user(std::string_view name) {
    if (!user_of_row_.empty() && table_.users[user_of_row_.back()] == name) return user_of_row_.back();
    const auto [at, fresh] = number_of_.try_emplace(std::string(name), static_cast<std::uint32_t>(table_.users.size()));
    return fresh ? new_user(std::string(name)) : at->second;
  }

  /// Groups the rows by user with a counting sort: stable, and skipped for files that are sorted already.
  void group() {
    table_.first_row.assign(table_.users.size() + 1, 0);
    for (const std::uint32_t user : user_of_row_) ++table_.first_row[user + 1];
    std::partial_sum(table_.first_row.begin(), table_.first_row.end(), table_.first_row.begin());
    if (std::is_sorted(user_of_row_.begin(), user_of_row_.end())) return;

    const std::size_t d = table_.features.size();
    std::vector<std::uint64_t> next(table_.first_row.begin(), table_.first_row.end() - 1);
    std::vector<float> x(table_.x.size()), y(table_.y.size());
    for (std::size_t row = 0; row < y.size(); ++row) {
      const std::uint64_t to = next[user_of_row_[row]]++;
      y[to] = table_.y[row];
      std::copy_n(table_.x.data() + row * d, d, x.data() + to * d);
    }
    table_.x = std::move(x);
    table_.y = std::move(y);
  }

  CsvReader& csv_;
  TableLayout layout_;
  const TableColumns& how_;
  std::string positive_;  ///< how_.positive, normalised by field_level()
  std::vector<FeatureColumn> columns_;
  Table table_;
  std::vector<std::uint32_t> user_of_row_;
  std::unordered_map<std::string, std::uint32_t> number_of_;
};

}  // namespace

namespace {

Result<Table> read_from(CsvReader csv, const TableColumns& columns) {
  auto layout = read_layout(csv, columns);
  if (!layout) return layout.error();

  TableBuilder builder(csv, std::move(layout).value(), columns);
  std::vector<std::string_view> fields;
  for (;;) {
    const auto more = csv.next(fields);
    if (!more) return more.error();
    if (!more.value()) return builder.finish();
    if (auto wrong = builder.add(fields)) return *std::move(wrong);
  }
}

}  // namespace

Result<Table> read_table(const std::filesystem::path& file, const TableColumns& columns) {
  auto source = TextSource::open(file);
  if (!source) return source.error();
  return read_from(CsvReader(std::move(source).value()), columns);
}

Result<Table> read_table_text(const std::string& name, const std::string& text, const TableColumns& columns) {
  return read_from(CsvReader(TextSource::of(name, text)), columns);
}

Table one_row_each(Table table) {
  table.users.clear();
  table.first_row.clear();
  for (std::size_t row = 0; row < table.rows(); ++row) {
    table.users.push_back(std::to_string(row));
    table.first_row.push_back(row);
  }
  table.first_row.push_back(table.rows());
  return table;
}

}  // namespace sotto::analyzer
