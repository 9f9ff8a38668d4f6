// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "everyday_options.hpp"

// An everyday question's options as the command line that repeats its simulation.
namespace sotto::analyzer::request {

std::string everyday_command(const SimulateOptions& o) {
  std::string text = fmt::format("sotto simulate --protocol {} --epsilon {:g}", o.protocol, o.epsilon);
  if (o.data.empty()) {
    text += fmt::format(" --users {}", o.users);
    if (o.protocol == "number")
      text += fmt::format(" --law {} --range-sd {:g} --samples {}", o.law, o.range_sd, o.samples);
    if (o.protocol == "count") text += fmt::format(" --mean {:g}", o.mean);
    if (o.protocol == "category") text += fmt::format(" --categories {} --zipf {:g}", o.categories, o.zipf);
    if (o.protocol == "crosstab") text += fmt::format(" --association {:g}", o.association);
    if (o.protocol == "top") text += fmt::format(" --of {} --zipf {:g}", o.of, o.zipf);
    if (o.protocol == "event") text += fmt::format(" --share {:g}", o.share);
  } else {
    text += shell_option("--data", o.data) + shell_option("--target", o.target);
    if (!o.columns.empty()) text += shell_option("--columns", o.columns);
    if (o.protocol == "top") text += " --of " + o.of;
    if (!o.user_column.empty()) text += shell_option("--user-column", o.user_column);
  }
  if (o.mechanism != "default") text += " --mechanism " + o.mechanism;
  if (o.protocol == "top" && o.of == "string") text += fmt::format(" --length {}", o.length);
  if (o.protocol == "number" && o.periods == 1)
    text +=
        fmt::format(" --quantiles {}", o.quantiles.empty() ? "none" : fmt::format("{}", fmt::join(o.quantiles, ",")));
  if (o.low) text += fmt::format(" --low {}", *o.low);
  if (o.high) text += fmt::format(" --high {}", *o.high);
  if (o.tight) text += " --tight";
  if (o.bins != 0) text += fmt::format(" --bins {}", o.bins);
  if (o.periods > 1) text += fmt::format(" --periods {}", o.periods);
  if (o.empty > 0) text += fmt::format(" --empty {:g}", o.empty);
  if (o.dropout > 0) text += fmt::format(" --dropout {:g}", o.dropout);
  return text + fmt::format(" --seed {} --repeat {}", o.seed, o.repeat);
}

}  // namespace sotto::analyzer::request
