// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "scales_file.hpp"

#include <unordered_map>

#include <fmt/format.h>

#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer::central {

Result<Scaling> read_scales(const std::filesystem::path& file, const Table& data, const std::string& target) {
  // Read as a table with one user for each line: the user's name is the column's, the one feature is the offset, and
  // the target is the deviation.
  const auto read = read_table(file, {.user = "name", .target = "deviation", .least_users = 1});
  if (!read) return read.error();
  const Table& table = read.value();
  if (table.features.size() != 1 || table.features.front() != "offset") {
    return Error{"data.bad_scale", fmt::format("{}: the columns are not name, offset and deviation", file.string()),
                 fmt::format("{}", fmt::join(table.features, ", ")), "write one line for each column of the data"};
  }
  std::unordered_map<std::string, std::size_t> row_of;
  for (std::size_t u = 0; u < table.users.size(); ++u) row_of.emplace(table.users[u], table.first_row[u]);
  const auto find = [&](const std::string& name) -> Result<Scale> {
    const auto at = row_of.find(name);
    if (at == row_of.end()) {
      return Error{"data.missing_scale", fmt::format("{}: a column of the data has no line", file.string()), name,
                   "add name,offset,deviation for it"};
    }
    const Scale scale{.offset = table.x[at->second], .deviation = table.y[at->second]};
    if (scale.deviation > 0) return scale;
    return Error{"data.bad_scale", fmt::format("{}: a deviation is not positive", file.string()),
                 fmt::format("{}: {:g}", name, scale.deviation), "give a deviation above 0"};
  };
  Scaling scaling;
  for (std::size_t j = 0; j < data.features.size(); ++j) {
    const std::string& name = data.features[j];
    if (data.sources[j].kind != FeatureSource::Kind::number && !row_of.contains(name)) {
      scaling.features.push_back({.offset = 0, .deviation = 1});
      continue;
    }
    const auto scale = find(name);
    if (!scale) return scale.error();
    scaling.features.push_back(scale.value());
  }
  if (!target.empty()) {
    const auto scale = find(target);
    if (!scale) return scale.error();
    scaling.target = scale.value();
  }
  return scaling;
}

}  // namespace sotto::analyzer::central
