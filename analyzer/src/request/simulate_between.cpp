// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "simulate_between.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace sotto::analyzer::request {

void add_between(CLI::App& verb, SimulateOptions& o) {
  verb.add_option("--between", o.between,
                  "ask what tells devices apart, with --units stated: so many columns beside --dim that are constant "
                  "on a device; with --data their names")
      ->delimiter(',');
  verb.add_option("--between-nonzeros", o.between_nonzeros, "of them, with an effect on the target's level")
      ->check(CLI::Range(0u, 64u))
      ->capture_default_str();
  verb.add_option("--between-effect", o.between_effect, "of each, in standard deviations of the devices' levels")
      ->check(CLI::Range(0.0, 1.0))
      ->capture_default_str();
  verb.add_option("--between-spread", o.between_spread, "standard deviation of the devices' levels")
      ->check(CLI::Range(0.001, 4.0))
      ->capture_default_str();
  verb.add_option("--between-variables", o.between_variables,
                  "how many the study assumes to matter [the true number; 2 for a file]")
      ->check(CLI::Range(1u, 64u));
  verb.add_option("--between-explained", o.between_explained,
                  "the share of the levels' variance that the study assumes to be explained [the true one; 0.3]")
      ->check(CLI::Range(0.01, 0.99));
  verb.add_option("--between-share", o.between_share, "of the devices, for this stage")
      ->check(CLI::Range(0.05, 0.9))
      ->capture_default_str();
  verb.add_flag("--between-insist", o.between_insist, "ask although an effect of that size would hardly be found");
}

Result<SyntheticLevels> synthetic_levels(const SimulateOptions& o) {
  SyntheticLevels out;
  if (o.between.empty()) return out;
  const std::string& text = o.between.front();
  const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out.columns);
  if (status != std::errc() || end != text.data() + text.size() || out.columns == 0 || o.between.size() > 1) {
    return Error{"simulate.bad_world", "--between counts the constant columns of a synthetic fleet",
                 fmt::format("{}", fmt::join(o.between, ",")), "write --between 16; names go with --data"};
  }
  out.nonzeros = o.between_effect > 0 ? o.between_nonzeros : 0;
  out.effect = o.between_effect;
  out.spread = o.between_spread;
  return out;
}

std::optional<BetweenDraft> between_draft(const SimulateOptions& o) {
  if (o.between.empty()) return {};
  BetweenDraft out;
  if (!o.data.empty()) out.features = o.between;
  constexpr std::uint32_t k_usual_variables = 2;
  constexpr double k_usual_explained = 0.3;
  const bool is_known = o.data.empty() && o.between_nonzeros > 0;
  out.variables =
      is_known ? o.between_nonzeros : std::min(k_usual_variables, static_cast<std::uint32_t>(out.features.size()));
  if (o.between_variables > 0) out.variables = o.between_variables;
  out.variables = std::max(1u, out.variables);
  const double truth = o.between_nonzeros * o.between_effect * o.between_effect;
  out.explained = is_known && truth > 0 ? std::clamp(truth, 0.01, 0.99) : k_usual_explained;
  if (o.between_explained > 0) out.explained = o.between_explained;
  out.share = o.between_share;
  out.insist = o.between_insist;
  return out;
}

std::string between_command(const SimulateOptions& o) {
  if (o.between.empty()) return "";
  std::string text = shell_option("--between", fmt::format("{}", fmt::join(o.between, ",")));
  if (o.data.empty())
    text += fmt::format(" --between-nonzeros {} --between-effect {} --between-spread {}", o.between_nonzeros,
                        o.between_effect, o.between_spread);
  if (o.between_variables > 0) text += fmt::format(" --between-variables {}", o.between_variables);
  if (o.between_explained > 0) text += fmt::format(" --between-explained {}", o.between_explained);
  text += fmt::format(" --between-share {}", o.between_share);
  return text + (o.between_insist ? " --between-insist" : "");
}

}  // namespace sotto::analyzer::request
