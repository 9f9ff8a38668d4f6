// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <array>
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "everyday_options.hpp"
#include "files.hpp"
#include "plan_output.hpp"
#include "say.hpp"
#include "simulate_fleet.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/plan/plan.hpp"
#include "sotto/analyzer/plan/plan_page.hpp"
#include "sotto/analyzer/plan/study_request.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto plan`: what a fleet can tell, before a device spends its epsilon.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::PlanRequest;
using analyzer::Result;

struct PlanOptions {
  std::string file;
  SimulateOptions sim;  ///< the fleet, in the words of `sotto simulate`
  double rate = 0;
  analyzer::PlanGoal goal;
  analyzer::Assumptions assume;
  bool quick = false;
};

Error missing(const char* what, const char* fix) { return {"usage", what, "", fix}; }

/// The options that say something of the fleet or the question, and not of the plan.
SimulateOptions of_the_question(SimulateOptions o) {
  constexpr std::array<std::string_view, 5> k_of_the_plan{"--quick", "--rate", "--want-error", "--want-effect",
                                                          "--want-power"};
  std::erase_if(o.given, [&](const std::string& name) { return std::ranges::count(k_of_the_plan, name) > 0; });
  return o;
}

Result<PlanRequest> everyday_request(const SimulateOptions& o) {
  if (const auto wrong = misused_everyday(o)) return *wrong;
  if (o.empty >= 1)
    return Error{"simulate.bad_empty", "no device would have a reading", fmt::format("{}", o.empty),
                 "give --empty a share below 1"};
  PlanRequest out;
  out.fleet.everyday = everyday_of(o);
  out.fleet.world.devices = o.users;
  return out;
}

/// The fleet that the flags describe.
Result<PlanRequest> flags_request(const PlanOptions& options) {
  const auto completed = with_effects(of_the_question(options.sim));
  if (!completed) return completed.error();
  const SimulateOptions& o = completed.value();
  if (o.epsilon == 0) return missing("--epsilon is missing", "say what one report may spend, in nats");
  const analyzer::ProtocolFacts* const named = analyzer::find_protocol(o.protocol);
  if (named != nullptr && named->everyday) {
    Result<PlanRequest> out = everyday_request(o);
    if (out) out.value().fleet.set_epsilon(o.epsilon);
    return out;
  }
  if (o.users == 0 || o.dim == 0)
    return missing("there is no fleet to plan for", "give a study file, or --users, --dim and --epsilon");
  const analyzer::ProtocolFacts* const once = once_protocol(o);
  if (o.mechanism != "default" && o.mechanism != "paper" && once == nullptr)
    return Error{"usage", fmt::format("--mechanism {} is of protocols that collect once", o.mechanism), "",
                 "name one with --protocol"};
  if (o.label == "gaussian" && o.delta == 0)
    return missing("Gaussian labels spend a delta", "add --delta 1e-6, or choose another --label");
  const Result<analyzer::FleetSource> source =
      once != nullptr ? once_source(o, task_of(*once, o)) : synthetic_source(o);
  if (!source) return source.error();
  PlanRequest out;
  out.fleet.world = source.value().synthetic;
  out.fleet.once = source.value().once;
  out.fleet.once_terms = source.value().once_terms;
  if (once != nullptr) {
    out.fleet.world.devices = o.users;
    out.fleet.world.features = o.dim;
    out.fleet.world.nonzeros = std::min(o.nonzeros, o.dim);
    out.fleet.world.samples_low = out.fleet.world.samples_high = 1;
  }
  out.fleet.set_epsilon(o.epsilon);
  out.fleet.delta = o.delta;
  out.fleet.assumptions = options.assume;
  out.fleet.assumptions.rounds = o.rounds;
  out.fleet.assumptions.validation = o.validation;
  return out;
}

Result<PlanRequest> study_request(const PlanOptions& o) {
  const Result<std::string> text = read_file(o.file);
  if (!text) return text.error();
  const Result<analyzer::Study> study = analyzer::read_study(text.value(), o.file == "-" ? "stdin" : o.file);
  if (!study) return study.error();
  Result<PlanRequest> out = analyzer::request_of(study.value());
  if (!out) return out;
  analyzer::PlannedFleet& fleet = out.value().fleet;
  if (o.sim.users > 0) fleet.set_devices(o.sim.users);
  if (o.sim.epsilon != 0) fleet.set_epsilon(o.sim.epsilon);
  fleet.world.empty = o.sim.empty;
  if (fleet.once) fleet.once->empty = o.sim.empty;
  if (fleet.everyday) fleet.everyday->empty = o.sim.empty;
  return out;
}

