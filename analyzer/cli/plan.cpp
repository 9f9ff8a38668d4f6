// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <limits>
#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "plan_output.hpp"
#include "say.hpp"
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
  std::string file, out;
  std::string protocol = "auto", mechanism = "default", label = "auto";
  std::uint64_t users = 0, seed = 1;
  std::uint32_t dim = 0, nonzeros = 8;
  std::string samples, signal = "0.2", signs = "positive", noise = "1", design = "independent", link = "identity";
  double epsilon = 0, delta = 0, dropout = 0, empty = 0, rate = 0;
  analyzer::PlanGoal goal;
  analyzer::Assumptions assume;
  bool json = false, quick = false;
};

Error missing(const char* what, const char* fix) { return {"usage", what, "", fix}; }

/// The fleet that the flags describe, in the words of `sotto simulate`.
Result<PlanRequest> flags_request(const PlanOptions& o) {
  if (o.users == 0 || o.dim == 0)
    return missing("there is no fleet to plan for", "give a study file, or --users, --dim and --epsilon");
  if (o.epsilon == 0) return missing("--epsilon is missing", "say what one report may spend, in nats");
  if (o.dim < 2) return Error{"simulate.bad_features", "--dim is too small", "1", "give at least two features"};
  const auto samples = analyzer::parse_samples(o.samples.empty() ? "100" : o.samples);
  if (!samples) return samples.error();
  const auto signal = analyzer::parse_signal(o.signal);
  if (!signal) return signal.error();
  const auto noise = analyzer::parse_noise(o.noise);
  if (!noise) return noise.error();
  const auto design = analyzer::parse_design(o.design);
  if (!design) return design.error();
  const auto link = analyzer::parse_link(o.link);
  if (!link) return link.error();
  const analyzer::ProtocolFacts* const protocol = analyzer::find_protocol(o.protocol, o.mechanism);
  PlanRequest out;
  out.fleet.world = {.devices = o.users,
                     .samples_low = samples.value().low,
                     .samples_high = samples.value().high,
                     .features = o.dim,
                     .nonzeros = o.nonzeros,
                     .signal = signal.value(),
                     .random_signs = o.signs == "random",
                     .noise = noise.value(),
                     .design = design.value(),
                     .link = link.value(),
                     .empty = o.empty,
                     .task = protocol != nullptr && protocol->learned == analyzer::Learned::mean
                                 ? analyzer::Task::mean
                                 : analyzer::Task::regression};
  if (const auto checked = analyzer::check(out.fleet.world); !checked) return checked.error();
  out.fleet.epsilon = o.epsilon;
  out.fleet.delta = o.delta;
  out.fleet.dropout = o.dropout;
  out.fleet.assumptions = o.assume;
  return out;
}

Result<PlanRequest> study_request(const PlanOptions& o) {
  const Result<std::string> text = read_file(o.file);
  if (!text) return text.error();
  const Result<analyzer::Study> study = analyzer::read_study(text.value(), o.file == "-" ? "stdin" : o.file);
  if (!study) return study.error();
  Result<PlanRequest> out = analyzer::request_of(study.value());
  if (!out) return out;
  if (o.users > 0) out.value().fleet.world.devices = o.users;
  if (o.epsilon > 0) out.value().fleet.epsilon = o.epsilon;
  out.value().fleet.dropout = o.dropout;
  out.value().fleet.world.empty = o.empty;
  return out;
}

