// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include "question.hpp"
#include "sotto/question/top.hpp"
#include "sotto/wire/manifest.hpp"

// The keys of category, crosstab and top in the table [question].
namespace sotto::analyzer {
namespace {

constexpr std::size_t k_cells_max = 1024;  // of a cross-tab: its test weighs every pair of cells

/// Names, or a number of things without names.
std::vector<std::string> read_names(StudyTable& table, std::string_view key, std::string_view one) {
  std::vector<std::string> names;
  if (table.is_array(key)) {
    names = table.names(key);
    if (!table.failed() && (names.size() < 2 || names.size() > k_features_max))
      table.refuse(k_bad_value, key, fmt::format("holds {}, and must hold 2 to {} names", names.size(), k_features_max),
                   names.size() < 2 ? "there is nothing to ask about one; kind = \"event\" asks whether it happened"
                                    : "kind = \"top\" finds the most common of any number of names");
    return names;
  }
  const std::uint32_t count =
      table.whole(key, 2, k_features_max, k_bad_value,
                  "there is nothing to ask about one, and kind = \"top\" finds the most common of more");
  for (std::uint32_t i = 0; i < count && !table.failed(); ++i) names.push_back(fmt::format("{} {}", one, i));
  return names;
}

}  // namespace

std::string read_category(StudyTable& table, const std::string& kind, EverydayTerms& terms, std::uint32_t& features) {
  CategoryTerms& category = terms.category;
  if (kind != "category" && terms.periods > 1) {
    table.refuse(k_bad_value, "kind", fmt::format("is {}, which takes no [schedule]", kind),
                 "leave [schedule] out, or ask for the shares of a list of categories");
    return {};
  }
  if (kind == "top") {
    terms.top.strings = table.word("of", {"id64", "string"}, true) == "string";
    terms.top.length = k_item_key_bits / 8;
    if (terms.top.strings)
      terms.top.length = table.whole("length", 1, k_item_bytes_max, k_bad_value,
                                     "bytes of a string that are read; what is longer is cut there");
    features = 1;
    return terms.top.strings ? fmt::format("which string it has, its first {} bytes", terms.top.length)
                             : "which id of 64 bits it has";
  }
  if (kind == "category") {
    category.names = read_names(table, "categories", "category");
    features = static_cast<std::uint32_t>(category.names.size());
    return fmt::format("which of {} categories it is in, or none of them", features);
  }
  category.rows = read_names(table, "rows", "row");
  category.columns = read_names(table, "columns", "column");
  const std::size_t cells = category.rows.size() * category.columns.size();
  if (!table.failed() && cells > k_cells_max)
    table.refuse(k_bad_value, "rows",
                 fmt::format("and columns make {} cells, and a cross-tab has at most {}", cells, k_cells_max),
                 "put rare rows and columns together");
  features = static_cast<std::uint32_t>(cells);
  return fmt::format("in which cell of {} rows and {} columns it is, or in none", category.rows.size(),
                     category.columns.size());
}

}  // namespace sotto::analyzer
