// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// A vote by a local selection: what is refused before a row is read.
#include "question_harness.hpp"
#include "sotto/local/lasso.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/spec/vote.hpp"

extern "C" {
void setUp() {}
void tearDown() {}
}

namespace {

using namespace sotto;
using H = AskedQuestion;

AskedQuestion asked;

void bad_selections_are_refused() {
  for (const Recipe recipe : {Recipe::lasso, Recipe::scad}) {
    asked.begin(51);
    asked.through(VoteSpec{.features = k_asked_features});
    asked.ask(recipe, {});
    asked.round.parameter[recipe::selection::columns] = k_asked_features;
    asked.round.parameter[recipe::selection::lambda] = 1000;
    asked.round.parameter[recipe::selection::visits] = 500;
    const auto refused = [](Status wanted, auto change) { expect_refused(asked, k_vote, wanted, change); };
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::selection::columns] = 0; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::selection::columns] = k_lasso_columns_max + 1; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::selection::pick] = 3; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::selection::visits] = 0; });
    refused(Status::bad_field, [](H& h) { h.round.parameter[recipe::selection::visits] = 65537; });
    refused(Status::bad_field, [](H& h) { h.model({{0, 0}}); });
    refused(Status::short_buffer, [](H& h) { h.manifest.nominal_rows = 1024; });
  }
}

}  // namespace

int main() {
  UNITY_BEGIN();
  RUN_TEST(bad_selections_are_refused);
  return UNITY_END();
}