int plan(const PlanOptions& o) {
  const auto stop = [&o](const Error& error) {
    const Exit code = error.code == "usage" ? usage : error.code.starts_with("io.") ? input_output : refused;
    return refuse(error, o.json, code);
  };
  Result<PlanRequest> request = o.file.empty() ? flags_request(o) : study_request(o);
  if (!request) return stop(request.error());
  if (const auto good = analyzer::epsilon_from_nats(request.value().fleet.epsilon, "--epsilon"); !good)
    return stop(good.error());
  if (o.file.empty() || o.protocol != "auto") request.value().protocol = o.protocol;
  if (o.file.empty()) {  // else the study says it
    request.value().paper = o.mechanism == "paper";
    request.value().label = o.label;
  }
  request.value().goal = o.goal;
  request.value().seed = o.seed;
  request.value().with_curves = request.value().with_guesses = !o.quick;
  const Result<analyzer::Plan> made = analyzer::make_plan(request.value());
  if (!made) return stop(made.error());
  const PlanShown shown{request.value(), made.value(), o.rate};
  const Json json = plan_json(shown);
  if (!o.out.empty()) {
    if (const auto there = make_directory(o.out); !there) return stop(there.error());
    const std::filesystem::path directory(o.out);
    if (const auto done = write_file(directory / "plan.json", json_text(json)); !done) return stop(done.error());
    const std::string page = analyzer::html::plan_page(request.value(), made.value(), o.rate);
    if (const auto done = write_file(directory / "plan.html", page); !done) return stop(done.error());
  }
  if (o.json)
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

void add_planned_fleet(CLI::App& verb, PlanOptions& o) {
  constexpr std::uint64_t k_most = std::numeric_limits<std::uint32_t>::max();
  verb.add_option("--users,--devices", o.users, "number of devices")->check(whole_between(1, k_most));
  verb.add_option("--samples", o.samples, "rows of a device: M, or A:B for unequal ones [100]");
  verb.add_option("--dim", o.dim, "number of features")->check(whole_between(1, 65535));
  verb.add_option("--nonzeros,--sparsity", o.nonzeros, "number of features with a nonzero coefficient")
      ->check(whole_between(1, 65535))
      ->capture_default_str();
  verb.add_option("--signal", o.signal, "their coefficients: a number, or `uniform`")->capture_default_str();
  verb.add_option("--signs", o.signs, "positive | random")
      ->check(CLI::IsMember({"positive", "random"}))
      ->capture_default_str();
  verb.add_option("--noise", o.noise, "standard deviation, uniform:C or student:DF")->capture_default_str();
  verb.add_option("--design", o.design, "independent | correlated | rademacher | unit-ball")->capture_default_str();
  verb.add_option("--link", o.link, "identity | cosine | logistic")
      ->check(CLI::IsMember({"identity", "cosine", "logistic"}))
      ->capture_default_str();
  verb.add_option("--epsilon", o.epsilon, "privacy of one report, in nats");
  verb.add_option("--delta", o.delta, "delta of a report with Gaussian noise")->check(number_between(0, 0.01));
  verb.add_option("--empty", o.empty, "share of devices without an answer")->check(number_between(0, 1));
  verb.add_option("--dropout", o.dropout, "share of devices that never send")->check(number_between(0, 1));
  verb.add_option("--assume-samples", o.assume.samples, "rows of a device that the study states")
      ->check(whole_between(1, 1024));
  verb.add_option("--assume-sparsity", o.assume.sparsity, "sparsity that the study states")
      ->check(whole_between(1, 64));
  verb.add_option("--assume-noise", o.assume.noise, "noise that the study states")->check(number_between(1e-6, 1e6));
  verb.add_option("--assume-norm", o.assume.norm, "norm that the study states")->check(number_between(1e-6, 1e6));
  verb.add_option("--assume-correlated", o.assume.correlated, "whether the study calls features correlated");
  verb.add_option("--rounds", o.assume.rounds, "number of rounds, where the protocol takes one")
      ->check(whole_between(1, 1000));
  verb.add_option("--validation", o.assume.validation, "share of devices that measure the model")
      ->check(number_between(0, 0.5));
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  auto o = std::make_shared<PlanOptions>();
  CLI::App* verb = app.add_subcommand("plan", "say what a fleet can tell, before a device spends its epsilon");
  CLI::Option* const study = verb->add_option(
      "study", o->file, "study file with [protocol], or - for stdin; without one the flags describe it");
  add_planned_fleet(*verb, *o);
  // A study says these itself; a flag beside it would be looked over.
  for (const char* stated : {"--samples", "--dim", "--nonzeros", "--signal", "--signs", "--noise", "--design", "--link",
                             "--delta", "--rounds", "--validation", "--assume-samples", "--assume-sparsity",
                             "--assume-noise", "--assume-norm", "--assume-correlated"})
    verb->get_option(stated)->excludes(study);
  std::vector<std::string> words{"auto"};
  for (const analyzer::ProtocolFacts* facts : analyzer::protocol_facts()) {
    if (!facts->collects_once() && !facts->everyday) words.emplace_back(facts->name);
  }
  verb->add_option("--protocol", o->protocol, "auto compares all that could serve")
      ->check(CLI::IsMember(words))
      ->capture_default_str();
  verb->add_option("--mechanism", o->mechanism, "default | paper")
      ->check(CLI::IsMember({"default", "paper"}))
      ->capture_default_str();
  verb->add_option("--label", o->label, "randomizer of label-...")
      ->check(CLI::IsMember({"auto", "one-bit", "window", "laplace", "gaussian"}))
      ->capture_default_str();
  verb->add_option("--want-error", o->goal.error, "find the devices, or the epsilon, for this squared error");
  verb->add_option("--want-effect", o->goal.effect, "find them for a coefficient of this size to be found ...")
      ->excludes("--want-error");
  verb->add_option("--want-power", o->goal.power, "... with this chance")->capture_default_str();
  verb->add_option("--rate", o->rate, "devices that report in a day, for the duration")
      ->check(number_between(1e-3, 1e12));
  verb->add_option("--seed", o->seed, "of the fleets that are drawn")
      ->check(whole_between(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  verb->add_option("--out", o->out, "directory for plan.json and plan.html");
  verb->add_flag("--quick", o->quick, "leave out curves, the smallest effect and what wrong guesses would do");
  verb->add_flag("--json", o->json, "print one JSON object");
  verb->callback([o, &action] { action = [o] { return plan(*o); }; });
}

}  // namespace sotto::cli
