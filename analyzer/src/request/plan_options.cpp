// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "simulate_fleet.hpp"
#include "sotto/analyzer/request/plan.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"
#include "words.hpp"

// The options of `sotto plan`.
namespace sotto::analyzer::request {
namespace {

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

/// The fleet in the words of `sotto simulate`, but for what describes the rows of a file, and a vote, which is not planned.
void add_planned_fleet(CLI::App& verb, SimulateOptions& o) {
  add_fleet(verb, o);
  add_everyday(verb, o);
  for (const char* other : {"--low", "--high", "--columns", "--heavy"}) verb.remove_option(verb.get_option(other));
}

void add_protocol(CLI::App& verb, SimulateOptions& o) {
  std::vector<std::string> words{"auto"};
  for (const ProtocolFacts* facts : protocol_facts()) words.emplace_back(facts->name);
  verb.add_option("--protocol", o.protocol,
                  "auto compares all that could serve a regression; or one of them, one that collects once, or an "
                  "everyday question")
      ->check(CLI::IsMember(words))
      ->capture_default_str();
  verb.add_option("--mechanism", o.mechanism, "default | paper; collected once: projected, moments, direct, binned too")
      ->check(CLI::IsMember({"default", "paper", "projected", "moments", "direct", "binned"}))
      ->capture_default_str();
  verb.add_option("--label", o.label, "randomizer of label-...")
      ->check(CLI::IsMember({"auto", "one-bit", "window", "laplace", "gaussian"}))
      ->capture_default_str();
}

}  // namespace

void add_plan_options(CLI::App& verb, PlanOptions& o) {
  CLI::Option* const study =
      verb.add_option("study", o.file, "study file with [protocol], or - for stdin; without one the flags describe it");
  add_planned_fleet(verb, o.sim);
  add_assumed(verb, o);
  // A study says these itself; a flag beside it would be looked over.
  constexpr std::array<std::string_view, 4> k_beside{"--users", "--epsilon", "--empty", "--dropout"};
  for (CLI::Option* option : verb.get_options()) {
    const std::string name = option->get_name();
    if (option != study && name != "--help" && std::ranges::count(k_beside, name) == 0) option->excludes(study);
  }
  add_protocol(verb, o.sim);
  verb.add_option("--want-error", o.goal.error, "find the devices, or the epsilon, for this squared error");
  verb.add_option("--want-effect", o.goal.effect, "find them for a coefficient of this size to be found ...")
      ->excludes("--want-error");
  verb.add_option("--want-power", o.goal.power, "... with this chance")->capture_default_str();
  verb.add_option("--rate", o.rate, "devices that report in a day, for the duration")
      ->check(number_between(1e-3, 1e12));
  verb.add_option("--seed", o.sim.seed, "of the fleets that are drawn")
      ->check(whole_between(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  verb.add_flag("--quick", o.quick, "leave out curves, the smallest effect and what wrong guesses would do");
}

Result<PlanOptions> read_plan_words(std::span<const std::string> words) {
  PlanOptions options;
  CLI::App app;
  add_plan_options(app, options);
  if (const auto read = parse_words(app, words); !read) return read.error();
  complete_options(app, options.sim);
  return options;
}

}  // namespace sotto::analyzer::request
