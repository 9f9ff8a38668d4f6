// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <chrono>

#include <pybind11/stl.h>

#include "bind.hpp"
#include "error.hpp"
#include "frame.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "sotto/analyzer/request/everyday.hpp"
#include "sotto/analyzer/request/simulate.hpp"
#include "watch.hpp"

// Simulated fleets, of rows that are held here or of a description.
namespace sotto::python {

namespace py = pybind11;
namespace request = analyzer::request;
using analyzer::Error;
using analyzer::Result;
using request::SimulateOptions;

namespace {

/// What a simulation gives, as texts.
struct Told {
  std::string model_json, json, page, study;
  std::vector<std::pair<std::string, double>> errors;  ///< on rows that taught nothing, by whose they are
  std::vector<std::string> notes, warnings;
};

double seconds_since(std::chrono::steady_clock::time_point began) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
}

Result<Told> simulate_everyday(const SimulateOptions& o, const request::RunWatch& watch) {
  const auto began = std::chrono::steady_clock::now();
  const auto made = request::run_everyday(o, "", watch);
  if (!made) return made.error();
  const request::EverydayOutcome& outcome = made.value();
  return Told{.model_json = analyzer::model_json(outcome.first.model),
              .json = request::json_text(request::everyday_json(o, outcome, seconds_since(began))),
              .page = analyzer::html::model_page(outcome.first.model),
              .study = outcome.study,
              .errors = {},
              .notes = {},
              .warnings = {}};
}

Result<Told> simulate_model(const SimulateOptions& o, const request::RunWatch& watch) {
  const auto began = std::chrono::steady_clock::now();
  request::FileNotes notes;
  auto simulation = request::simulation_of(o, notes);
  if (!simulation) return simulation.error();
  std::vector<request::ChoiceResults> results = request::choices_of(o);
  if (const auto ran = request::run_choices(o, simulation.value(), results, "", watch); !ran) return ran.error();
  const double seconds = seconds_since(began);
  Told told;
  told.notes = notes.notes;
  told.warnings = notes.warnings;
  if (o.compare) {
    told.json = request::json_text(request::comparison_json(o, results, seconds));
    return told;
  }
  const analyzer::RepeatResult& first = results.front().repeats.front();
  told.json = request::json_text(request::simulation_json(o, results.front(), seconds));
  told.model_json = analyzer::model_json(first.model);
  told.page = analyzer::html::model_page(first.model, first.facts);
  told.study = first.study_text;
  for (const analyzer::html::ComparedError& each : first.facts.errors) told.errors.emplace_back(each.name, each.error);
  return told;
}

py::dict simulate(const std::vector<std::string>& words, const py::dict& rows, py::object progress) {
  SimulateOptions o = unwrap(request::read_simulate_words(words));
  const HeldFrame frame = rows.empty() || rows.contains("words") ? HeldFrame{} : held_frame(rows);
  if (rows.contains("words")) {
    o.words = py::cast<analyzer::WordRows>(rows["words"]);
  } else if (!rows.empty()) {
    o.rows = frame.reader();
  }
  if (const auto wrong = request::misused_simulation(o)) raise(*wrong);
  if (o.protocol == "vote") {
    raise({"simulate.vote", "a vote is an estimate of shares, and no model is learned from it", "vote",
           "sotto simulate --protocol vote, on the command line"});
  }
  Watched run(std::move(progress));
  auto made = request::asks_everyday(o) ? simulate_everyday(o, run.watch()) : simulate_model(o, run.watch());
  run.leave();
  const Told told = unwrap(std::move(made));
  py::dict out;
  out["model_json"] = told.model_json;
  out["json"] = told.json;
  out["page"] = told.page;
  out["study"] = told.study;
  out["errors"] = told.errors;
  out["notes"] = told.notes;
  out["warnings"] = told.warnings;
  return out;
}

}  // namespace

void bind_simulate(py::module_& module) {
  module.def("simulate", &simulate, py::arg("words"), py::arg("rows"), py::arg("progress"));
}

}  // namespace sotto::python
