// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <pybind11/stl.h>

#include "bind.hpp"
#include "error.hpp"
#include "sotto/analyzer/channel/any_spec.hpp"
#include "sotto/analyzer/channel/privacy_statement.hpp"
#include "sotto/analyzer/compile/read_study.hpp"

// What one report of a study can say.
namespace sotto::python {

namespace py = pybind11;

namespace {

py::dict channel(const std::string& text, const std::string& name) {
  const analyzer::Study study = unwrap(analyzer::read_study(text, name));
  const analyzer::ChannelFacts facts = analyzer::facts_of(study.spec);
  const analyzer::PrivacyStatement statement = analyzer::state_privacy(study.spec);
  py::dict out;
  out["stem"] = std::string(facts.stem);
  out["epsilon"] = static_cast<double>(facts.declared) / static_cast<double>(k_epsilon_one);
  out["epsilon_delivered"] = statement.epsilon;
  out["delta"] = statement.delta;
  out["best_guess"] = statement.best_guess;
  out["truth_probability"] = statement.truth_probability;
  out["payload_bits"] = facts.payload_bits;
  out["statement"] = statement.sentences;
  out["answers"] = study.features;
  if (facts.channel) {
    out["outcomes"] = facts.channel->outcomes;
    out["inside"] = facts.channel->inside;
    out["threshold"] = facts.channel->threshold;
  }
  return out;
}

}  // namespace

void bind_channel(py::module_& module) { module.def("channel", &channel, py::arg("text"), py::arg("name")); }

}  // namespace sotto::python
