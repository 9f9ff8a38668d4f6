// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <gtest/gtest.h>

#include <new>

#include "regression_kit.hpp"

namespace sotto::analyzer {
namespace {

TEST(RunProtocol, what_a_thread_throws_reaches_the_caller) {
  SyntheticSpec spec;
  spec.devices = 2000;
  spec.features = 8;
  spec.samples_low = spec.samples_high = 4;
  spec.nonzeros = 2;
  const SyntheticWorld world(spec);
  RegressionRunOptions options;
  options.threads = 3;
  options.is_stopped = []() -> bool { throw std::bad_alloc(); };  // asked from the threads
  const Result<Study> study = study_of(terms_of(spec, "cascade", 8, false));
  ASSERT_TRUE(study.ok()) << study.error().message();
  EXPECT_THROW((void)run_regression(study.value(), world, options), std::bad_alloc);
}

}  // namespace
}  // namespace sotto::analyzer
