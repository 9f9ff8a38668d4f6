// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>

#include "csv_number.hpp"
#include "sotto/analyzer/data/table_reader.hpp"
#include "table_layout.hpp"

namespace sotto::analyzer {
namespace {

/// The first line of the file that this frame would be: names and roles are then those of read_table().
std::string header_of(const NumberFrame& frame) {
  std::string text;
  const auto add = [&text](const std::string& name) {
    text += text.empty() ? "\"" : ",\"";
    for (const char c : name) text += c == '"' ? "\"\"" : std::string(1, c);
    text += '"';
  };
  if (!frame.user_column.empty()) add(frame.user_column);
  for (const NumberView& column : frame.columns) add(column.name);
  return text + "\n";
}

/// The columns of a frame that features are made of, in order.
struct FrameFeature {
  const NumberView* column = nullptr;
  bool is_missing = false;  ///< the feature is whether the value is missing
};

class FrameReader {
 public:
  FrameReader(const NumberFrame& frame, const TableColumns& how, const TableLayout& layout) : frame_(frame), how_(how) {
    const std::size_t shift = frame.user_column.empty() ? 0 : 1;
    if (layout.target != k_no_column && layout.target >= shift) target_ = &frame.columns[layout.target - shift];
    for (const std::size_t at : layout.features) {
      if (at < shift) continue;
      const NumberView& column = frame.columns[at - shift];
      features_.push_back({&column, false});
      table_.features.push_back(layout.names[at]);
      table_.sources.push_back({FeatureSource::Kind::number, layout.names[at]});
      const bool says_missing =
          std::ranges::any_of(how.is_missing, [&](const auto& each) { return column_name(each) == layout.names[at]; });
      if (!says_missing) continue;
      features_.push_back({&column, true});
      table_.features.push_back(fmt::format("{} is missing", layout.names[at]));
      table_.sources.push_back({FeatureSource::Kind::missing, layout.names[at]});
    }
  }

  Result<Table> read() {
    if (frame_.rows == 0)
      return Error{"data.no_rows", fmt::format("{}: there are columns but no rows", frame_.name), "", "add rows"};
    if (const auto grouped = group(); !grouped) return grouped.error();
    table_.x.reserve(frame_.rows * features_.size());
    table_.y.reserve(frame_.rows);
    for (const std::uint64_t row : order_) {
      if (const auto good = add(row); !good) return good.error();
    }
    const bool varies = std::ranges::any_of(table_.y, [&](float y) { return y != table_.y.front(); });
    if (how_.target_varies && target_ != nullptr && !varies) {
      return Error{
          "data.constant_target", fmt::format("{}: the target {} is the same in every row", frame_.name, how_.target),
          fmt::format("{:g}", table_.y.front()), "name a target that varies: features cannot explain a constant one"};
    }
    return std::move(table_);
  }

 private:
  [[nodiscard]] Error refuse(std::string_view code, std::uint64_t row, std::string what, double value) const {
    return {code, fmt::format("{}: row {}: {}", frame_.name, row, what), fmt::format("{}", value),
            "fill it in, or drop the row"};
  }

  Result<Done> add(std::uint64_t row) {
    for (const FrameFeature& feature : features_) {
      const double value = feature.column->at(row);
      const auto number = static_cast<float>(value);
      if (feature.is_missing) {
        table_.x.push_back(std::isnan(value) ? 1.0f : 0.0f);
        continue;
      }
      if (std::isinf(number))
        return refuse("data.not_finite", row,
                      fmt::format("{} is not a finite number of at most 3.4e38", feature.column->name), value);
      if (std::isnan(value) && !how_.keeps_missing)
        return refuse("data.not_a_number", row, fmt::format("{} is missing", feature.column->name), value);
      table_.x.push_back(number);
    }
    const double y = target_ == nullptr ? 0 : target_->at(row);
    if (std::isnan(y)) return refuse("data.not_a_number", row, fmt::format("the target {} is missing", how_.target), y);
    if (std::isinf(static_cast<float>(y)))
      return refuse("data.not_finite", row, fmt::format("{} is not a finite number of at most 3.4e38", how_.target), y);
    table_.y.push_back(static_cast<float>(y));
    return Done{};
  }

  /// The order in which rows are read: by user, and as they stand within each.
  Result<Done> group() {
    order_.resize(frame_.rows);
    std::iota(order_.begin(), order_.end(), std::uint64_t{0});
    if (how_.user.empty()) {
      table_.first_row.resize(frame_.rows + 1);
      std::iota(table_.first_row.begin(), table_.first_row.end(), std::uint64_t{0});
      for (std::size_t row = 0; row < frame_.rows; ++row) table_.users.push_back(std::to_string(row + 1));
    } else if (frame_.users.size() != frame_.rows) {
      return Error{"data.same_column", fmt::format("{}: the users are not given beside the numbers", frame_.name),
                   how_.user, "name another column for the user"};
    } else {
      table_.users = frame_.user_names;
      table_.first_row.assign(table_.users.size() + 1, 0);
      for (const std::uint32_t user : frame_.users) ++table_.first_row[user + 1];
      std::partial_sum(table_.first_row.begin(), table_.first_row.end(), table_.first_row.begin());
      std::ranges::stable_sort(order_, {}, [&](std::uint64_t row) { return frame_.users[row]; });
    }
    if (table_.users.size() >= how_.least_users) return Done{};
    return Error{"data.one_user", fmt::format("{}: all rows belong to one user", frame_.name), table_.users[0],
                 "privacy of users needs many of them: name the column that identifies users"};
  }

  const NumberFrame& frame_;
  const TableColumns& how_;
  const NumberView* target_ = nullptr;
  std::vector<FrameFeature> features_;
  std::vector<std::uint64_t> order_;
  Table table_;
};

}  // namespace

double NumberView::at(std::size_t row) const noexcept {
  const std::byte* const place = first + static_cast<std::ptrdiff_t>(row) * stride;
  if (is_double) {
    double value = 0;
    std::memcpy(&value, place, sizeof value);
    return value;
  }
  float value = 0;
  std::memcpy(&value, place, sizeof value);
  return value;
}

Result<Table> read_frame(const NumberFrame& frame, const TableColumns& columns) {
  if (!columns.levels.empty() || !columns.positive.empty()) {
    return Error{"data.numbers_only", fmt::format("{}: levels are of columns of text, and all are numbers", frame.name),
                 columns.positive.empty() ? columns.levels.front().column : columns.positive,
                 "pass a frame whose column holds text"};
  }
  CsvReader header(TextSource::of(frame.name, header_of(frame)));
  const auto layout = read_layout(header, columns);
  if (!layout) return layout.error();
  return FrameReader(frame, columns, layout.value()).read();
}

}  // namespace sotto::analyzer
