// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <charconv>
#include <limits>
#include <thread>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "simulate_between.hpp"
#include "simulate_fleet.hpp"
#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"
#include "words.hpp"

// The options of `sotto simulate`.
namespace sotto::analyzer::request {
namespace {

constexpr std::uint64_t k_users_max =
    std::numeric_limits<std::uint32_t>::max();  // largest fleet that a study can state
constexpr std::uint32_t k_repeats_max = 100000, k_threads_max = 1024;

/// CLI::Range accepts NaN.
CLI::Validator share_between(double low, double high) {
  return {[low, high](std::string& text) -> std::string {
            double value = 0;
            if (CLI::detail::lexical_cast(text, value) && value >= low && value <= high) return {};
            return fmt::format("Value {} not in range [{} - {}]", text, low, high);
          },
          fmt::format("FLOAT in [{} - {}]", low, high)};
}

/// CLI::NonNegativeNumber prints the range of a double; without a check a negative number becomes a huge one.
CLI::Validator whole_number(std::uint64_t most = std::numeric_limits<std::uint64_t>::max()) {
  return {[most](std::string& text) {
            const bool good = !text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; });
            if (!good) return text + " is no whole number";
            std::uint64_t value = 0;
            const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), value);
            return status == std::errc() && value <= most ? std::string()
                                                          : fmt::format("{} is more than {}", text, most);
          },
          "WHOLE"};
}

}  // namespace

void add_fleet(CLI::App& verb, SimulateOptions& o) {
  verb.add_option("--users,--devices", o.users, "number of devices")->check(whole_number(k_users_max));
  verb.add_option("--dim", o.dim, "number of features")->check(whole_number());
  verb.add_option("--samples", o.samples, "rows of a device: M, or A:B for unequal ones [100; 1 for labels]");
  verb.add_option("--nonzeros,--sparsity", o.nonzeros, "number of features with a nonzero coefficient")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  verb.add_option("--signal", o.signal,
                  "their coefficients: a number, or `uniform` (Euclidean norm at most 1); protocols that "
                  "collect once have their own, or with 0 none")
      ->capture_default_str();
  verb.add_option("--effects", o.effects_file,
                  "CSV with the columns name, effect, unit, offset, deviation: features of this name, with this true "
                  "coefficient per standard deviation; a line with the name of --target describes the target")
      ->excludes("--dim", "--nonzeros", "--signal");
  verb.add_option("--signs", o.signs, "positive | random")
      ->check(CLI::IsMember({"positive", "random"}))
      ->capture_default_str();
  verb.add_option("--noise", o.noise, "standard deviation, uniform:C or student:DF")->capture_default_str();
  verb.add_option("--design", o.design, "independent | correlated | rademacher | unit-ball")->capture_default_str();
  verb.add_option(
          "--link", o.link,
          "link of the target y to t = <x, coefficients>: identity | cosine, 8 t + cos t | logistic, a class (for a "
          "file: above its mean, if it has more than two values)")
      ->check(CLI::IsMember({"identity", "cosine", "logistic"}))
      ->capture_default_str();
  verb.add_option("--degree", o.degree, "degree of smooth-glm's polynomial, as in its paper")
      ->check(CLI::Range(1, 8))
      ->capture_default_str();
  verb.add_option("--heavy", o.heavy,
                  "for a vote: number of features that carry the votes (8, or all if there are fewer)")
      ->check(whole_number());
  verb.add_option("--empty", o.empty, "share of devices without an answer")
      ->check(share_between(0, 1))
      ->capture_default_str();
  verb.add_option("--dropout", o.dropout, "share of devices that never send")
      ->check(share_between(0, 1))
      ->capture_default_str();
}

