// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cstdio>
#include <cstring>

#include "sample_model.hpp"
#include "sotto/analyzer/model/model_file.hpp"

/// The sample models as files for tests in other languages: sample_models sample|empty|hostile.
int main(int argc, char** argv) {
  using namespace sotto::analyzer;
  const char* name = argc == 2 ? argv[1] : "";
  Model model;
  if (std::strcmp(name, "sample") == 0) {
    model = sample_model();
  } else if (std::strcmp(name, "empty") == 0) {
    model = empty_model();
  } else if (std::strcmp(name, "hostile") == 0) {
    model = hostile_model();
  } else {
    return 2;
  }
  std::fputs(model_json(model).c_str(), stdout);
  return 0;
}
