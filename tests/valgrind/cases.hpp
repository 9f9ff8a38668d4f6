// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <span>

namespace sotto {

struct Case {
  const char* name;
  void (*run)();
};

std::span<const Case> seal_cases();
std::span<const Case> randomizer_cases();
std::span<const Case> session_cases();

}  // namespace sotto
