// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any text as a model: refused with the path, or a model that is written and read back as itself, predicts, and has a page.
#include "fuzz_bytes.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model_file.hpp"

using namespace sotto;
using namespace sotto::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const analyzer::Result<analyzer::Model> read = analyzer::read_model(text_of({data, size}), "fuzz");
  if (!read) {
    must(!read.error().code.empty());
    return 0;
  }
  const analyzer::Model& model = read.value();
  const std::string text = analyzer::model_json(model);
  const analyzer::Result<analyzer::Model> again = analyzer::read_model(text, "fuzz");
  must(again.ok() && analyzer::model_json(again.value()) == text);
  if (!model.function.inputs.empty()) {
    const std::vector<double> readings(model.function.inputs.size(), 0.5);
    static_cast<void>(model.function(readings));
  }
  must(!analyzer::html::model_page(model).empty());
  return 0;
}
