// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <limits>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

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

void add_plan_options(CLI::App& verb, PlanOptions& o) {
  CLI::Option* const study =
      verb.add_option("study", o.file, "study file with [protocol], or - for stdin; without one the flags describe it");
  add_planned_fleet(verb, o);
  // A study says these itself; a flag beside it would be looked over.
  for (const char* stated : {"--samples", "--dim", "--nonzeros", "--signal", "--signs", "--noise", "--design", "--link",
                             "--delta", "--rounds", "--validation", "--assume-samples", "--assume-sparsity",
                             "--assume-noise", "--assume-norm", "--assume-correlated"})
    verb.get_option(stated)->excludes(study);
  std::vector<std::string> words{"auto"};
  for (const ProtocolFacts* facts : protocol_facts()) {
    if (!facts->collects_once() && !facts->everyday) words.emplace_back(facts->name);
  }
  verb.add_option("--protocol", o.protocol, "auto compares all that could serve")
      ->check(CLI::IsMember(words))
      ->capture_default_str();
  verb.add_option("--mechanism", o.mechanism, "default | paper")
      ->check(CLI::IsMember({"default", "paper"}))
      ->capture_default_str();
  verb.add_option("--label", o.label, "randomizer of label-...")
      ->check(CLI::IsMember({"auto", "one-bit", "window", "laplace", "gaussian"}))
      ->capture_default_str();
  verb.add_option("--want-error", o.goal.error, "find the devices, or the epsilon, for this squared error");
  verb.add_option("--want-effect", o.goal.effect, "find them for a coefficient of this size to be found ...")
      ->excludes("--want-error");
  verb.add_option("--want-power", o.goal.power, "... with this chance")->capture_default_str();
  verb.add_option("--rate", o.rate, "devices that report in a day, for the duration")
      ->check(number_between(1e-3, 1e12));
  verb.add_option("--seed", o.seed, "of the fleets that are drawn")
      ->check(whole_between(0, std::numeric_limits<std::uint64_t>::max()))
      ->capture_default_str();
  verb.add_flag("--quick", o.quick, "leave out curves, the smallest effect and what wrong guesses would do");
}

Result<PlanOptions> read_plan_words(std::span<const std::string> words) {
  PlanOptions options;
  CLI::App app;
  add_plan_options(app, options);
  if (const auto read = parse_words(app, words); !read) return read.error();
  return options;
}

}  // namespace sotto::analyzer::request
