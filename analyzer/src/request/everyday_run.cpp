// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <optional>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "everyday_options.hpp"
#include "simulate_fleet.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/data/words.hpp"
#include "sotto/analyzer/request/everyday.hpp"
#include "sotto/analyzer/request/number_column.hpp"
#include "sotto/analyzer/simulate/everyday_world.hpp"

// A simulated everyday question, from its options to the results of all repeats.
namespace sotto::analyzer::request {
namespace {

/// Errors by name, in the order of their first appearance.
class Errors {
 public:
  void add(const NamedErrors& errors) {
    for (const auto& [name, value] : errors) {
      auto at = std::ranges::find(all_, name, &Named::name);
      if (at == all_.end()) at = all_.insert(all_.end(), {name, {}});
      at->values.push_back(value);
    }
  }
  [[nodiscard]] std::vector<std::pair<std::string, Summary>> summaries() const {
    std::vector<std::pair<std::string, Summary>> out;
    for (const Named& of : all_) out.emplace_back(of.name, summarize(of.values));
    return out;
  }

 private:
  struct Named {
    std::string name;
    std::vector<double> values;
  };
  std::vector<Named> all_;
};

/// Rows in place of a law; options point to them.
struct HeldRows {
  NumberColumn column;
  WordRows words;
};

Result<Done> read_rows(const SimulateOptions& o, HeldRows& held, EverydayOptions& options) {
  const bool is_word = o.protocol == "category" || o.protocol == "crosstab" || o.protocol == "top";
  if (!o.data.empty() && is_word) {
    std::vector<std::string> names{o.target};
    if (o.protocol == "crosstab") names.push_back(o.columns);
    Result<WordRows> read = o.words ? Result<WordRows>(*o.words) : read_words(o.data, names, o.user_column);
    if (!read) return read.error();
    held.words = std::move(read).value();
    options.words = &held.words;
  } else if (!o.data.empty()) {
    Result<NumberColumn> read = read_number_column(o);
    if (!read) return read.error();
    held.column = std::move(read).value();
    options.column = &held.column;
    std::size_t most = 1;
    for (const std::vector<double>& readings : held.column.readings) most = std::max(most, readings.size());
    options.samples = static_cast<std::uint32_t>(std::min<std::size_t>(most, 1024));
  }
  return Done{};
}

/// An event happened or did not: the share of any other number would be told of nothing.
std::optional<Error> no_event(const EverydayOptions& options) {
  if (options.kind != "event" || options.column == nullptr) return {};
  for (const std::vector<double>& held : options.column->readings) {
    for (const double reading : held) {
      if (reading != 0 && reading != 1)
        return Error{"data.not_an_event", "an event is 0 or 1", fmt::format("{}", reading),
                     "name a column of zeros and ones, or ask for a number or a count"};
    }
  }
  return {};
}

}  // namespace

Result<EverydayOutcome> run_everyday(const SimulateOptions& o, const std::string& directory, const RunWatch& watch) {
  if (const auto epsilon = epsilon_from_nats(o.epsilon, "--epsilon"); !epsilon) return epsilon.error();
  if (o.empty >= 1) {
    return Error{"simulate.bad_empty", "no device would have a reading", fmt::format("{}", o.empty),
                 "give --empty a share below 1"};
  }
  EverydayOptions options = everyday_of(o);
  HeldRows held;
  if (const auto read = read_rows(o, held, options); !read) return read.error();
  if (const auto wrong = no_event(options); wrong) return *wrong;
  watch.begin();
  EverydayOutcome out;
  Errors errors;
  for (std::uint32_t r = 0; r < o.repeat; ++r) {
    options.seed = repeat_seed(o.seed, r);
    const auto world = everyday_world(options);
    if (!world) return world.error();
    const std::string text = world.value()->study();
    const auto study = read_study(text, "the simulated study");
    if (!study) return study.error();
    auto run = run_regression(study.value(), *world.value(),
                              {.seed = options.seed,
                               .dropout = o.dropout,
                               .threads = o.threads,
                               .directory = r == 0 ? directory : "",
                               .command = everyday_command(o),
                               .progress = [&](double share) { watch.at((r + share) / o.repeat); },
                               .is_stopped = watch.is_stopped});
    if (!run) return run.error();
    errors.add(world.value()->measure(run.value().model.everyday));
    out.verdicts.push_back(run.value().model.verdict);
    out.reports += run.value().record.reports;
    if (r == 0) {
      out.first = std::move(run).value();
      out.study = text;
    }
  }
  out.errors = errors.summaries();
  return out;
}

}  // namespace sotto::analyzer::request
