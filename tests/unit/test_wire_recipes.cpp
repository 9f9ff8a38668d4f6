// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "sotto/wire/recipe.hpp"

namespace sotto {
namespace {

using Cells = std::vector<std::string>;

/// The cells of a row of a Markdown table.
Cells cells_of(const std::string& line) {
  Cells cells;
  for (std::size_t at = 1; at < line.size();) {
    const std::size_t end = line.find('|', at);
    if (end == std::string::npos) break;
    std::string cell = line.substr(at, end - at);
    cell.erase(0, std::min(cell.find_first_not_of(' '), cell.size()));
    cell.erase(cell.find_last_not_of(' ') + 1);
    cells.push_back(cell);
    at = end + 1;
  }
  return cells;
}

/// The table of recipes in WIRE.md, without its head.
std::vector<Cells> documented_rows() {
  std::ifstream file(SOTTO_WIRE_SPEC);
  std::vector<Cells> rows;
  bool inside = false;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("| recipe | [0] |")) {
      inside = true;
    } else if (inside && !line.starts_with('|')) {
      break;
    } else if (inside && !line.starts_with("| ---")) {
      rows.push_back(cells_of(line));
    }
  }
  return rows;
}

Cells row_in_code(const recipe::Row& row) {
  Cells cells(2 + k_parameter_places);
  cells.front() = std::to_string(static_cast<unsigned>(row.recipe)) + " " + row.name;
  for (const Parameter& p : row.parameter) {
    if (p.place < k_parameter_places) cells[1 + p.place] = p.name;
  }
  const auto add = [&](std::uint32_t bit, const char* name) {
    if ((row.also & bit) != 0) cells.back() += (cells.back().empty() ? "" : ", ") + std::string(name);
  };
  add(recipe::k_model, "model");
  add(recipe::k_link, "link");
  add(recipe::k_ranges, "ranges");
  add(recipe::k_centred, "centred");
  return cells;
}

TEST(WireRecipes, the_table_in_the_code_is_the_table_in_the_specification) {
  const std::vector<Cells> documented = documented_rows();
  ASSERT_EQ(documented.size(), std::size(recipe::k_rows));
  for (std::size_t i = 0; i < documented.size(); ++i) EXPECT_EQ(row_in_code(recipe::k_rows[i]), documented[i]);
}

TEST(WireRecipes, every_recipe_has_its_row_and_no_place_has_two_names) {
  ASSERT_EQ(std::size(recipe::k_rows), k_recipe_last + 1u);
  for (std::size_t i = 0; i < std::size(recipe::k_rows); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(recipe::k_rows[i].recipe), i);
    std::array<int, k_parameter_places> names{};
    for (const Parameter& p : recipe::k_rows[i].parameter) {
      if (p.place < k_parameter_places) ++names[p.place];
    }
    for (std::uint32_t place = 0; place < k_parameter_places; ++place) {
      EXPECT_LE(names[place], 1) << recipe::k_rows[i].name << " has two parameters at place " << place;
      EXPECT_EQ(recipe::takes_place(recipe::k_rows[i].recipe, place), names[place] == 1);
    }
  }
}

}  // namespace
}  // namespace sotto
