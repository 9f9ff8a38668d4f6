// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <new>
#include <string_view>
#include <system_error>

#include <fmt/format.h>

#include "cluster_verbs.hpp"
#include "exit.hpp"
#include "interrupt.hpp"
#include "say.hpp"
#include "sotto/analyzer/store/store_index.hpp"
#include "talk.hpp"
#include "verb.hpp"

namespace sotto::cli {
namespace {

bool wants_json(int argc, char** argv) {
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
  add_plan(app, action);
  add_keygen(app, action);
  add_sign(app, action);
  add_log(app, action);
  add_simulate(app, action);
  add_enrol(app, action);
  add_design(app, action);
  add_serve(app, action);
  add_tokens(app, action);
  add_issue(app, action);
  add_forget(app, action);
  add_work(app, action);
  add_fleet(app, action);
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
    const int code = refuse({"usage", what, "", help + " shows what is accepted"}, wants_json(argc, argv), usage);
    if (!has_verb) complain("\n" + app.help());
    return code;
  }
  return action();
}

/// Turns exceptions that no verb handled into the usual error message and exit code.
int run_and_name_failures(int argc, char** argv) {
  const bool json = wants_json(argc, argv);
  const auto stop = [json](const analyzer::Error& error) {
    return refuse(error, json, error.code.starts_with("io.") ? input_output : refused);
  };
  try {
    return run(argc, argv);
  } catch (const analyzer::StoreFailure& failure) {
    return stop(failure.error());
  } catch (const std::filesystem::filesystem_error& error) {
    // For example a loop of links, a name that is too long, or a directory without search permission.
    return stop({"io.cannot_read", "cannot access a file: " + error.code().message(), error.path1().string(),
                 "check its name and permissions"});
  } catch (const std::system_error& error) {
    if (std::ferror(stdout) != 0) return input_output;  // reported below
    return stop({"system.refused", "the operating system refused a resource: " + error.code().message(), "",
                 "use fewer --threads, or raise the limits of this user"});
  } catch (const std::bad_alloc&) {
    return stop({"memory.exhausted", "there is not enough memory for this", "",
                 "process less data at a time, or use a machine with more memory"});
  } catch (const std::exception& error) {
    if (std::ferror(stdout) != 0) return input_output;  // reported below
    return stop({"stopped", std::string("stopped: ") + error.what(), "", "report this with the command that led here"});
  }
}

}  // namespace
}  // namespace sotto::cli

int main(int argc, char** argv) {
  namespace cli = sotto::cli;
  try {
    cli::end_at_interrupts();
    const int code = cli::run_and_name_failures(argc, argv);
    if (cli::stdout_arrived()) return code;
    cli::complain(
        "sotto: the output is not complete: stdout cannot be written\n  fix:  check where it goes and the free "
        "space\n  code: io.cannot_write\n");
    return code == cli::done ? cli::input_output : code;
  } catch (const std::exception& error) {  // for example a failure to print an error as JSON
    cli::complain(fmt::format("sotto: stopped: {}\n", error.what()));
    return std::ferror(stdout) != 0 ? cli::input_output : cli::refused;
  }
}
