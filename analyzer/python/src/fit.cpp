// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bind.hpp"
#include "error.hpp"
#include "frame.hpp"
#include "sotto/analyzer/central/predict.hpp"
#include "sotto/analyzer/request/fit.hpp"
#include "watch.hpp"

// Fits of rows that are held here, and their predictions.
namespace sotto::python {

namespace py = pybind11;
namespace request = analyzer::request;

namespace {

py::dict run_fit(const std::vector<std::string>& words, const py::dict& rows, py::object progress) {
  request::FitOptions options = unwrap(request::read_fit_words(words));
  const HeldFrame frame = rows.empty() ? HeldFrame{} : held_frame(rows);
  if (!rows.empty()) options.rows = frame.reader();
  Watched run(std::move(progress));
  auto made = request::make_fit(options, run.watch());
  std::string json, page;
  if (made) {
    json = request::json_text(request::outcome_json(options, made.value()));
    page = analyzer::html::fit_page(request::page_of(options, made.value()));
  }
  run.leave();
  const request::FitOutcome outcome = unwrap(std::move(made));
  py::dict out;
  out["model_json"] = analyzer::central::fit_json(outcome.model);
  out["json"] = json;
  out["page"] = page;
  out["fits"] = outcome.methods.size();
  return out;
}

py::array_t<double> predict(const std::string& model_json, const py::dict& rows) {
  const auto model = unwrap(analyzer::central::read_fit(model_json, "the model"));
  unwrap(analyzer::central::can_predict(model, "the model"));
  const HeldFrame frame = held_frame(rows);
  auto predicted = [&] {
    const py::gil_scoped_release released;
    if (!frame.text) return analyzer::central::predict(model, frame.numbers);
    const auto fields =
        analyzer::read_fields_text(frame.numbers.name, *frame.text, analyzer::central::columns_of(model));
    if (!fields) return analyzer::Result<std::vector<double>>(fields.error());
    return analyzer::central::predict(model, fields.value(), frame.numbers.name);
  }();
  const std::vector<double> values = unwrap(std::move(predicted));
  return py::array_t<double>(static_cast<py::ssize_t>(values.size()), values.data());
}

}  // namespace

void bind_fit(py::module_& module) {
  module.def("fit", &run_fit, py::arg("words"), py::arg("rows"), py::arg("progress"));
  module.def("predict", &predict, py::arg("model_json"), py::arg("rows"));
}

}  // namespace sotto::python
