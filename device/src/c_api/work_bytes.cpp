// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The C names of the work space sizes that sotto/local computes.
#include "sotto/questions.h"

#include "sotto/local/hadamard_projection.hpp"
#include "sotto/local/lasso.hpp"
#include "sotto/local/least_squares.hpp"
#include "sotto/local/screen.hpp"
#include "sotto/local/update.hpp"

size_t sotto_screen_work_bytes(uint32_t rows, bool mapped) { return sotto::screen_work_bytes(rows, mapped); }

size_t sotto_lasso_work_bytes(uint32_t rows, uint32_t columns) { return sotto::lasso_work_bytes(rows, columns); }

size_t sotto_least_squares_work_bytes(uint32_t columns) { return sotto::least_squares_work_bytes(columns); }

size_t sotto_update_work_bytes(uint32_t keep) { return sotto::update_work_bytes(keep); }

size_t sotto_hadamard_project_work_bytes(uint32_t block) { return sotto::hadamard_project_work_bytes(block); }

size_t sotto_gathered_bytes(uint32_t rows, uint32_t columns, bool mapped) {
  return mapped ? 0 : std::size_t{rows} * (columns + std::size_t{1}) * sizeof(sotto::Q15);
}