void add_everyday(CLI::App& verb, SimulateOptions& o) {
  verb.add_option("--law", o.law,
                  "of a number: normal | lognormal | two-modes | spike | uniform | discrete, placed at random in the "
                  "stated range")
      ->check(CLI::IsMember({"normal", "lognormal", "two-modes", "spike", "uniform", "discrete"}))
      ->capture_default_str();
  verb.add_option("--range-sd", o.range_sd, "the range that the study states, in standard deviations of the law")
      ->check(share_between(0.1, 10000))
      ->capture_default_str();
  verb.add_option("--quantiles", o.quantile_words,
                  "that the study of a number asks for, or `none`; with --periods none is asked [0.5,0.9,0.99]")
      ->delimiter(',')
      ->check(CLI::IsMember({"none"}) | share_between(0, 1));
  verb.add_option("--low", o.low, "with --data, the low end of the range that the study states [the least value]");
  verb.add_option("--high", o.high, "with --data, its high end [the largest value]");
  verb.add_flag("--tight", o.tight,
                "the study says that its range is tight, so that no device looks for a narrower one");
  verb.add_option("--bins", o.bins, "bars of the distribution [32]")->check(CLI::Range(2u, 256u));
  verb.add_option("--periods", o.periods, "of a rotating panel: each device answers in one of them")
      ->check(CLI::Range(1u, 64u));
  verb.add_option("--categories", o.categories, "of a simulated category")
      ->check(CLI::Range(2u, 65535u))
      ->capture_default_str();
  verb.add_option("--zipf", o.zipf, "exponent of the law of categories and items")
      ->check(share_between(0, 10))
      ->capture_default_str();
  verb.add_option("--of", o.of, "items of top: id64 | string")
      ->check(CLI::IsMember({"id64", "string"}))
      ->capture_default_str();
  verb.add_option("--length", o.length, "bytes of a string")->check(CLI::Range(1u, 32u))->capture_default_str();
  verb.add_option("--association", o.association, "share of the devices on a band of a simulated cross-tab")
      ->check(share_between(0, 1))
      ->capture_default_str();
  verb.add_option("--columns", o.columns,
                  "with --data, the column of a cross-tab's columns; --target is that of its rows");
  verb.add_option("--mean", o.mean, "of a count")->check(share_between(1e-6, 1e6))->capture_default_str();
  verb.add_option("--share", o.share, "of devices on which an event happened")
      ->check(share_between(0, 1))
      ->capture_default_str();
}

