// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <charconv>
#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "say.hpp"
#include "sotto/analyzer/files/read_whole.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto forget`: removes what is stored of a pseudonym, while its round is open.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

struct ForgetOptions {
  std::string pseudonym, directory;
  bool json = false;
};

int forget(const ForgetOptions& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  std::uint64_t pseudonym = 0;
  const char* const end = o.pseudonym.data() + o.pseudonym.size();
  if (o.pseudonym.size() != 16 || std::from_chars(o.pseudonym.data(), end, pseudonym, 16).ptr != end)
    return refuse({"usage", "a pseudonym has 16 hexadecimal digits", o.pseudonym, "copy it from the device"}, o.json,
                  usage);
  const Result<DirectoryLock> lock = DirectoryLock::take(o.directory);
  if (!lock) return stop(lock.error());
  const Result<std::unique_ptr<analyzer::RunStore>> store =
      analyzer::RunStore::open(std::filesystem::path(o.directory) / analyzer::k_run_store_name);
  if (!store) return stop(store.error());
  if (const auto forgotten = store.value()->forget(pseudonym); !forgotten) return stop(forgotten.error());
  if (o.json) {
    print_json({{"forgotten", o.pseudonym}});
  } else {
    say("forgotten   {}: its report, its reading and its count are removed\n", o.pseudonym);
  }
  return done;
}

}  // namespace

void add_forget(CLI::App& app, Action& action) {
  auto o = std::make_shared<ForgetOptions>();
  CLI::App* verb = app.add_subcommand("forget", "remove what is stored of a device whose round is open");
  verb->add_option("PSEUDONYM", o->pseudonym, "16 hexadecimal digits")->required();
  verb->add_option("DIR", o->directory, "directory with run.sqlite: of the study, or of a stopped server's study")
      ->required();
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "A running server forgets by DELETE /v1/studies/DIGEST/pseudonyms/PSEUDONYM. What a closed round told is not "
      "taken\n"
      "back. A device that sends again counts again: its owner withdraws on the device.");
  verb->callback([o, &action] { action = [o] { return forget(*o); }; });
}

}  // namespace sotto::cli
