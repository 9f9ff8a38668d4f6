// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "everyday_options.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include <fmt/format.h>

// Which options of `sotto simulate` an everyday kind takes.
namespace sotto::analyzer::request {
namespace {

enum class Fleet : std::uint8_t { either, made_up, of_a_file };

struct Taken {
  std::string_view option;
  std::string_view kinds;  // of questions, each between spaces; empty: all
  Fleet fleet = Fleet::either;
};

constexpr std::array k_taken = {
    Taken{"--protocol", ""},
    Taken{"--epsilon", ""},
    Taken{"--seed", ""},
    Taken{"--repeat", ""},
    Taken{"--threads", ""},
    Taken{"--out", ""},
    Taken{"--json", ""},
    Taken{"--dropout", ""},
    Taken{"--mechanism", " top "},
    Taken{"--users", "", Fleet::made_up},
    Taken{"--empty", "", Fleet::made_up},
    Taken{"--data", ""},
    Taken{"--target", "", Fleet::of_a_file},
    Taken{"--user-column", "", Fleet::of_a_file},
    Taken{"--columns", " crosstab ", Fleet::of_a_file},
    Taken{"--law", " number ", Fleet::made_up},
    Taken{"--range-sd", " number ", Fleet::made_up},
    Taken{"--samples", " number ", Fleet::made_up},
    Taken{"--quantiles", " number "},
    Taken{"--tight", " number "},
    Taken{"--bins", " number "},
    Taken{"--low", " number ", Fleet::of_a_file},
    Taken{"--high", " number count ", Fleet::of_a_file},
    Taken{"--periods", " number count event category "},
    Taken{"--mean", " count ", Fleet::made_up},
    Taken{"--share", " event ", Fleet::made_up},
    Taken{"--categories", " category ", Fleet::made_up},
    Taken{"--zipf", " category top ", Fleet::made_up},
    Taken{"--association", " crosstab ", Fleet::made_up},
    Taken{"--of", " top "},
    Taken{"--length", " top "},
};

Error usage_error(std::string what, std::string fix) { return {"usage", std::move(what), "", std::move(fix)}; }

std::optional<Error> not_taken(const SimulateOptions& o) {
  const std::string kind = fmt::format(" {} ", o.protocol);
  for (const std::string& given : o.given) {
    const auto* const at = std::ranges::find(k_taken, given, &Taken::option);
    if (at == k_taken.end() || (!at->kinds.empty() && at->kinds.find(kind) == std::string_view::npos))
      return usage_error(fmt::format("{} takes no {}", o.protocol, given), "leave it out");
    if (at->fleet == Fleet::made_up && !o.data.empty())
      return usage_error(fmt::format("{} describes a simulated fleet, and --data brings its own", given),
                         "leave one of them out");
    if (at->fleet == Fleet::of_a_file && o.data.empty())
      return usage_error(fmt::format("{} is of a file", given), "name the file with --data, or leave it out");
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> misused_everyday(const SimulateOptions& o) {
  if (auto wrong = not_taken(o)) return wrong;
  const auto was_given = [&o](std::string_view option) { return std::ranges::find(o.given, option) != o.given.end(); };
  if (was_given("--mechanism") && o.mechanism != "default" && o.mechanism != "paper")
    return usage_error(fmt::format("--mechanism {} is not offered for {}", o.mechanism, o.protocol), "leave it out");
  if (was_given("--samples") && !std::ranges::all_of(o.samples, [](char c) { return c >= '0' && c <= '9'; }))
    return usage_error(fmt::format("--samples {} is no whole number", o.samples),
                       "say how many readings each device takes the mean of");
  if (was_given("--length") && o.of != "string")
    return usage_error("an id has 8 bytes, and takes no --length", "leave it out, or add --of string");
  if (o.data.empty() && o.users == 0) return usage_error("--users is missing", "say how many devices there are");
  if (!o.data.empty() && o.target.empty()) return usage_error("--data needs --target", "name the column");
  if (!o.data.empty() && o.protocol == "crosstab" && o.columns.empty())
    return usage_error("--data needs --columns", "name the column of the file whose words are the cross-tab's columns");
  return std::nullopt;
}

}  // namespace sotto::analyzer::request
