// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "bind.hpp"

// The module sotto._sotto: the analyzer's library as sotto/*.py use it. Options come in the words of the command line,
// so that one parser checks them; results go as the JSON that the command line writes.
PYBIND11_MODULE(_sotto, module) {
  module.doc() = "The analyzer's library; use the package sotto.";
  module.attr("__version__") = SOTTO_VERSION;
  sotto::python::bind_channel(module);
  sotto::python::bind_fit(module);
  sotto::python::bind_plan(module);
  sotto::python::bind_reports(module);
  sotto::python::bind_simulate(module);
  sotto::python::bind_study(module);
}
