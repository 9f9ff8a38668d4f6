// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "simulate_fleet.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include <fmt/format.h>

#include "simulate_between.hpp"
#include "simulate_file.hpp"

// The fleets that the options of `sotto simulate` describe.
namespace sotto::analyzer::request {

const ProtocolFacts* once_protocol(const SimulateOptions& o) {
  const ProtocolFacts* const protocol = find_protocol(o.protocol, o.mechanism);
  return protocol != nullptr && protocol->collects_once() ? protocol : nullptr;
}

OnceTask task_of(const ProtocolFacts& protocol, const SimulateOptions& o) {
  if (protocol.learned == Learned::mean) return OnceTask::mean;
  if (protocol.learned == Learned::function) return OnceTask::function;
  return o.link == "logistic" && protocol.takes(TargetLink::logistic) ? OnceTask::logistic : OnceTask::linear;
}

Result<FleetSource> synthetic_source(const SimulateOptions& o) {
  const auto samples = parse_samples(o.samples);
  if (!samples) return samples.error();
  const auto signal = parse_signal(o.signal);
  if (!signal) return signal.error();
  const auto noise = parse_noise(o.noise);
  if (!noise) return noise.error();
  const auto design = parse_design(o.design);
  if (!design) return design.error();
  const auto link = parse_link(o.link);
  if (!link) return link.error();
  if (o.dim < 2) return Error{"simulate.bad_features", "--dim is too small", "1", std::string(k_two_features_fix)};
  const ProtocolFacts* const protocol = find_protocol(o.protocol);
  const bool is_mean = protocol != nullptr && protocol->learned == Learned::mean;
  const auto levels = synthetic_levels(o);
  if (!levels) return levels.error();
  FleetSource source;
  source.synthetic = {.devices = o.users,
                      .samples_low = samples.value().low,
                      .samples_high = samples.value().high,
                      .features = o.dim + levels.value().columns,
                      .nonzeros = o.nonzeros,
                      .signal = signal.value(),
                      .random_signs = o.signs == "random",
                      .noise = noise.value(),
                      .design = design.value(),
                      .link = link.value(),
                      .empty = o.empty,
                      .task = is_mean ? Task::mean : Task::regression,
                      .levels = levels.value(),
                      .misstated_offset = o.misstate_offset,
                      .misstated_scale = o.misstate_scale};
  if (o.effects) {
    source.synthetic.effects = o.effects->effects;
    source.name = std::filesystem::path(o.effects_file).stem().string();
    source.quantities = o.effects->features;
    source.quantity = o.effects->target;
  }
  if (const auto checked = check(source.synthetic); !checked) return checked.error();
  return source;
}

Result<FleetSource> once_source(const SimulateOptions& o, OnceTask task) {
  FleetSource source;
  source.once = {task, o.users, o.dim, std::min(o.nonzeros, o.dim), o.empty, 1, o.signal == "0"};
  const auto terms = once_terms(o);
  if (!terms) return terms.error();
  source.once_terms = terms.value();
  if (o.users == 0 || o.dim == 0 || (o.dim == 1 && task != OnceTask::function) || o.nonzeros == 0)
    return Error{"simulate.bad_world", "this fleet cannot be simulated",
                 fmt::format("--users {} --dim {}", o.users, o.dim),
                 "give --users, and --dim 2 or more; a function may have one"};
  return source;
}

EverydayOptions everyday_of(const SimulateOptions& o) {
  EverydayOptions options{.kind = o.protocol, .devices = o.users, .epsilon = o.epsilon, .seed = o.seed};
  options.law = o.law;
  options.range_sd = o.range_sd;
  options.samples = static_cast<std::uint32_t>(std::strtoul(o.samples.c_str(), nullptr, 10));
  options.tight = o.tight;
  options.low = o.low;
  options.high = o.high;
  options.quantiles = o.quantiles;
  if (o.bins != 0) options.bins = o.bins;
  options.periods = o.periods;
  options.empty = o.empty;
  options.mean = o.mean;
  options.share = o.share;
  options.categories = o.categories;
  options.zipf = o.zipf;
  options.association = o.association;
  options.of = o.of;
  options.paper = o.mechanism == "paper";
  options.length = o.length;
  return options;
}

}  // namespace sotto::analyzer::request
