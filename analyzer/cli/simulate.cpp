// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "simulate.hpp"

#include <memory>

#include <fmt/format.h>

#include "model_text.hpp"
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace sotto::cli {

analyzer::Result<analyzer::Done> may_write_run(const std::filesystem::path& directory, bool goes_on) {
  const auto other = [&directory](const char* what) {
    return analyzer::Error{"simulate.other_run", what, directory.string(), "choose another --out"};
  };
  std::error_code ignored;
  const auto has = [&](const char* name) { return std::filesystem::exists(directory / name, ignored); };
  if (has(analyzer::k_run_store_name))
    return goes_on ? analyzer::Result<analyzer::Done>(analyzer::Done{})
                   : other("the directory holds a run that this command does not go on with");
  if (const auto free = page_is_free(directory); !free) return free.error();
  // A run makes its store before anything else: without one, this is somebody else's study.
  if (has("manifest.bin")) return other("the directory holds a study that no simulation wrote");
  return analyzer::Done{};
}

namespace {

int simulate(const SimulateCommand& given) {
  const auto completed = analyzer::request::with_effects(given);
  if (!completed)
    return refuse(completed.error(), given.json, completed.error().code.starts_with("io.") ? input_output : refused);
  SimulateCommand o = given;
  static_cast<SimulateOptions&>(o) = completed.value();
  o.is_stored = !o.out.empty();
  if (const auto wrong = analyzer::request::misused_simulation(o)) return refuse(*wrong, o.json, usage);
  if (o.protocol == "vote") return simulate_vote(o);
  return analyzer::request::asks_everyday(o) ? simulate_everyday(o) : simulate_model(o);
}

}  // namespace

void add_simulate(CLI::App& app, Action& action) {
  auto o = std::make_shared<SimulateCommand>();
  CLI::App* verb = app.add_subcommand("simulate", "simulate a fleet of devices and learn from their reports");
  analyzer::request::add_simulate_options(*verb, *o);
  verb->add_option(
      "--out", o->out,
      "directory for study, rounds, reports (of the first repeat), model.json and report.html, readable by its "
      "owner only if --data made them; the same command continues an interrupted run");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "What a study assumes (--assume-*) is taken from the fleet unless given: a simulation knows the truth, an "
      "analyst guesses.\n"
      "Every repeat draws a new support, or holds out other users.");
  verb->callback([o, verb, &action] {
    analyzer::request::complete_options(*verb, *o);
    action = [o] { return simulate(*o); };
  });
}

}  // namespace sotto::cli
