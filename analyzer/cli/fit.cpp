// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "fit.hpp"

#include <memory>

#include "verb.hpp"

namespace sotto::cli {

void add_fit(CLI::App& app, Action& action) {
  auto o = std::make_shared<FitCommand>();
  CLI::App* verb = app.add_subcommand("fit", "learn a sparse model privately from rows that this machine holds");
  analyzer::request::add_fit_options(*verb, o->fit);
  verb->add_option("--out", o->out, "directory for fit.json (the model) and report.html, readable by its owner only");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "Validation numbers are computed from rows without noise and are never private: they are shown here, and stand "
      "on the page only where the model is not private either. The output says whether the model is.");
  verb->callback([o, &action] { action = [o] { return run_fit(*o); }; });
}

}  // namespace sotto::cli
