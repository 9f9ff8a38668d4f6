// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "scales_file.hpp"

#include "sotto/analyzer/data/scales_file.hpp"
#include "sotto/analyzer/data/table.hpp"

namespace sotto::analyzer::central {

Result<Scaling> read_scales(const std::filesystem::path& file, const Table& data, const std::string& target) {
  const auto read = ColumnScales::read(file);
  if (!read) return read.error();
  Scaling scaling;
  for (std::size_t j = 0; j < data.features.size(); ++j) {
    const std::string& name = data.features[j];
    if (data.sources[j].kind != FeatureSource::Kind::number && !read.value().has(name)) {
      scaling.features.push_back({.offset = 0, .deviation = 1});
      continue;
    }
    const auto scale = read.value().of(name);
    if (!scale) return scale.error();
    scaling.features.push_back(scale.value());
  }
  if (!target.empty()) {
    const auto scale = read.value().of(target);
    if (!scale) return scale.error();
    scaling.target = scale.value();
  }
  return scaling;
}

}  // namespace sotto::analyzer::central
