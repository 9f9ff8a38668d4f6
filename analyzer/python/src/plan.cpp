// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <pybind11/stl.h>

#include "bind.hpp"
#include "error.hpp"
#include "sotto/analyzer/plan/plan_page.hpp"
#include "sotto/analyzer/request/plan.hpp"
#include "watch.hpp"

// Plans of fleets that nobody has asked.
namespace sotto::python {

namespace py = pybind11;
namespace request = analyzer::request;

namespace {

py::dict plan(const std::vector<std::string>& words) {
  const request::PlanOptions options = unwrap(request::read_plan_words(words));
  analyzer::PlanRequest asked = unwrap(request::plan_request(options));
  Watched run(py::none{});
  asked.fleet.is_stopped = run.watch().is_stopped;
  auto made = analyzer::make_plan(asked);
  run.leave();
  const analyzer::Plan plan = unwrap(std::move(made));
  py::dict out;
  out["json"] = request::json_text(request::plan_json({asked, plan, options.rate}));
  out["page"] = analyzer::html::plan_page(asked, plan, options.rate);
  return out;
}

}  // namespace

void bind_plan(py::module_& module) { module.def("plan", &plan, py::arg("words")); }

}  // namespace sotto::python
