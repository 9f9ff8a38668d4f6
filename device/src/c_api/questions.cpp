// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The questions of sotto.h.
#include "sotto.h"
#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/number.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/question/top.hpp"
#include "sotto/question/update.hpp"
#include "sotto/question/value.hpp"
#include "sotto/question/vote.hpp"

// Each function has a section of its own, so that a question which the firmware does not list is not linked.
namespace {

const sotto_question* in_c(const sotto::Question& question) noexcept {
  return reinterpret_cast<const sotto_question*>(&question);
}

}  // namespace

const sotto_question* sotto_bin(void) { return in_c(sotto::k_bin); }
const sotto_question* sotto_bin_cells(void) { return in_c(sotto::k_bin_cells); }
const sotto_question* sotto_block(void) { return in_c(sotto::k_block); }
const sotto_question* sotto_category(void) { return in_c(sotto::k_vote_given); }
const sotto_question* sotto_direction(void) { return in_c(sotto::k_direction); }
const sotto_question* sotto_label(void) { return in_c(sotto::k_label); }
const sotto_question* sotto_label_noisy(void) { return in_c(sotto::k_label_noisy); }
const sotto_question* sotto_moments(void) { return in_c(sotto::k_moments); }
const sotto_question* sotto_moments_fourier(void) { return in_c(sotto::k_moments_fourier); }
const sotto_question* sotto_number(void) { return in_c(sotto::k_number); }
const sotto_question* sotto_sketch(void) { return in_c(sotto::k_sketch); }
const sotto_question* sotto_synopsis(void) { return in_c(sotto::k_synopsis); }
const sotto_question* sotto_top(void) { return in_c(sotto::k_top); }
const sotto_question* sotto_update(void) { return in_c(sotto::k_update); }
const sotto_question* sotto_update_noisy(void) { return in_c(sotto::k_update_noisy); }
const sotto_question* sotto_value(void) { return in_c(sotto::k_value); }
const sotto_question* sotto_vote(void) { return in_c(sotto::k_vote); }
const sotto_question* sotto_vote_given(void) { return in_c(sotto::k_vote_given); }
const sotto_question* sotto_vote_screen(void) { return in_c(sotto::k_vote_screen); }

size_t sotto_vote_work_bytes(uint32_t nominal_rows, uint32_t keep, bool mapped) {
  return sotto::vote_work_bytes(nominal_rows, keep, mapped);
}
