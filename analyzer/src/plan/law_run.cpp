// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "law_run.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "device_cost.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"

namespace sotto::analyzer {
namespace {

/// What a coefficient of the model is worth in those of the world.
double worth_of(const RegressionTerms& terms, const SyntheticWorld& world) {
  if (terms.units == RowUnits::own && world.spec().link == TargetLink::identity) return world.target_deviation();
  const bool is_half = terms.kind == TargetKind::two_classes && terms.link == TargetLink::identity;
  return is_half ? 2 : 1;
}

void measure_model(Model model, const SyntheticWorld& world, double worth, LawOutcome& out) {
  double widths = 0, intervals = 0, found = 0;
  for (Coefficient& c : model.coefficients) {
    for (double* number : {&c.estimate, &c.last_cohort, &c.low, &c.high, &c.standard_error}) *number *= worth;
    found += c.found && world.truth()[c.feature] != 0 ? 1 : 0;
    if (!std::isfinite(c.standard_error)) continue;
    widths += (c.high - c.low) / 2;
    ++intervals;
  }
  const TruthMetrics metrics = against_truth(model, world.truth());
  out.squared_error = metrics.l2_squared_error;
  out.f1 = metrics.f1;
  out.half_width = intervals > 0 ? widths / intervals : 0;
  double matter = 0;
  for (const double b : world.truth()) {
    out.zero += b * b;
    matter += b != 0 ? 1 : 0;
  }
  out.found = matter > 0 ? found / matter : 0;
}

}  // namespace

Result<Done> ask_all(Protocol& protocol, const Manifest& manifest, const AnswerRound& answer, LawOutcome& out) {
  ReportSizes sizes;
  for (;;) {
    const Result<std::optional<std::vector<std::uint8_t>>> round = protocol.open();
    if (!round) return round.error();
    if (!round.value()) break;
    const Result<RoundAggregate> sums = answer(*round.value());
    if (!sums) return sums.error();
    if (const auto closed = protocol.close(sums.value()); !closed) return closed.error();
    const auto used = static_cast<double>(sums.value().used());
    ReportSizes one;
    if (const auto sized = one.add(manifest, *round.value(), 1); !sized) return sized.error();
    if (const auto sized = sizes.add(manifest, *round.value(), sums.value().used()); !sized) return sized.error();
    const Result<Round> read = read_round(*round.value(), "the round");
    if (!read) return read.error();
    const Result<AnySpec> spec = round_spec(manifest, read.value());
    if (!spec) return spec.error();
    const DeviceCost cost = device_cost(manifest, read.value(), spec.value());
    out.device = {std::max(out.device.m0, cost.m0), std::max(out.device.m4, cost.m4),
                  std::max(out.device.work_bytes, cost.work_bytes)};
    out.reports += used;
    out.bytes += used * one.mean();
    ++out.rounds;
  }
  out.report_bytes = sizes.mean();
  return Done{};
}

Result<Study> planned_study(const PlannedFleet& fleet, const SyntheticWorld& world, const ProtocolChoice& choice) {
  StudyDraft draft = draft_study(world, fleet.assumptions);
  draft.rounds = fleet.assumptions.rounds;
  draft.epsilon = fleet.epsilon;
  draft.delta = choice.label == "gaussian" ? fleet.delta : 0;
  draft.label = choice.label;
  draft.protocol = choice.protocol;
  draft.paper = choice.paper;
  Result<Study> study = read_study(study_text(draft), "the plan");
  // "auto" may choose a protocol whose devices cannot use their own units, and which needs stated ones.
  if (draft.protocol == "auto" && (!study || !study.value().regression->protocol->from_all_rows)) {
    draft.is_stated = true;
    study = read_study(study_text(draft), "the plan");
  }
  return study;
}

Result<LawOutcome> run_by_law(const PlannedFleet& fleet, const ProtocolChoice& choice, std::uint64_t seed,
                              const LawEffort& effort) {
  SyntheticSpec spec = fleet.world;
  spec.seed = seed;
  const SyntheticWorld world(spec);
  const Result<Study> study = planned_study(fleet, world, choice);
  if (!study) return study.error();
  const Result<CompiledStudy> compiled = compile_study(study.value(), repeatable_seed(seed));
  if (!compiled) return compiled.error();
  const Result<Manifest> manifest = read_manifest(compiled.value().manifest, "the manifest");
  if (!manifest) return manifest.error();
  const Result<std::unique_ptr<Protocol>> protocol = start_protocol(study.value(), manifest.value());
  if (!protocol) return protocol.error();
  const RegressionTerms& terms = *study.value().regression;
  LawOutcome out;
  out.protocol = terms.protocol->name;
  out.why_protocol = terms.why_protocol;
  const std::vector<std::uint16_t>& weights = study.value().terms.weights;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double sending = static_cast<double>(terms.devices + terms.validators) * (1 - fleet.dropout);
  out.smallest_cohort = static_cast<std::uint64_t>(sending * std::ranges::min(weights) / std::max(1.0, sum));
  LawFleet devices(world, manifest.value(), fleet.dropout, seed, effort);
  if (const auto asked = ask_all(
          *protocol.value(), manifest.value(), [&](auto round) { return devices.answer(round); }, out);
      !asked)
    return asked.error();
  Model model = protocol.value()->model();
  model.protocol = out.protocol;  // whether it keeps variables that it does not call found
  out.verdict = model.verdict;
  measure_model(std::move(model), world, worth_of(terms, world), out);
  return out;
}

}  // namespace sotto::analyzer
