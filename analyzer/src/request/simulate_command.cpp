// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "simulate_between.hpp"
#include "sotto/analyzer/request/simulate.hpp"

// A simulation's options as the command line that repeats it.
namespace sotto::analyzer::request {

std::string command_of(const SimulateOptions& o) {
  std::string text = fmt::format("sotto simulate --protocol {} --epsilon {}", o.protocol, o.epsilon);
  const auto add = [&text](std::string_view name, const auto& value) { text += fmt::format(" {} {}", name, value); };
  if (o.mechanism != "default") add("--mechanism", o.mechanism);
  if (o.delta > 0 || collects_once(o)) add("--delta", o.delta);
  if (o.label != "auto") add("--label", o.label);
  if (o.data.empty()) {
    text += fmt::format(" --users {} --samples {}", o.users, o.samples);
    if (o.effects) {
      text += shell_option("--effects", o.effects_file);
      if (!o.target.empty()) text += shell_option("--target", o.target);
    } else {
      text += fmt::format(" --dim {} --nonzeros {} --signal {} --signs {}", o.dim, o.nonzeros, o.signal, o.signs);
    }
    text += fmt::format(" --noise {} --design {}", o.noise, o.design);
    if (o.link != "identity") add("--link", o.link);
    if (o.empty > 0) add("--empty", o.empty);
  } else {
    add("--data", o.data);
    if (!o.user_column.empty()) add("--user-column", o.user_column);
    if (o.row_is_device) text += " --row-is-device";
    text += table_command(o.table);
    if (!o.target.empty()) text += shell_option("--target", o.target);
    text += fmt::format(" --transform {} --test-share {}", o.transform, o.test_share);
    if (o.target_kind != "auto") add("--target-kind", o.target_kind);
    if (o.link != "identity" && !collects_once(o)) add("--link", o.link);
  }
  if (o.rounds != 0) add("--rounds", o.rounds);
  if (collects_once(o)) add("--degree", o.degree);
  if (o.dropout > 0) add("--dropout", o.dropout);
  if (o.assume_samples) add("--assume-samples", *o.assume_samples);
  if (o.assume_sparsity) add("--assume-sparsity", *o.assume_sparsity);
  if (o.assume_noise) add("--assume-noise", *o.assume_noise);
  if (o.assume_norm) add("--assume-norm", *o.assume_norm);
  if (o.assume_deviation) add("--assume-deviation", *o.assume_deviation);
  if (o.assume_law != "unknown") add("--assume-law", o.assume_law);
  if (o.assume_correlated) add("--assume-correlated", *o.assume_correlated);
  if (!o.units.empty()) add("--units", o.units);
  if (!o.centre.empty()) add("--centre", o.centre);
  if (o.misstate_offset != 0) add("--misstate-offset", o.misstate_offset);
  if (o.misstate_scale != 1) add("--misstate-scale", o.misstate_scale);
  if (o.validation) add("--validation", *o.validation);
  text += between_command(o);
  return text + fmt::format(" --seed {} --repeat {}", o.seed, o.repeat);
}

}  // namespace sotto::analyzer::request
