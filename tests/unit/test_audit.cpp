// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <set>

#include "sotto/analyzer/audit/audit.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"

namespace sotto::analyzer::audit {
namespace {

// Seeds are fixed, so that every run of these tests sees the same reports.

TEST(Audit, agrees_with_every_question_and_randomizer_of_the_device_library) {
  AuditOptions options;
  options.epsilons = {4 * k_epsilon_one};
  options.runs_factor = 2;
  const std::vector<AuditRow> rows = audit_all(options);
  std::set<std::string> stems, questions;
  for (const AuditRow& row : rows) {
    SCOPED_TRACE(row.question + " " + row.stem + " " + row.asking + " (" + row.parameters + ")");
    stems.insert(row.stem);
    questions.insert(row.question);
    EXPECT_LE(row.epsilon_lower_bound, row.epsilon_declared);
    EXPECT_LE(row.epsilon_delivered, row.epsilon_declared);
    EXPECT_GT(row.epsilon_delivered, row.epsilon_declared * (row.delta > 0 ? 0.9 : 1 - 1e-6));
    EXPECT_EQ(row.runs, 2 * k_audit_runs);
    EXPECT_EQ(verdict_name(row.verdict), "agrees") << "lower bound " << row.epsilon_lower_bound;
  }
  EXPECT_EQ(stems.size(), 11u) << "all stems were audited";
  EXPECT_EQ(questions.size(), 18u) << "all questions that a firmware can list";
  EXPECT_EQ(rows.size(), 41u + 12 + 1) << "pairs, two rounds of each way to draw, one over its cap";
}

TEST(Audit, reads_the_certified_thresholds_from_the_compiled_device) {
  for (const QuestionStem& which : question_stems()) {
    SCOPED_TRACE(std::string(which.question) + " " + which.stem);
    AskedPair pair;
    ask_pair(which, 2 * k_epsilon_one, pair);
    EXPECT_EQ(pair.coins.count == 0, which.is_gaussian);
    AuditRow row;
    row.verdict = Verdict::agrees;
    read_coins(which, pair, row);
    EXPECT_EQ(row.verdict, Verdict::agrees);
    EXPECT_EQ(row.read, row.certified);
    EXPECT_EQ(row.read.has_value(), !which.is_gaussian);
  }
}

TEST(Audit, says_when_the_device_draws_with_another_threshold_than_certified) {
  for (const QuestionStem& which : question_stems()) {
    for (const std::uint64_t off : {std::uint64_t{1}, ~std::uint64_t{0}}) {
      AskedPair pair;
      ask_pair(which, 2 * k_epsilon_one, pair);
      if (pair.coins.count == 0) continue;
      pair.coins.threshold[pair.coins.count - 1] += off;
      AuditRow row;
      row.verdict = Verdict::agrees;
      read_coins(which, pair, row);
      EXPECT_EQ(row.verdict, Verdict::misdrawn) << which.question << " " << which.stem;
    }
  }
}

TEST(Audit, agrees_under_the_systems_entropy_too) {
  const AuditRow row = audit({question_stems().data(), Asking::once, 4 * k_epsilon_one}, system_entropy(), 2000, 1e-6);
  EXPECT_LE(row.epsilon_lower_bound, row.epsilon_declared);
  EXPECT_GT(row.epsilon_lower_bound, 1);
}

TEST(Audit, says_when_the_library_refuses) {
  const AuditRow row = audit({question_stems().data(), Asking::once, k_epsilon_one}, EntropySource{}, 100, 0.001);
  EXPECT_EQ(row.verdict, Verdict::refused);
  EXPECT_EQ(row.runs, 0u);
  EXPECT_EQ(row.parameters, "refused: entropy_not_ready");
}

TEST(Audit, says_when_the_device_would_not_certify_the_epsilon) {
  for (const EpsilonNano epsilon : {EpsilonNano{0}, k_epsilon_max + 1}) {
    AuditOptions options;
    options.epsilons = {epsilon};
    for (const AuditRow& row : audit_all(options)) {
      EXPECT_EQ(row.verdict, Verdict::refused) << row.stem;
      EXPECT_NE(row.stem, "gaussian") << "it has certified points only";
    }
  }
}

TEST(Audit, leaves_out_a_gaussian_point_that_is_not_certified) {
  EXPECT_EQ(audit_cases({3 * k_epsilon_one}).size(), 37u + 11 + 1);
  EXPECT_EQ(audit_cases({4 * k_epsilon_one}).size(), 41u + 12 + 1);
}

}  // namespace
}  // namespace sotto::analyzer::audit
