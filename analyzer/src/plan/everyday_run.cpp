// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "everyday_run.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "cohort_sizes.hpp"
#include "device_cost.hpp"
#include "drawn_sums.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/math/normal.hpp"
#include "sotto/analyzer/protocol/category/top_odds.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "spread.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::uint64_t k_everyday_stream = 0x65766572;
constexpr std::size_t k_draws = 64;

double named(const NamedErrors& errors, std::string_view name) {
  for (const auto& [key, value] : errors) {
    if (key == name) return value;
  }
  return 0;
}

/// A study that is compiled and started.
struct Begun {
  Study study;
  CompiledStudy compiled;
  Manifest manifest;
  std::unique_ptr<Protocol> protocol;
};

Result<std::unique_ptr<Begun>> begin_study(const std::string& text, std::uint64_t seed) {
  Result<Study> study = read_study(text, "the plan");
  if (!study) return study.error();
  auto out = std::make_unique<Begun>();
  out->study = std::move(study).value();
  Result<CompiledStudy> compiled = compile_study(out->study, repeatable_seed(seed));
  if (!compiled) return compiled.error();
  out->compiled = std::move(compiled).value();
  const Result<Manifest> manifest = read_manifest(out->compiled.manifest, "the manifest");
  if (!manifest) return manifest.error();
  out->manifest = manifest.value();
  Result<std::unique_ptr<Protocol>> protocol = start_protocol(out->study, out->manifest);
  if (!protocol) return protocol.error();
  out->protocol = std::move(protocol).value();
  return out;
}

std::uint64_t smallest_of(const std::vector<std::uint16_t>& weights, double sending) {
  double sum = 0;
  for (const std::uint16_t w : weights) sum += w;
  return static_cast<std::uint64_t>(sum > 0 ? sending * std::ranges::min(weights) / sum : sending);
}

/// The mean of |N(off, error)|.
double folded(double off, double error) {
  if (!(error > 0)) return std::abs(off);
  const double z = std::abs(off) / error;
  return error * std::sqrt(2 / std::numbers::pi) * std::exp(-z * z / 2) + std::abs(off) * (1 - 2 * normal_below(-z));
}

}  // namespace

const char* everyday_metric(std::string_view kind) noexcept {
  return kind == "number"  ? "mean_error"
         : kind == "count" ? "relative_error"
         : kind == "top"   ? "top10_error"
                           : "share_error";
}

