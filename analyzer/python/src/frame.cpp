// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "frame.hpp"

#include <pybind11/numpy.h>
#include <pybind11/stl.h>

namespace sotto::python {

namespace py = pybind11;

namespace {

analyzer::NumberView view_of(const std::string& name, const py::array& values) {
  analyzer::NumberView view{.name = name};
  view.first = static_cast<const std::byte*>(values.data());
  view.stride = values.ndim() == 1 ? values.strides(0) : 0;
  view.is_double = values.dtype().is(py::dtype::of<double>());
  if (values.ndim() != 1 || (!view.is_double && !values.dtype().is(py::dtype::of<float>())))
    throw py::type_error("a column is a vector of float64 or float32");
  return view;
}

}  // namespace

analyzer::TableReader HeldFrame::reader() const {
  // The frame outlives every reader, and its memory is only read: no copy of it, and no interpreter, is needed.
  return [this](const analyzer::TableColumns& columns) {
    return text ? analyzer::read_table_text(numbers.name, *text, columns) : analyzer::read_frame(numbers, columns);
  };
}

HeldFrame held_frame(const py::dict& frame) {
  HeldFrame out;
  out.holder = frame;
  out.numbers.name = py::cast<std::string>(frame["name"]);
  if (frame.contains("text")) {
    out.text = py::cast<std::string>(frame["text"]);
    return out;
  }
  for (const py::handle each : py::cast<py::list>(frame["columns"])) {
    const auto column = py::cast<py::tuple>(each);
    const auto values = py::cast<py::array>(column[1]);
    out.numbers.columns.push_back(view_of(py::cast<std::string>(column[0]), values));
    const auto rows = static_cast<std::size_t>(values.shape(0));
    if (out.numbers.columns.size() > 1 && rows != out.numbers.rows) throw py::value_error("columns differ in length");
    out.numbers.rows = rows;
  }
  if (frame["user"].is_none()) return out;
  const auto user = py::cast<py::tuple>(frame["user"]);
  out.numbers.user_column = py::cast<std::string>(user[0]);
  const auto codes = py::array_t<std::uint32_t, py::array::c_style | py::array::forcecast>(user[1]);
  out.numbers.users.assign(codes.data(), codes.data() + codes.size());
  out.numbers.user_names = py::cast<std::vector<std::string>>(user[2]);
  for (const std::uint32_t code : out.numbers.users) {
    if (code >= out.numbers.user_names.size()) throw py::value_error("a user has no name");
  }
  return out;
}

}  // namespace sotto::python
