// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>

#include <fmt/format.h>

#include "exit.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace sotto::cli {
namespace {

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
    const bool json = std::any_of(argv, argv + argc, [](std::string_view word) { return word == "--json"; });
    const int code = refuse({"usage", what, "", help + " shows what is accepted"}, json, usage);
    if (!has_verb) fmt::print(stderr, "\n{}", app.help());
    return code;
  }
  return action();
}

}  // namespace
}  // namespace sotto::cli

int main(int argc, char** argv) {
  try {
    return sotto::cli::run(argc, argv);
  } catch (const std::filesystem::filesystem_error& error) {  // such as a loop of links
    return sotto::cli::refuse({"io.cannot_read", "cannot look at a file: " + error.code().message(),
                               error.path1().string(), "check its name and rights"},
                              false, sotto::cli::input_output);
  } catch (const std::bad_alloc&) {
    return sotto::cli::refuse({"memory.exhausted", "there is not enough memory for this", "",
                               "give less at a time, or use a machine with more memory"},
                              false);
  } catch (const std::exception& error) {
    fmt::print(stderr, "sotto: stopped: {}\n", error.what());
    return sotto::cli::refused;
  }
}