int plan(const PlanOptions& o) {
  const auto stop = [&o](const Error& error) {
    const Exit code = error.code == "usage" ? usage : error.code.starts_with("io.") ? input_output : refused;
    return refuse(error, o.sim.json, code);
  };
  if (!o.file.empty() && o.sim.protocol != "auto") {
    const analyzer::ProtocolFacts* const named = analyzer::find_protocol(o.sim.protocol);
    if (named != nullptr && (named->everyday || named->collects_once()))
      return stop(missing("a study says itself what it asks", "leave --protocol out, or the file"));
  }
  Result<PlanRequest> request = o.file.empty() ? flags_request(o) : study_request(o);
  if (!request) return stop(request.error());
  if (const auto good = analyzer::epsilon_from_nats(request.value().fleet.epsilon, "--epsilon"); !good)
    return stop(good.error());
  request.value().fleet.dropout = o.sim.dropout;
  if (o.file.empty() || o.sim.protocol != "auto") request.value().protocol = o.sim.protocol;
  if (o.file.empty()) {  // else the study says it
    request.value().paper = o.sim.mechanism == "paper";
    request.value().label = o.sim.label;
    request.value().way = analyzer::parse_way(o.sim.mechanism).value_or(analyzer::OnceWay::automatic);
  }
  request.value().goal = o.goal;
  request.value().seed = o.sim.seed;
  request.value().with_curves = request.value().with_guesses = !o.quick;
  const Result<analyzer::Plan> made = analyzer::make_plan(request.value());
  if (!made) return stop(made.error());
  const PlanShown shown{request.value(), made.value(), o.rate};
  const Json json = plan_json(shown);
  if (!o.sim.out.empty()) {
    if (const auto there = make_directory(o.sim.out); !there) return stop(there.error());
    const std::filesystem::path directory(o.sim.out);
    if (const auto done = write_file(directory / "plan.json", json_text(json)); !done) return stop(done.error());
    const std::string page = analyzer::html::plan_page(request.value(), made.value(), o.rate);
    if (const auto done = write_file(directory / "plan.html", page); !done) return stop(done.error());
  }
  if (o.sim.json)
    print_json(json);
  else
    print_plan(shown);
  return done;
}

CLI::Validator number_between(double low, double high) {
  return {[low, high](std::string& text) -> std::string {
            double value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
            return fmt::format("Value {} not in range [{} - {}]", text, low, high);
          },
          fmt::format("FLOAT in [{} - {}]", low, high)};
}

CLI::Validator whole_between(std::uint64_t low, std::uint64_t high) {
  return {[low, high](std::string& text) -> std::string {
            const bool digits = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
            std::uint64_t value = 0;
            if (digits && CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
            return fmt::format("{} is no whole number from {} to {}", text, low, high);
          },
          fmt::format("WHOLE in [{} - {}]", low, high)};
}

void add_assumed(CLI::App& verb, PlanOptions& o) {
  verb.add_option("--epsilon", o.sim.epsilon, "privacy of one report, in nats");
  verb.add_option("--delta", o.sim.delta, "delta of a report with Gaussian noise")->check(number_between(0, 0.01));
  verb.add_option("--assume-samples", o.assume.samples, "rows of a device that the study states")
      ->check(whole_between(1, 1024));
  verb.add_option("--assume-sparsity", o.assume.sparsity, "sparsity that the study states")
      ->check(whole_between(1, 64));
  verb.add_option("--assume-noise", o.assume.noise, "noise that the study states")->check(number_between(1e-6, 1e6));
  verb.add_option("--assume-norm", o.assume.norm, "norm that the study states")->check(number_between(1e-6, 1e6));
  verb.add_option("--assume-correlated", o.assume.correlated, "whether the study calls features correlated");
  verb.add_option("--rounds", o.sim.rounds, "number of rounds, where the protocol takes one")
      ->check(whole_between(1, 1000));
  verb.add_option("--validation", o.sim.validation, "share of devices that measure the model")
      ->check(number_between(0, 0.5));
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  auto o = std::make_shared<PlanOptions>();
  CLI::App* verb = app.add_subcommand("plan", "say what a fleet can tell, before a device spends its epsilon");
  CLI::Option* const study = verb->add_option(
      "study", o->file, "study file with [protocol], or - for stdin; without one the flags describe it");
  add_fleet(*verb, o->sim);
  add_everyday(*verb, o->sim);
  add_assumed(*verb, *o);
  // A study says these itself; a flag beside it would be looked over.
  constexpr std::array<std::string_view, 4> k_beside{"--users", "--epsilon", "--empty", "--dropout"};
  for (CLI::Option* option : verb->get_options()) {
    const std::string name = option->get_name();
    if (option != study && name != "--help" && std::ranges::count(k_beside, name) == 0) option->excludes(study);
  }
  std::vector<std::string> words{"auto"};
  for (const analyzer::ProtocolFacts* facts : analyzer::protocol_facts()) words.emplace_back(facts->name);
  verb->add_option("--protocol", o->sim.protocol,
                   "auto compares all that could serve a regression; or one of them, one that collects once, or an "
                   "everyday question")
      ->check(CLI::IsMember(words))
      ->capture_default_str();
  verb->add_option("--mechanism", o->sim.mechanism,
                   "default | paper; collected once: projected, moments, direct, binned too")
      ->check(CLI::IsMember({"default", "paper", "projected", "moments", "direct", "binned"}))
      ->capture_default_str();
  verb->add_option("--label", o->sim.label, "randomizer of label-...")
      ->check(CLI::IsMember({"auto", "one-bit", "window", "laplace", "gaussian"}))
      ->capture_default_str();
  verb->add_option("--want-error", o->goal.error, "find the devices, or the epsilon, for this squared error");
  verb->add_option("--want-effect", o->goal.effect, "find them for a coefficient of this size to be found ...")
      ->excludes("--want-error");
  verb->add_option("--want-power", o->goal.power, "... with this chance")->capture_default_str();
  verb->add_option("--rate", o->rate, "devices that report in a day, for the duration")
      ->check(number_between(1e-3, 1e12));
  verb->add_option("--seed", o->sim.seed, "of the fleets that are drawn")
      ->check(whole_between(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  verb->add_option("--out", o->sim.out, "directory for plan.json and plan.html");
  verb->add_flag("--quick", o->quick, "leave out curves, the smallest effect and what wrong guesses would do");
  verb->add_flag("--json", o->sim.json, "print one JSON object");
  verb->callback([o, verb, &action] {
    complete_options(*verb, o->sim);
    action = [o] { return plan(*o); };
  });
}

}  // namespace sotto::cli
