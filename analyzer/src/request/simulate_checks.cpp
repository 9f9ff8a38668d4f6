// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include "everyday_options.hpp"
#include "sotto/analyzer/request/simulate.hpp"
#include "sotto/analyzer/study/protocol_facts.hpp"

// Whether the options of a simulation go together.
namespace sotto::analyzer::request {
namespace {

Error misused(std::string what, std::string fix) { return {"usage", std::move(what), "", std::move(fix)}; }

}  // namespace

bool collects_once(const SimulateOptions& o) {
  const ProtocolFacts* const protocol = find_protocol(o.protocol, o.mechanism);
  return (protocol != nullptr && protocol->collects_once()) || o.mechanism == "direct" || o.mechanism == "projected";
}

bool asks_labels(std::string_view name) {
  const ProtocolFacts* const protocol = find_protocol(name);
  return protocol != nullptr && protocol->asks_labels;
}

bool asks_everyday(const SimulateOptions& o) {
  const ProtocolFacts* const protocol = find_protocol(o.protocol);
  return protocol != nullptr && protocol->everyday;
}

/// What --effects says takes the place of --dim, --nonzeros, --signal and --signs.
Result<SimulateOptions> with_effects(SimulateOptions o) {
  if (o.effects_file.empty()) return o;
  auto read = read_effects(o.effects_file, o.target);
  if (!read) return read.error();
  o.effects = std::move(read).value();
  o.dim = static_cast<std::uint32_t>(o.effects->features.size());
  o.nonzeros = o.effects->nonzeros();
  return o;
}

std::optional<Error> misused_simulation(const SimulateOptions& o) {
  if (o.effects && (o.protocol == "vote" || collects_once(o)))
    return misused(fmt::format("{} is simulated on a fleet of its own, which takes no --effects", o.protocol),
                   "leave one of them out");
  if (const ProtocolFacts* const everyday = find_protocol(o.protocol); everyday != nullptr && everyday->everyday) {
    return misused_everyday(o);
  }
  if (o.protocol == "vote") {
    if (!o.data.empty()) return misused("--protocol vote has no --data", "leave one of them out");
    if (o.users == 0 || o.dim == 0) return misused("--users and --dim are missing", "say how many of each");
    return {};
  }
  if (o.data.empty() && (o.users == 0 || o.dim == 0))
    return misused("there is no fleet to simulate", "give --users and --dim, or --data FILE with --target COLUMN");
  const ProtocolFacts* const asked = find_protocol(o.protocol, o.mechanism);
  const bool needs_target = asked == nullptr || !asked->collects_once() || asked->learned != Learned::mean;
  if (!o.data.empty() && o.target.empty() && needs_target)
    return misused("--data needs --target", "name the column that is to be explained");
  if (o.label == "gaussian" && o.delta == 0)
    return misused("Gaussian labels spend a delta", "add --delta 1e-6, or choose another --label");
  const ProtocolFacts* const protocol = find_protocol(o.protocol);
  if (protocol != nullptr && protocol->link != TargetLink::identity && o.link == "cosine")
    return misused(fmt::format("{} knows no cosine link", o.protocol), "write --link logistic or --link identity");
  if (o.centre == "fleet" && o.units == "device")
    return misused("devices that use their own units centre their rows themselves",
                   "leave one of --centre fleet and --units device out");
  if (!o.between.empty() && (o.units != "stated" || o.centre == "fleet" || collects_once(o)))
    return misused("--between compares levels, which devices in their own units do not have", "add --units stated");
  if (!o.between.empty() && o.effects)
    return misused("--between has columns of its own, and --effects describes all", "leave one of them out");
  if (!o.data.empty() && (o.misstate_offset != 0 || o.misstate_scale != 1))
    return misused("--misstate-... describes a synthetic fleet, and --data brings its own", "leave --data out");
  if (!o.data.empty() && o.link == "cosine")
    return misused("--link cosine describes a synthetic target, and --data brings its own", "leave one of them out");
  return {};
}

}  // namespace sotto::analyzer::request
