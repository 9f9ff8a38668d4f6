// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/ingest/batch.hpp"

namespace sotto::analyzer {

std::optional<std::span<const std::uint8_t>> BatchReader::next() noexcept {
  if (left_.empty() || torn_) return std::nullopt;
  const std::size_t size = left_.size() < 2 ? 0 : left_[0] | static_cast<std::size_t>(left_[1]) << 8;
  torn_ = left_.size() < 2 || left_.size() - 2 < size;
  if (torn_) return std::nullopt;
  const std::span<const std::uint8_t> report = left_.subspan(2, size);
  left_ = left_.subspan(2 + size);
  return report;
}

void append_report(std::vector<std::uint8_t>& batch, std::span<const std::uint8_t> report) {
  batch.push_back(static_cast<std::uint8_t>(report.size()));
  batch.push_back(static_cast<std::uint8_t>(report.size() >> 8));
  batch.insert(batch.end(), report.begin(), report.end());
}

}  // namespace sotto::analyzer
