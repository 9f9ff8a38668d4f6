// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/table.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numeric>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <fmt/format.h>

#include "../text/did_you_mean.hpp"
#include "csv.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_features_max = 65535;
constexpr std::size_t k_none = std::numeric_limits<std::size_t>::max();

/// The position of each column in a record.
struct Layout {
  std::size_t columns = 0;
  std::size_t user = k_none, target = k_none, left_out = k_none;
  std::size_t least_users = 0;
  std::vector<std::size_t> features;
  std::vector<std::string> names;  ///< names of all columns
};

Result<std::size_t> find_column(const CsvReader& csv, const Layout& layout, const std::string& name,
                                std::string_view what) {
  const auto at = std::find(layout.names.begin(), layout.names.end(), column_name(name));
  if (at != layout.names.end()) return static_cast<std::size_t>(at - layout.names.begin());
  const std::string_view near = did_you_mean(name, layout.names);
  constexpr std::size_t k_shown = 10;
  const std::size_t shown = std::min(layout.names.size(), k_shown);
  return csv.refuse("data.unknown_column", fmt::format("there is no {}", what), name,
                    !near.empty()
                        ? fmt::format("did you mean {}?", near)
                        : fmt::format("the columns are: {}{}",
                                      fmt::join(layout.names.begin(),
                                                layout.names.begin() + static_cast<std::ptrdiff_t>(shown), ", "),
                                      shown < layout.names.size() ? ", ..." : ""));
}

Result<Layout> read_header(CsvReader& csv, const TableColumns& columns) {
  std::vector<std::string_view> fields;
  const auto found = csv.next(fields);
  if (!found) return found.error();
  if (!found.value()) {
    return Error{"data.empty_file", fmt::format("{}: the file is empty", csv.file()), "",
                 "the first line names the columns"};
  }
  Layout layout;
  layout.columns = fields.size();
  layout.least_users = columns.least_users;
  std::unordered_set<std::string> seen;
  for (const std::string_view field : fields) {
    const std::string name = column_name(field);
    if (!seen.insert(name).second) {
      return csv.refuse("data.duplicate_column", "two columns have the same name", name, "rename or drop one of them");
    }
    layout.names.push_back(name);
  }
  if (!columns.target.empty()) {
    const auto target = find_column(csv, layout, columns.target, "column for the target");
    if (!target) return target.error();
    layout.target = target.value();
  }
  if (!columns.user.empty()) {
    const auto user = find_column(csv, layout, columns.user, "column for the user");
    if (!user) return user.error();
    layout.user = user.value();
    if (layout.user == layout.target) {
      return csv.refuse("data.same_column", "the user and the target are the same column", columns.user,
                        "name two columns");
    }
  }
  if (!columns.left_out.empty()) {
    const auto left_out = find_column(csv, layout, columns.left_out, "column that is left out");
    if (!left_out) return left_out.error();
    layout.left_out = left_out.value();
    if (layout.left_out == layout.target) {
      return csv.refuse("data.same_column", "the target is the column that is left out", columns.left_out,
                        "name two columns");
    }
  }
  for (std::size_t i = 0; i < layout.columns; ++i) {
    const bool has_a_role = i == layout.user || i == layout.target || i == layout.left_out;
    if (!has_a_role && !layout.names[i].starts_with("meta_")) layout.features.push_back(i);
  }
  if (layout.features.empty()) {
    return csv.refuse("data.no_features", "no column is left for the features", "",
                      "columns named meta_... are not features");
  }
  if (layout.features.size() > k_features_max) {
    return csv.refuse("data.too_many_features", "a study has at most 65535 features",
                      std::to_string(layout.features.size()), "drop columns, or name them meta_...");
  }
  return layout;
}

enum class Number { good, not_a_number, not_finite };