Result<EverydayRun> run_numbers(const EverydayOptions& options, double dropout, double larger) {
  const auto world = everyday_world(options);
  if (!world) return world.error();
  const Result<Study> study = read_study(world.value()->study(), "the plan");
  if (!study) return study.error();
  EverydayRun out;
  const char* const metric = everyday_metric(options.kind);
  // What the question's public terms say: the middle of the range, no event, every other device.
  const NumberTerms& terms = study.value().regression->everyday->number;
  Everyday stub;
  stub.kind = options.kind;
  stub.estimates.push_back({options.kind == "event" ? "share" : "mean", "", 0, 0, 0});
  double& said = stub.estimates.front().value;
  said = options.kind == "number" ? 0.5 * terms.low + 0.5 * terms.high : options.kind == "event" ? 0.5 : 0;
  out.zero = named(world.value()->measure(stub), metric);
  const double truth = world.value()->truths(stub).front();
  said = truth + 1;
  const double unit = named(world.value()->measure(stub), metric);  // of the error, for an estimate that is off by 1
  RegressionRunOptions rehearsal;
  rehearsal.seed = options.seed;
  rehearsal.dropout = dropout;
  rehearsal.rehearse = true;
  const auto run = run_regression(study.value(), *world.value(), rehearsal);
  if (!run && !is_small_fleet(run.error())) return run.error();
  // Nobody answers, or nobody counted anything, so that no error is relative to it.
  if (!run || !std::isfinite(unit) || !std::isfinite(out.zero)) {
    out.zero = std::isfinite(out.zero) ? out.zero : 1;
    out.error = out.zero;
    out.draws = {out.zero};
    return out;
  }
  const Model& model = run.value().model;
  out.verdict = model.verdict;
  out.sent.why_protocol = study.value().regression->why_protocol;
  out.sent.reports = static_cast<double>(run.value().record.reports);
  out.sent.report_bytes = model.bytes_per_report;
  out.sent.bytes = out.sent.reports * model.bytes_per_report;
  out.sent.rounds = run.value().record.rounds.size();
  out.sent.smallest_cohort =
      smallest_of(study.value().terms.weights, static_cast<double>(options.devices) * (1 - dropout));
  const std::vector<EverydayEstimate>& estimates = model.everyday.estimates;
  if (estimates.empty()) {
    out.error = out.zero;
    out.draws = {out.zero};
    return out;
  }
  // The noise is what the interval of the readings that are not clipped states; clipping moves their mean.
  const std::vector<double> truths = world.value()->truths(model.everyday);
  std::size_t at = 0;
  for (std::size_t i = 0; i < estimates.size(); ++i) {
    if (estimates[i].name == "clipped mean") at = i;
  }
  const double bias = (truths[at] - truths.front()) * unit;
  const double half = (estimates[at].high - estimates[at].low) / 2 * unit;
  // An interval speaks of the population that the devices stand for. What is measured is off from these devices
  // themselves, whose own spread is no error.
  Everyday spread = model.everyday;
  if (options.kind == "event" || spread.clip_low == spread.clip_high) {
    spread.clip_low = terms.low;
    spread.clip_high = terms.high;
  }
  spread.estimates = {{"clipped standard deviation", "", 0, 0, 0}};
  const double of_devices =
      world.value()->truths(spread).front() * unit / std::sqrt(static_cast<double>(options.devices));
  const double of_interval = half / k_interval_95;
  const double least = 0.1 * of_interval;
  const double error = std::sqrt(std::max(of_interval * of_interval - of_devices * of_devices, least * least) / larger);
  out.half_width = (estimates.front().high - estimates.front().low) / 2 * unit / std::sqrt(larger);
  out.error = folded(bias, error);
  Draws draws(options.seed, k_everyday_stream);
  for (std::size_t i = 0; i < k_draws; ++i) out.draws.push_back(std::abs(bias + error * draws.normal()));
  for (const std::vector<std::uint8_t>& bytes : run.value().record.rounds) {
    const Result<Manifest> manifest = read_manifest(run.value().compiled.manifest, "the manifest");
    const Result<Round> round = read_round(bytes, "the round");
    if (!manifest || !round) continue;
    const Result<AnySpec> spec = round_spec(manifest.value(), round.value());
    if (!spec) continue;
    const DeviceCost one = device_cost(manifest.value(), round.value(), spec.value());
    if (one.m0 > out.sent.device.m0) out.sent.device = one;
  }
  return out;
}

