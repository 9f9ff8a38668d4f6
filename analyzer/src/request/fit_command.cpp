// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "sotto/analyzer/request/fit.hpp"

// A fit's options as the command line that repeats it.
namespace sotto::analyzer::request {

std::string command_of(const FitOptions& o) {
  std::string text = "sotto fit";
  const auto add = [&text](std::string_view name, const auto& value) { text += fmt::format(" {} {}", name, value); };
  const auto add_if = [&](std::string_view name, const auto& value) {
    if (value) add(name, *value);
  };
  const auto add_text = [&text](std::string_view name, std::string_view value) { text += shell_option(name, value); };
  const auto flag = [&text](std::string_view name, bool on) { text += on ? fmt::format(" {}", name) : ""; };
  if (o.synthetic.empty()) {
    text += " " + shell_word(o.data.size() > 1 && o.data.starts_with('-') ? "./" + o.data : o.data);
    flag("--libsvm", o.libsvm);
    add_if("--features", o.features);
    add_text("--target", o.target);
    text += table_command(o.table);
    add("--scale", o.scale);
    if (o.transform != "none") add("--transform", o.transform);
    if (!o.scales.empty()) add_text("--scales", o.scales);
    if (o.scales.empty() && o.scale == "standard" && !o.no_privacy) add("--moments-share", o.moments_share);
  } else {
    add_text("--synthetic", o.synthetic);
  }
  add_if("--row-bound", o.row_bound);
  add_if("--value-bound", o.value_bound);
  add_if("--target-bound", o.target_bound);
  flag("--independent", o.independent);
  add("--method", o.method);
  add_if("--nonzeros", o.nonzeros);
  if (!o.loss.empty()) add("--loss", o.loss);
  if (o.target_kind != "auto") add("--target-kind", o.target_kind);
  if (o.l2 > 0) add("--l2", o.l2);
  add_if("--epsilon", o.epsilon);
  add("--delta", o.delta);
  add("--adjacency", o.adjacency);
  flag("--no-privacy", o.no_privacy);
  flag("--unproven", o.unproven);
  add_if("--steps", o.steps);
  add_if("--step-size", o.step_size);
  add_if("--l1-radius", o.l1_radius);
  add("--folds", o.folds);
  if (!o.test.empty()) add_text("--test", o.test);
  if (o.repeat > 1) add("--repeat", o.repeat);
  flag("--compare", o.compare);
  flag("--limits", o.limits);
  add_if("--seed", o.seed);
  return text;
}

}  // namespace sotto::analyzer::request
