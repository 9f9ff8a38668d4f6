// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "error.hpp"

#include "sotto/analyzer/text/printable.hpp"

namespace sotto::python {

namespace py = pybind11;

void raise(const analyzer::Error& error) {
  const py::object type = py::module_::import("sotto._errors").attr("Error");
  const py::object made = type(std::string(error.code), analyzer::valid_utf8(error.what),
                               analyzer::valid_utf8(error.value), analyzer::valid_utf8(error.fix));
  PyErr_SetObject(type.ptr(), made.ptr());
  throw py::error_already_set();
}

}  // namespace sotto::python
