// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <exception>
#include <string_view>

#include <fmt/format.h>

#include "exit.hpp"
#include "say.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace sotto::cli {
namespace {

bool asks_json(int argc, char** argv) {
  return std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
}

int run(int argc, char** argv) {
  CLI::App app{"Sotto learns from data that stays on the devices that hold it.", "sotto"};
  app.set_version_flag("--version", "sotto " SOTTO_VERSION);
  app.footer(
      "A verb explains itself: sotto study --help. Exit codes: 0 done, 1 refused or failed, 2 usage, 3 input/output, "
      "130 Ctrl-C.");
  app.require_subcommand(1);

  Action action;
  add_study(app, action);
  add_simulate(app, action);
  add_enroll(app, action);
  add_design(app, action);
  add_estimate(app, action);
  add_decode(app, action);
  add_predict(app, action);
  add_report(app, action);
  add_audit(app, action);
  add_fit(app, action);
  add_bench(app, action);

  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp& help) {
    return app.exit(help);
  } catch (const CLI::CallForVersion& version) {
    return app.exit(version);
  } catch (const CLI::ParseError& error) {
    const bool has_verb = !app.get_subcommands().empty();
    const bool is_misspelt = !has_verb && argc > 1 && argv[1][0] != '-';
    const std::string what = is_misspelt ? fmt::format("there is no verb {}", argv[1]) : error.what();
    const std::string help =
        has_verb ? fmt::format("sotto {} --help", app.get_subcommands().front()->get_name()) : "sotto --help";
    const int code = refuse({"usage", what, "", help + " shows what is accepted"}, asks_json(argc, argv), usage);
    if (!has_verb) complain("\n" + app.help());
    return code;
  }
  return action();
}

/// What nobody foresaw is told like every refusal; where that fails as well, the exit code is all there is.
int stopped(const char* what, bool json) noexcept {
  try {
    return refuse({"internal.stopped", fmt::format("stopped: {}", what), "", "please report it with the command"},
                  json);
  } catch (...) {
    return refused;
  }
}

}  // namespace
}  // namespace sotto::cli

int main(int argc, char** argv) {
  try {
    return sotto::cli::run(argc, argv);
  } catch (const std::exception& error) {
    return sotto::cli::stopped(error.what(), sotto::cli::asks_json(argc, argv));
  }
}