/// Parses up to seven digits with or without a decimal point. Both parts of the quotient are exact floats (digits <
/// 2^24, 10^k for k <= 10), so it is rounded only once and equals the result of from_chars, at a third of the time.
bool parse_short(std::string_view text, float& out) {
  constexpr float k_power[] = {1, 1e1f, 1e2f, 1e3f, 1e4f, 1e5f, 1e6f, 1e7f};
  const bool negative = text.starts_with('-');
  text.remove_prefix(negative ? 1 : 0);
  if (text.empty() || text.size() > 8) return false;
  std::uint32_t digits = 0;
  std::size_t behind = 0, count = 0;
  bool point = false;
  for (const char c : text) {
    if (c >= '0' && c <= '9') {
      digits = digits * 10 + static_cast<std::uint32_t>(c - '0');
      ++count;
      behind += point;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      return false;
    }
  }
  if (count == 0 || count > 7) return false;
  out = static_cast<float>(digits) / k_power[behind];
  if (negative) out = -out;
  return true;
}

Number parse(std::string_view text, float& out) {
  if (parse_short(text, out)) return Number::good;
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t')) text.remove_suffix(1);
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (end != text.data() + text.size() || text.empty()) return Number::not_a_number;
  if (status == std::errc()) return std::isfinite(out) ? Number::good : Number::not_finite;
  // The value is too large or too small for a float, and from_chars does not say which.
  out = static_cast<float>(std::strtod(std::string(text).c_str(), nullptr));
  return std::isfinite(out) ? Number::good : Number::not_finite;
}

/// Collects rows in the file's order, with the index of their user.
class TableBuilder {
 public:
  TableBuilder(CsvReader& csv, Layout layout) : csv_(csv), layout_(std::move(layout)) {}

  std::optional<Error> add(const std::vector<std::string_view>& fields) {
    if (fields.size() != layout_.columns) {
      return csv_.refuse("data.ragged_row",
                         fmt::format("the header has {} fields, this line {}", layout_.columns, fields.size()), "",
                         "check for a missing field or an unquoted comma");
    }
    float y = 0;
    if (layout_.target != k_none) {
      if (auto wrong = number(fields, layout_.target, y)) return wrong;
    }
    for (const std::size_t at : layout_.features) {
      float x = 0;
      if (auto wrong = number(fields, at, x)) return wrong;
      table_.x.push_back(x);
    }
    user_of_row_.push_back(layout_.user == k_none ? new_user(std::to_string(table_.y.size() + 1))
                                                  : find_user(fields[layout_.user]));
    table_.y.push_back(y);
    return {};
  }

  Result<Table> finish() {
    if (table_.y.empty()) {
      return Error{"data.no_rows", fmt::format("{}: the file has a header but no rows", csv_.file()), "", "add rows"};
    }
    if (table_.users.size() < layout_.least_users) {
      return Error{"data.one_user", fmt::format("{}: all rows belong to one user", csv_.file()), table_.users[0],
                   "privacy of users needs many of them: name the column that identifies users"};
    }
    for (const std::size_t at : layout_.features) table_.features.push_back(std::move(layout_.names[at]));
    group();
    return std::move(table_);
  }

 private:
  std::optional<Error> number(const std::vector<std::string_view>& fields, std::size_t at, float& out) {
    const Number parsed = parse(fields[at], out);
    if (parsed == Number::good) return {};
    const std::string& name = layout_.names[at];
    if (parsed == Number::not_finite) {
      return csv_.refuse("data.not_finite", fmt::format("{} is not a finite number of at most 3.4e38", name),
                         fields[at], "fill it in, or drop the row");
    }
    return csv_.refuse("data.not_a_number",
                       fmt::format("{} {}", name, fields[at].empty() ? "is missing" : "is not a number"), fields[at],
                       fmt::format("fill it in, drop the row, or rename the column to meta_{}", name));
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
  Layout layout_;
  Table table_;
  std::vector<std::uint32_t> user_of_row_;
  std::unordered_map<std::string, std::uint32_t> number_of_;
};

}  // namespace

Result<Table> read_table(const std::filesystem::path& file, const TableColumns& columns) {
  auto source = TextSource::open(file);
  if (!source) return source.error();
  CsvReader csv(std::move(source).value());
  auto layout = read_header(csv, columns);
  if (!layout) return layout.error();

  TableBuilder builder(csv, std::move(layout).value());
  std::vector<std::string_view> fields;
  for (;;) {
    const auto more = csv.next(fields);
    if (!more) return more.error();
    if (!more.value()) return builder.finish();
    if (auto wrong = builder.add(fields)) return *std::move(wrong);
  }
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
