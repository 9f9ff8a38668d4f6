// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

/// \file
/// Reads the features of a model from the columns of a file: levels of words, and whether a value is missing.

#include <cstddef>
#include <string>
#include <vector>

#include "sotto/analyzer/data/columns.hpp"
#include "sotto/analyzer/model/model.hpp"
#include "sotto/analyzer/result.hpp"

namespace sotto::cli {

/// The columns of a file that the features of a model are made of. The model must outlive it.
class FeatureColumns {
 public:
  FeatureColumns(const analyzer::Model& model, const std::vector<std::string>& features);

  /// The columns to read.
  [[nodiscard]] const std::vector<std::string>& names() const { return names_; }
  /// One vector of readings for each row, in the order of the features, from fields that begin with names(). A word is 1
  /// at its level, or at "other", and 0 elsewhere. `may_miss`: what is missing becomes NaN.
  /// Refuses   data.not_a_number: with the line; a missing value unless it may miss.
  [[nodiscard]] analyzer::Result<std::vector<std::vector<double>>> readings(const analyzer::ColumnFields& fields,
                                                                            const std::string& data,
                                                                            bool may_miss) const;

  /// What a feature is made of; a plain number has the column of its own name.
  struct Source {
    std::string column;
    const analyzer::ModelColumn* words = nullptr;  ///< of a level or "other"
    std::string level;
    bool is_missing = false;
    std::size_t at = 0;  ///< of the column in names()
  };

 private:
  std::vector<Source> sources_;
  std::vector<std::string> names_;
};

}  // namespace sotto::cli
