// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/regression_run.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>

#include <fmt/format.h>

#include "sotto/analyzer/data/design_file.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"
#include "sotto/analyzer/simulate/fleet_design.hpp"
#include "sotto/analyzer/store/run_settings.hpp"
#include "sotto/analyzer/store/run_store.hpp"
#include "sotto/analyzer/store/store_sink.hpp"
#include "sotto/bytes.hpp"
#include "sotto/sha256.hpp"

namespace sotto::analyzer {
namespace {

/// The simulated collector's key. It protects nothing, and must be the same when a run continues.
MasterKey simulated_master(std::uint64_t seed) {
  constexpr std::string_view k_label = "sotto-simulated-master";
  std::uint8_t number[8];
  ByteWriter(number).u64(seed);
  Digest digest;
  Sha256 hash;
  hash.add({reinterpret_cast<const std::uint8_t*>(k_label.data()), k_label.size()});
  hash.add(number);
  hash.finish(digest);
  MasterKey key{};
  static_assert(sizeof key == sizeof digest);
  std::ranges::copy(digest, key.begin());
  return key;
}

/// The destination of reports: the run's store, new or existing, or memory.
Result<std::unique_ptr<RoundSink>> open_sink(const RegressionRunOptions& options,
                                             std::span<const std::uint8_t> manifest, const MasterKey& master,
                                             std::unique_ptr<RunStore>& store) {
  if (options.directory.empty()) {
    Result<std::unique_ptr<SummingSink>> sink = SummingSink::open(manifest, master);
    if (!sink) return sink.error();
    return std::unique_ptr<RoundSink>(std::move(sink).value());
  }
  const std::filesystem::path path = std::filesystem::path(options.directory) / k_run_store_name;
  const std::string settings = settings_text({options.command, true});
  Result<std::unique_ptr<RunStore>> opened = RunStore::open_or_create(path, manifest, settings);
  if (!opened) return opened.error();
  store = std::move(opened).value();
  // A device's answer depends on more than the manifest states; the command determines all of it.
  if (!std::ranges::equal(store->manifest(), manifest) || store->settings() != settings) {
    const Result<RunSettings> began = read_settings(store->settings());
    return Error{"simulate.other_run", "the directory holds the run of another command", options.directory,
                 fmt::format("go on with the command that began it ({}), or choose another --out",
                             began ? began.value().command : "unknown")};
  }
  Result<std::unique_ptr<StoreSink>> sink = StoreSink::open(*store, master);
  if (!sink) return sink.error();
  return std::unique_ptr<RoundSink>(std::move(sink).value());
}

}  // namespace

Result<RegressionRun> run_regression(const Study& study, const FleetData& data, const RegressionRunOptions& options) {
  Result<CompiledStudy> compiled = compile_study(study, repeatable_seed(options.seed));
  if (!compiled) return compiled.error();
  RegressionRun run{{}, std::move(compiled).value(), {}};
  const Result<Manifest> manifest = read_manifest(run.compiled.manifest, "the manifest");
  if (!manifest) return manifest.error();
  const MasterKey master = simulated_master(options.seed);
  const SessionFleet fleet(data, run.compiled.manifest, manifest.value(), {options.seed, options.dropout, master});
  std::optional<FleetDesign> design;
  if (study.regression->protocol->asks_labels) design.emplace(data, fleet);
  const Result<std::unique_ptr<Protocol>> protocol =
      start_protocol(study, manifest.value(), design ? &*design : nullptr);
  if (!protocol) return protocol.error();
  if (design && !options.directory.empty()) {
    const std::filesystem::path path = std::filesystem::path(options.directory) / k_design_name;
    if (!std::filesystem::exists(path)) {
      if (const auto put = write_design(path, manifest_digest(manifest.value()), *design); !put) return put.error();
    }
  }
  if (options.rehearse) {
    const Result<ReportSizes> told = rehearse_protocol(*protocol.value(), fleet, run.record);
    if (!told) return told.error();
    run.model = finish_model(*protocol.value(), {study, manifest.value(), told.value(), {}, options.command, true});
    return run;
  }
  std::unique_ptr<RunStore> store;
  Result<std::unique_ptr<RoundSink>> sink = open_sink(options, run.compiled.manifest, master, store);
  if (!sink) return sink.error();
  std::function<void(std::uint64_t)> progress;
  if (options.progress) {
    const double all = static_cast<double>(data.devices()) * static_cast<double>(study.terms.weights.size());
    progress = [&options, all](std::uint64_t asked) { options.progress(static_cast<double>(asked) / all); };
  }
  const Result<ReportSizes> sizes =
      run_protocol(*protocol.value(), fleet, *sink.value(), options.threads, progress, run.record, options.is_stopped);
  if (!sizes) return sizes.error();
  run.model = finish_model(*protocol.value(),
                           {study, manifest.value(), sizes.value(), sink.value()->counts(), options.command, true});
  if (options.complete) options.complete(study, run.model);
  if (store) {
    // A finished run that is opened again is not written to.
    const std::string json = model_json(run.model);
    if (const auto there = store->model(); there && there.value() == json) return run;
    if (const auto put = store->put_model(json); !put) return put.error();
  }
  return run;
}

TruthMetrics against_truth(const Model& model, const std::vector<double>& truth) {
  TruthMetrics out;
  std::vector<double> error = truth;
  double length = 0, matching = 0, matters = 0, stated = 0;
  const ProtocolFacts* const protocol = find_protocol(model.protocol);
  const bool all_stated = protocol == nullptr || !protocol->states_found_only;
  for (const double b : truth) {
    length += b * b;
    matters += b != 0;
  }
  for (const Coefficient& c : model.coefficients) {
    error[c.feature] -= c.estimate;
    if (all_stated || c.found) {
      ++stated;
      matching += truth[c.feature] != 0;
    }
    out.false_found += c.found && truth[c.feature] == 0;
    if (!std::isfinite(c.standard_error)) continue;
    ++out.intervals;
    out.covered += c.low <= truth[c.feature] && truth[c.feature] <= c.high;
  }
  for (const double e : error) out.l2_squared_error += e * e;
  out.relative_error = length > 0 ? std::sqrt(out.l2_squared_error / length) : 0;
  const double both = stated + matters;
  out.f1 = both > 0 ? 2 * matching / both : 1;
  return out;
}

}  // namespace sotto::analyzer
