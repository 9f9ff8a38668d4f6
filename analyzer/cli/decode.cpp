// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <memory>

#include <fmt/format.h>

#include "decode_tell.hpp"
#include "files.hpp"
#include "say.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto decode`: shows what captured bytes mean.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Result;

struct DecodeOptions {
  std::string file, study;
  std::uint32_t first = 3;
  bool hex = false, json = false;
};

/// Names of the features, from the study or from a study.toml beside the file. Without them features are numbered.
std::vector<std::string> names_for(const DecodeOptions& o, const Known* known) {
  if (known != nullptr && known->directory.study) return known->directory.study->features;
  const std::filesystem::path beside = std::filesystem::path(o.file).parent_path() / "study.toml";
  if (o.file == "-" || known != nullptr || !std::filesystem::exists(beside)) return {};
  const Result<std::string> text = read_file(beside.string());
  if (!text) return {};
  const Result<analyzer::Study> study = analyzer::read_study(text.value(), beside.string());
  return study ? study.value().features : std::vector<std::string>{};
}

/// Prints each object as it is read: a batch of any size takes the memory of one report.
class Teller {
 public:
  explicit Teller(bool json) : json_(json) {}

  void tell(const Told& told) {
    if (!json_) return print_told(told);
    // The same text as if the whole list were printed at once.
    std::string object = json_text(told_json(told));
    object.pop_back();  // its line feed
    for (std::size_t at = 0; (at = object.find('\n', at)) != std::string::npos; at += k_indent.size() + 1)
      object.insert(at + 1, k_indent);
    say_lines(begun_ ? ",\n" : "{\n  \"objects\": [\n");
    say_lines(k_indent);
    say_lines(object);
    begun_ = true;
  }
  void finish() const {
    if (json_) say_lines("\n  ]\n}\n");
  }

 private:
  static constexpr std::string_view k_indent = "    ";
  bool json_, begun_ = false;
};

int decode(const DecodeOptions& o) {
  if (is_run(o.file)) return decode_run(o.file, o.first, o.json);
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  std::unique_ptr<Known> known;
  if (!o.study.empty()) {
    Result<std::unique_ptr<Known>> made = know(o.study);
    if (!made) return stop(made.error());
    known = std::move(made).value();
  }
  const Result<Capture> capture =
      Capture::open(o.file, {o.hex, false, known ? std::optional(load_u32(known->digest.data())) : std::nullopt});
  if (!capture) return stop(capture.error());
  const std::vector<std::string> names = names_for(o, known.get());
  // Nothing is printed unless there is something to describe: a first pass looks for the first object that can be
  // decoded.
  std::string why;
  bool any_good = false;
  const auto looked = capture.value().each([&](const Captured& captured) {
    const std::string refused = tell(captured, nullptr, names).refused;
    if (why.empty()) why = refused;
    any_good = refused.empty();
    return !any_good;
  });
  if (!looked) return stop(looked.error());
  if (!any_good) {
    return stop({"decode.unknown_bytes", "this is not a manifest, round, report or batch", why,
                 "pass the bytes as they were sent, from the first byte"});
  }
  Teller teller(o.json);
  const auto told = capture.value().each([&](const Captured& captured) {
    teller.tell(tell(captured, known.get(), names));
    return true;
  });
  if (!told)
    return refuse(told.error(), false, input_output);  // output was already printed: no JSON error object may follow it
  teller.finish();
  return done;
}

}  // namespace

void add_decode(CLI::App& app, Action& action) {
  auto o = std::make_shared<DecodeOptions>();
  CLI::App* verb = app.add_subcommand("decode", "show what is in captured bytes");
  verb->add_option("FILE", o->file,
                   "a manifest, a round, a report or a batch, as raw bytes or hexadecimal text, - for stdin; or a run: "
                   "its directory or its run.sqlite")
      ->required();
  verb->add_option(
      "--study", o->study,
      "directory of the study: decrypts sealed reports with its master.key, names answers, and tells a report "
      "from a batch where the bytes could be either");
  verb->add_option("--first", o->first, "for a run: the number of reports shown for each round")->capture_default_str();
  verb->add_flag("--hex", o->hex, "the file must be hexadecimal text (it is recognised without this, too)");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->callback([o, &action] { action = [o] { return decode(*o); }; });
}

}  // namespace sotto::cli