Result<EverydayRun> run_categories(const EverydayOptions& options, double dropout) {
  constexpr std::uint64_t k_looked_at = 200000;
  const auto world = everyday_world(options);
  if (!world) return world.error();
  const Result<std::unique_ptr<Begun>> begun = begin_study(world.value()->study(), options.seed);
  if (!begun) return begun.error();
  const Manifest& manifest = begun.value()->manifest;
  Draws draws(options.seed, k_everyday_stream);
  const std::vector<std::uint64_t> sizes = cohort_sizes(manifest, options.devices, dropout, draws);
  const std::uint64_t drawn = std::min(options.devices, k_looked_at);
  std::vector<double> held(manifest.features + 1, 0);
  DeviceRows rows;
  for (std::uint64_t i = 0; i < drawn; ++i) {
    world.value()->read(i, rows);
    ++held[std::min<std::size_t>(rows.given, manifest.features)];
  }
  EverydayRun out;
  const auto answer = [&](std::span<const std::uint8_t> bytes) -> Result<RoundAggregate> {
    const Result<Round> round = read_round(bytes, "the round");
    if (!round) return round.error();
    const Result<AnySpec> spec = round_spec(manifest, round.value());
    if (!spec) return spec.error();
    std::uint64_t size = 0;
    for (std::size_t c = 0; c < sizes.size(); ++c) {
      if (round.value().cohort == k_every_cohort || round.value().cohort == c) size += sizes[c];
    }
    return vote_sums(manifest, round.value(), std::get<VoteSpec>(spec.value()), {held, size, drawn}, draws);
  };
  if (const auto asked = ask_all(*begun.value()->protocol, manifest, answer, out.sent); !asked) return asked.error();
  const Model model = begun.value()->protocol->model();
  out.verdict = model.verdict;
  out.sent.why_protocol = begun.value()->study.regression->why_protocol;
  out.sent.smallest_cohort = sizes.empty() ? 0 : std::ranges::min(sizes);
  Everyday equal = model.everyday;
  double widths = 0;
  for (EverydayCell& cell : equal.cells) {
    widths += (cell.high - cell.low) / 2 / static_cast<double>(equal.cells.size());
    cell.share = 1 / static_cast<double>(equal.cells.size());
  }
  out.half_width = widths;
  out.zero = named(world.value()->measure(equal), "share_error");
  out.error = equal.cells.empty() ? out.zero : named(world.value()->measure(model.everyday), "share_error");
  out.draws = {out.error};
  return out;
}

Result<EverydayRun> run_items(const EverydayOptions& options, double dropout) {
  const auto world = everyday_world(options);
  if (!world) return world.error();
  const Result<std::unique_ptr<Begun>> begun = begin_study(world.value()->study(), options.seed);
  if (!begun) return begun.error();
  const RegressionTerms& terms = *begun.value()->study.regression;
  const double sending = static_cast<double>(options.devices) * (1 - dropout);
  EverydayRun out;
  out.sent.why_protocol = terms.why_protocol;
  out.sent.reports = sending;
  out.sent.rounds = begun.value()->study.terms.weights.size();
  out.sent.smallest_cohort = smallest_of(begun.value()->study.terms.weights, sending);
  ReportSizes size;
  const Result<std::optional<std::vector<std::uint8_t>>> bytes = begun.value()->protocol->open();
  if (!bytes) return bytes.error();
  if (bytes.value()) {
    const Manifest& manifest = begun.value()->manifest;
    if (const auto sized = size.add(manifest, *bytes.value(), 1); !sized) return sized.error();
    const Result<Round> round = read_round(*bytes.value(), "the round");
    if (!round) return round.error();
    const Result<AnySpec> spec = round_spec(manifest, round.value());
    if (!spec) return spec.error();
    out.sent.device = device_cost(manifest, round.value(), spec.value());
  }
  out.sent.report_bytes = size.mean();
  out.sent.bytes = sending * size.mean();
  double missing_all = 1;
  for (const double share : world.value()->common_shares()) {
    const Result<TopOdds> odds = top_odds(terms, sending, share);
    if (!odds) return odds.error();
    const TopOdds& of = odds.value();
    out.zero += share;
    out.error += of.found * of.error + (1 - of.found) * share;
    out.half_width += of.found * of.half;
    missing_all *= 1 - of.found;
  }
  out.half_width /= std::max<double>(1, static_cast<double>(world.value()->common_shares().size()));
  // The counts of ten items are nearly independent, so that their sum varies by about a quarter of itself.
  constexpr double k_varies = 0.25;
  out.draws = {out.error * (1 - k_varies), out.error, out.error * (1 + k_varies)};
  out.verdict = missing_all < 0.5 ? Verdict::learned : Verdict::cannot_learn;
  return out;
}

}  // namespace sotto::analyzer
