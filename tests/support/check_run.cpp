// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// check_run FILE: reads the whole store of a run, as RunStore::check() does, and says what is wrong with it.
#include <cstdio>

#include "sotto/analyzer/store/run_store.hpp"

int main(int argc, char** argv) {
  using sotto::analyzer::RunStore;
  if (argc != 2) return 2;
  const auto store = RunStore::open(argv[1]);
  if (!store) {
    std::fprintf(stderr, "%s\n", store.error().message().c_str());
    return 1;
  }
  if (const auto checked = store.value()->check(); !checked) {
    std::fprintf(stderr, "%s\n", checked.error().message().c_str());
    return 1;
  }
  return 0;
}
