// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/study/study.hpp"
#include "say.hpp"
#include "sotto/analyzer/channel/utc_text.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "privacy_text.hpp"
#include "study_compile.hpp"
#include "study_header.hpp"
#include "study_protocol.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto study`: checks and compiles a study file, and states its privacy.
namespace sotto::cli {

using analyzer::ProtocolFacts;
namespace {

struct StudyOptions {
  std::string file, out, header, credential;
  std::optional<std::uint64_t> seed;
  std::vector<std::string> diff;
  bool json = false;
};

/// What a device needs to have an answer; empty where the study says it by its question.
std::string answer_text(const analyzer::Study& study) {
  if (study.regression || study.kind != "vote" || study.recipe.recipe == Recipe::given) return {};
  return "a device computes it from its samples. One without samples says none, even if it is handed a number: write "
         "selector = \"given\" in [question] for devices that know their answer";
}

Json compiled_json(const Compiled& c) {
  return {{"directory", c.directory},     {"study_digest", c.digest}, {"manifest_bytes", c.manifest_bytes},
          {"round_bytes", c.round_bytes}, {"unchanged", c.unchanged}, {"seed", c.seed ? Json(*c.seed) : Json("drawn")}};
}

void print_compiled(const Compiled& c) {
  say("\nmanifest    {}/manifest.bin, {} bytes{}\n", c.directory, c.manifest_bytes,
      c.unchanged ? ": as it was, nothing to send again" : "");
  say("round       {}/round-1.bin, {} bytes\n", c.directory, c.round_bytes);
  say("study       {}\n", c.digest);
  if (c.seed) say("seed        typed ({}): for simulations only; a real study draws its seed\n", *c.seed);
}

int study(const StudyOptions& options) {
  const analyzer::Result<std::string> text = read_file(options.file);
  if (!text) return refuse(text.error(), options.json, input_output);
  const analyzer::Result<analyzer::Study> read =
      analyzer::read_study(text.value(), options.file == "-" ? "stdin" : options.file);
  if (!read) return refuse(read.error(), options.json);
  const analyzer::Study& study = read.value();
  std::optional<Compiled> compiled;
  if (!options.out.empty()) {
    const analyzer::Result<Compiled> made = compile_into(study, text.value(), options.out, options.seed);
    if (!made) return refuse(made.error(), options.json, made.error().code.starts_with("io.") ? input_output : refused);
    compiled = made.value();
  }
  if (!options.header.empty()) {
    const analyzer::Result<std::string> header = study_header(options.out, options.credential);
    if (!header) return refuse(header.error(), options.json);
    if (const auto written = write_file(options.header, header.value()); !written)
      return refuse(written.error(), options.json, input_output);
  }
  const analyzer::ChannelFacts facts = analyzer::facts_of(study.spec);
  const analyzer::PrivacyStatement statement =
      analyzer::state_privacy(study.spec, study.terms.authenticated, study.terms.answers, study.unit);
  if (options.json) {
    Json json = {{"name", study.name},
                 {"question", {{"kind", study.kind}, {"text", study.question}, {"features", study.features}}},
                 {"channel", channel_json(facts)},
                 {"privacy", privacy_json(facts, statement)},
                 {"cap_nano", study.cap}};
    if (const std::string answer = answer_text(study); !answer.empty()) json["question"]["answer"] = answer;
    if (study.terms.rounds.length != 0)
      json["rounds"] = {{"opens", study.terms.rounds.opens}, {"length", study.terms.rounds.length}};
    if (study.regression) json["protocol"] = protocol_json(study);
    if (compiled) json["compiled"] = compiled_json(*compiled);
    if (!options.header.empty()) json["compiled"]["header"] = options.header;
    print_json(json);
    return done;
  }
  say("study       {}\n", study.name);
  if (study.regression) {
    print_protocol(study);
  } else {
    say("question    {}: {}\n", study.kind, study.question);
    const RoundTimes times = study.terms.rounds.of(1);
    if (times.closes != 0) say("open        {}\n", analyzer::times_text(times));
  }
  if (const std::string answer = answer_text(study); !answer.empty()) say("answer      {}\n", answer);
  print_privacy(facts, statement);
  if (compiled) print_compiled(*compiled);
  if (!options.header.empty()) say("header      {}: manifest, rounds and sizes for a firmware in C\n", options.header);
  return done;
}

int run(const StudyOptions& options) {
  const auto misused = [&options](std::string what, std::string fix) {
    return refuse({"usage", std::move(what), "", std::move(fix)}, options.json, usage);
  };
  if (!options.diff.empty()) {
    if (!options.file.empty() || !options.out.empty()) return misused("--diff stands alone", "sotto study --diff A B");
    return study_diff(options.diff[0], options.diff[1], options.json);
  }
  if (options.file.empty())
    return misused("a study file is missing", "sotto study STUDY.toml, or sotto study --diff A B");
  if (options.seed && options.out.empty()) return misused("--seed is for a study that is compiled", "add --out DIR");
  if (!options.header.empty() && options.out.empty())
    return misused("--header is for a study that is compiled",
                   "add --out DIR; a directory that is there is read again");
  if (!options.credential.empty() && options.header.empty())
    return misused("--credential is for a header", "add --header FILE");
  return study(options);
}

}  // namespace

namespace {

/// The kinds of [protocol] that collect once, or the others, in quotes and broken into lines behind each other.
std::string kind_lines(bool once) {
  constexpr std::size_t k_line = 70;
  std::string text = once ? "" : "\"auto\"";
  std::size_t begin = 0;
  for (const ProtocolFacts* facts : analyzer::protocol_facts()) {
    if (facts->collects_once() != once || facts->everyday) continue;
    const bool is_full = text.size() - begin > k_line;
    if (!text.empty()) text += is_full ? " |\n                      " : " | ";
    if (is_full) begin = text.size();
    text += fmt::format("\"{}\"", facts->name);
  }
  return text;
}

std::string everyday_kinds() {
  std::string text;
  for (const ProtocolFacts* facts : analyzer::protocol_facts()) {
    if (facts->everyday) text += fmt::format("{}\"{}\"", text.empty() ? "" : " | ", facts->name);
  }
  return text;
}

}  // namespace

void add_study(CLI::App& app, Action& action) {
  auto options = std::make_shared<StudyOptions>();
  CLI::App* verb = app.add_subcommand("study", "compile and check a study, state its privacy, or compare two studies");
  verb->add_option("FILE", options->file, "study file (TOML), or - for stdin");
  verb->add_option(
      "--out", options->out,
      "directory for manifest.bin (devices load it), round-1.bin (broadcast) and a copy of the file; a manifest "
      "that is there is never replaced");
  verb->add_option("--header", options->header,
                   "C header with manifest, all rounds of DIR, the questions that answer them and the sizes of report "
                   "and work space");
  verb->add_option("--credential", options->credential,
                   "with --header: puts the first credential of a file of `sotto enrol` into it, for the image of one "
                   "device");
  verb->add_option("--seed", options->seed,
                   "derives the public seed from a number, for simulations; drawn at random by default")
      ->check(CLI::NonNegativeNumber);
  verb->add_option("--diff", options->diff, "two studies: TOML files, manifests or directories")->expected(2);
  verb->add_flag("--json", options->json, "one JSON object on stdout");
  verb->footer(fmt::format(
      "Beside name, [privacy] and [question] a file may have:\n"
      "  [study]      collector = \"text or 32 hex digits\", authenticated = true, samples = 100 (nominal rows of a "
      "device),\n"
      "               answers = 1 (rounds one device may answer), cohorts = [1] (weights), minimum = 30 (reports),\n"
      "               deviation = 0.25 (standard deviation of a scaled feature),\n"
      "               missing_features = [\"NAME\"] (columns whose being missing is a feature, 0 or 1)\n"
      "  [[feature]]  name, unit, and low, high: the bounds of a reading, or offset = 0, scale = 32768; one table for "
      "each,\n"
      "               or one [feature] for all\n"
      "  [target]     name, unit, and bounds as a feature has them; kind = \"number\" | \"class\" | \"count\"\n"
      "  [levels]     NAME = [\"WORD\", ...]: the public levels of a feature in words; others are \"other\"\n"
      "  [rounds]     opens = 2027-01-04T06:00:00Z, length = 86400 (seconds): round 1 is open from then, each later "
      "one "
      "follows\n"
      "  [question]   for a vote: selector = \"screen\" | \"given\" | \"lasso\" | \"scad\" | \"largest-mean\", cohort "
      "= "
      "0;\n"
      "               for lasso and scad: keep = 64, pick = \"strongest\" | \"uniform\" | \"weighted\", visits = "
      "8192,\n"
      "               lambda, or noise = 0.25 from which it follows\n"
      "  [question]   for everyday answers (docs/EVERYDAY.md): kind = {}, devices (expected\n"
      "               to answer), unit, low, high (of a reading), take = \"last\" | \"mean\" | \"max\" | \"count\" (of "
      "several),\n"
      "               missing (what a device without a reading answers), quantiles = [0.5, 0.9], bins = 32, tight = "
      "false\n"
      "  [schedule]   every = \"day\", periods = 7: each device answers in one of them\n"
      "In place of [question], for a sparse linear model or mean that is learned in several rounds:\n"
      "  [protocol]   kind = {},\n"
      "               devices (expected to answer), features (a number; or names, or [[feature]] tables),\n"
      "               sparsity = 8 (nonzero coefficients, at most), noise = 1 (standard deviation of the "
      "residual),\n"
      "               norm = 1 (Euclidean norm of the coefficients, at most), correlated = false (whether features "
      "are),\n"
      "               features_are = \"numbers\" | \"signs\", link = \"identity\" | \"cosine\" | \"logistic\" (of the "
      "target),\n"
      "               source = \"analyst\" | \"truth\" | \"data\" (where these numbers and the scales come from; "
      "models say "
      "it),\n"
      "               rounds (of {}, in place of their own choice),\n"
      "               mechanism = \"default\" | \"paper\"; sizes are in standard deviations of features and target\n"
      "For what one report of each device teaches (docs/COLLECTED_ONCE.md), sizes in full scales:\n"
      "  [protocol]   kind = {},\n"
      "               devices, features, sparsity, norm, link as above,\n"
      "               mechanism = \"default\" | \"paper\" | \"moments\" | \"direct\" | \"binned\", row_norm = 1, "
      "target_bound = 1,\n"
      "               bandwidth = 0.5, projected, cells, degree = 1, isotropic = false\n"
      "  [privacy]    delta, which \"paper\" needs",
      everyday_kinds(), kind_lines(false),
      analyzer::protocol_names([](const ProtocolFacts& f) { return f.takes_rounds; }, ", ", " and "),
      kind_lines(true)));
  verb->callback([options, &action] { action = [options] { return run(*options); }; });
}

}  // namespace sotto::cli