namespace {

void add_file(CLI::App& verb, SimulateOptions& o) {
  verb.add_option("--data", o.data, "rows of real users instead of a synthetic fleet: CSV, plain or gzip")
      ->excludes("--effects");
  verb.add_option("--user-column", o.user_column,
                  "the column that identifies the user of a row; without it every row is a user");
  verb.add_flag("--row-is-device", o.row_is_device,
                "every row is a device of its own, whoever its user is (item level)");
  verb.add_option("--target", o.target, "the target column of the regression; with --effects, the target's name");
  verb.add_option("--target-kind", o.target_kind,
                  "auto: class if the target is 0 or 1 in every row, else number | number | class, of two values | "
                  "count, modelled as log(1 + count)")
      ->check(CLI::IsMember({"auto", "number", "class", "count"}))
      ->capture_default_str();
  add_table_options(verb, o.table);
  verb.add_option("--transform", o.transform, "transform of the features: none | log, which is sign(x) log(1 + |x|)")
      ->check(CLI::IsMember({"none", "log"}))
      ->capture_default_str();
  verb.add_option("--test-share", o.test_share, "share of users that are held out for measuring the error")
      ->check(share_between(0.05, 0.9))
      ->capture_default_str();
}

void add_assumptions(CLI::App& verb, SimulateOptions& o) {
  verb.add_option("--assume-samples", o.assume_samples, "rows of a device that the study assumes")
      ->check(CLI::Range(1u, 1024u));
  verb.add_option("--assume-sparsity", o.assume_sparsity, "largest number of nonzero coefficients")
      ->check(CLI::Range(1u, 64u));
  verb.add_option("--assume-noise", o.assume_noise, "standard deviation of the residual")->check(CLI::PositiveNumber);
  verb.add_option("--assume-norm", o.assume_norm, "Euclidean norm of the coefficients")->check(CLI::PositiveNumber);
  verb.add_option("--assume-deviation", o.assume_deviation, "for labels: standard deviation of the target")
      ->check(CLI::PositiveNumber);
  verb.add_option("--assume-law", o.assume_law,
                  "for labels: normal declares a normal target, so that a narrower clip suffices")
      ->check(CLI::IsMember({"unknown", "normal"}))
      ->capture_default_str();
  verb.add_option("--units", o.units, "device: devices scale their rows themselves | stated: by the study [device]")
      ->check(CLI::IsMember({"device", "stated"}));
  verb.add_option("--centre", o.centre,
                  "device: devices take their own means off | fleet: the study's offsets [device]")
      ->check(CLI::IsMember({"device", "fleet"}));
  verb.add_option("--misstate-offset", o.misstate_offset,
                  "the study states every offset wrongly by so many standard deviations, up or down")
      ->check(share_between(0, 1000));
  verb.add_option("--misstate-scale", o.misstate_scale,
                  "the study states every scale wrongly by this factor, up or down")
      ->check(share_between(1, 1e6));
  verb.add_option("--validation", o.validation,
                  "share of devices that teach nothing and measure the model; 0 measures nothing [0.05, 0.1 below "
                  "epsilon 3, 30 devices of a small fleet]")
      ->check(share_between(0, 0.5));
  verb.add_option("--assume-correlated", o.assume_correlated, "whether features are correlated: true | false");
}

void add_run(CLI::App& verb, SimulateOptions& o) {
  const auto in_rounds = [](const ProtocolFacts& f) { return !f.collects_once(); };
  const auto at_once = [](const ProtocolFacts& f) { return f.collects_once(); };
  std::vector<std::string> words{"auto"};
  for (const ProtocolFacts* facts : protocol_facts()) {
    if (!facts->collects_once()) words.emplace_back(facts->name);
  }
  words.emplace_back("vote");
  for (const ProtocolFacts* facts : protocol_facts()) {
    if (facts->collects_once()) words.emplace_back(facts->name);
  }
  verb.add_option("--protocol", o.protocol,
                  fmt::format("auto | {} | vote; collected once: {}", protocol_names(in_rounds, " | ", " | "),
                              protocol_names(at_once, " | ", " | ")))
      ->check(CLI::IsMember(words))
      ->capture_default_str();
  verb.add_option(
          "--mechanism", o.mechanism,
          "default | paper: the paper's own choices where they differ; collected once: projected, moments, direct, "
          "binned too")
      ->check(CLI::IsMember({"default", "paper", "projected", "moments", "direct", "binned"}))
      ->capture_default_str();
  verb.add_flag_callback(
      "--projected", [&o] { o.mechanism = "projected"; }, "the same as --mechanism projected");
  const auto takes_rounds = [](const ProtocolFacts& f) { return f.takes_rounds; };
  verb.add_option("--rounds", o.rounds,
                  fmt::format("number of rounds of {}; by default the protocol chooses",
                              protocol_names(takes_rounds, ", ", " and ")))
      ->check(CLI::Range(1u, 1000u));
  verb.add_option("--epsilon", o.epsilon, "privacy of one report, in nats")->required();
  verb.add_option("--delta", o.delta,
                  "delta of a report with Gaussian noise [1e-6 for protocols that collect once, where 0 leaves "
                  "only the pure mechanisms; else 0]")
      ->check(share_between(0, 0.01));
  verb.add_option("--label", o.label,
                  "randomizer of label-...: auto | one-bit | window | laplace | gaussian, which needs --delta")
      ->check(CLI::IsMember({"auto", "one-bit", "window", "laplace", "gaussian"}))
      ->capture_default_str();
  add_fleet(verb, o);
  add_everyday(verb, o);
  add_file(verb, o);
  add_between(verb, o);
  add_assumptions(verb, o);
  verb.add_option("--seed", o.seed, "the same seed gives the same fleet and the same reports")
      ->check(whole_number())
      ->capture_default_str();
  verb.add_option("--repeat", o.repeat, "independent fleets, for the metrics")
      ->check(CLI::Range(1u, k_repeats_max))
      ->capture_default_str();
  verb.add_flag("--compare", o.compare, "all protocols of the family on the same fleets, in one table");
  verb.add_option("--threads", o.threads, "number of threads; does not change the result")
      ->check(CLI::Range(1u, k_threads_max))
      ->capture_default_str();
}

}  // namespace

void add_simulate_options(CLI::App& verb, SimulateOptions& o) {
  o.threads = std::clamp(std::thread::hardware_concurrency(), 1u, k_threads_max);
  add_run(verb, o);
}

void complete_options(const CLI::App& verb, SimulateOptions& o) {
  const ProtocolFacts* const named = find_protocol(o.protocol);
  const ProtocolFacts& defaults = named == nullptr ? k_no_protocol : *named;
  const ProtocolFacts* const asked = find_protocol(o.protocol, o.mechanism);
  if (o.samples.empty()) o.samples = defaults.samples;
  if (verb.count("--delta") == 0) o.delta = collects_once(o) && asked != nullptr ? asked->delta : o.delta;
  if (verb.count("--link") == 0) o.link = link_name(defaults.link);
  for (const CLI::Option* option : verb.get_options()) {
    if (option->count() > 0) o.given.push_back(option->get_name());
  }
  if (!o.quantile_words.empty() || o.periods > 1) o.quantiles.clear();
  for (const std::string& word : o.quantile_words) {
    if (word != "none") o.quantiles.push_back(std::stod(word));
  }
}

Result<SimulateOptions> read_simulate_words(std::span<const std::string> words) {
  SimulateOptions options;
  CLI::App app;
  add_simulate_options(app, options);
  if (const auto read = parse_words(app, words); !read) return read.error();
  complete_options(app, options);
  return with_effects(std::move(options));
}

}  // namespace sotto::analyzer::request
