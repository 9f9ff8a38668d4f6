// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "sotto/analyzer/ingest/reason.hpp"
#include "sotto/analyzer/store/statement.hpp"

// Rows of the tables `batches` and `fates`.
namespace sotto::analyzer {

/// A batch that is about to be stored.
struct BatchRow {
  std::uint16_t round = 0;
  std::uint64_t number = 0;
  std::uint64_t taken_back = 0;  ///< earlier readings that its reports contradict
  std::span<const std::uint8_t> bytes, readings;
  ReasonCounts counts;
};

/// Stores a batch with its counts and their seals. Call it inside a transaction.
[[nodiscard]] Result<Done> put_batch_row(const Database& database, const BatchRow& row);

[[nodiscard]] std::string batch_name(std::uint16_t round, std::uint64_t number);
[[nodiscard]] Error closed_round(std::string name);
[[nodiscard]] Error other_index(std::string name);
[[nodiscard]] Error other_study(std::string name);

}  // namespace sotto::analyzer
