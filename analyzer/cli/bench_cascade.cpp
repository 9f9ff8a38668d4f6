// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "bench.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <limits>
#include <stdexcept>
#include <vector>

#include "say.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"
#include "sotto/analyzer/protocol/frame/complete_model.hpp"
#include "sotto/analyzer/protocol/registry/registry.hpp"
#include "sotto/analyzer/simulate/model_simulation.hpp"
#include "sotto/analyzer/solve/lasso.hpp"
#include "stopwatch.hpp"
#include "talk.hpp"

// `sotto bench cascade`: time of a complete study, compared with a Lasso on every user's rows.
namespace sotto::cli {
namespace {

using analyzer::DeviceRows;
using analyzer::Done;
using analyzer::Result;
using analyzer::RoundAggregate;

constexpr double k_epsilon = 4;
/// The default setting: 400 devices with 100 rows of 256 features, 8 of which have coefficient 0.2.
analyzer::SyntheticWorld default_world() {
  return analyzer::SyntheticWorld{{.devices = 400,
                                   .samples_low = 100,
                                   .samples_high = 100,
                                   .features = 256,
                                   .nonzeros = 8,
                                   .signal = {},
                                   .noise = {},
                                   .seed = 1}};
}

/// A fleet whose rows are made before timing starts.
class RowsInMemory final : public analyzer::FleetData {
 public:
  explicit RowsInMemory(const FleetData& source) : features_(source.features()), rows_(source.devices()) {
    for (std::size_t i = 0; i < rows_.size(); ++i) source.read(i, rows_[i]);
  }
  [[nodiscard]] std::uint64_t devices() const noexcept override { return rows_.size(); }
  [[nodiscard]] std::uint32_t features() const noexcept override { return features_; }
  void read(std::uint64_t device, DeviceRows& out) const override { out = rows_[device]; }
  [[nodiscard]] const std::vector<DeviceRows>& all() const noexcept { return rows_; }

 private:
  std::uint32_t features_;
  std::vector<DeviceRows> rows_;
};

struct PartSeconds {
  double votes = 0, estimates = 0;  ///< devices answer; the collector decrypts, checks and sums
  double closing = 0;               ///< everything between rounds, from the study's text to the model
  [[nodiscard]] double all() const { return votes + estimates + closing; }
};

/// Measures the time of the rounds that pass through it.
class TimedSink final : public analyzer::RoundSink {
 public:
  TimedSink(RoundSink& sink, PartSeconds& parts) : sink_(sink), parts_(parts), mark_(processor_seconds()) {}

  Result<Done> open_round(std::span<const std::uint8_t> bytes) override {
    end_part(parts_.closing);
    is_vote_ = must(analyzer::read_round(bytes, "the round")).question == QuestionKind::vote;
    return sink_.open_round(bytes);
  }
  [[nodiscard]] Result<bool> has_batch(std::uint64_t number) override { return sink_.has_batch(number); }
  Result<Done> put_batch(std::uint64_t number, std::span<const std::uint8_t> batch) override {
    return sink_.put_batch(number, batch);
  }
  Result<RoundAggregate> close_round() override {
    end_part(is_vote_ ? parts_.votes : parts_.estimates);
    return sink_.close_round();
  }
  [[nodiscard]] analyzer::ReasonCounts counts() const override { return sink_.counts(); }
  void end() { end_part(parts_.closing); }

 private:
  void end_part(double& part) {
    const double now = processor_seconds();
    part += now - mark_;
    mark_ = now;
  }

  RoundSink& sink_;
  PartSeconds& parts_;
  double mark_;
  bool is_vote_ = false;
};

struct ProtocolPass {
  PartSeconds seconds;
  std::uint64_t reports = 0, refused = 0, bytes = 0;
  std::size_t rounds = 0;
};

/// Runs a study from its text to its model, with devices that have ledger, session and seal, and a collector that
/// decrypts every report.
ProtocolPass run_study(const std::string& text, const RowsInMemory& data) {
  ProtocolPass pass;
  const double began = processor_seconds();
  const analyzer::Study study = must(analyzer::read_study(text, "study.toml"));
  const analyzer::CompiledStudy compiled = must(analyzer::compile_study(study, analyzer::repeatable_seed(1)));
  const Manifest manifest = must(analyzer::read_manifest(compiled.manifest, "the manifest"));
  const auto protocol = must(analyzer::start_protocol(study, manifest));
  const MasterKey master{};
  const analyzer::SessionFleet fleet(data, compiled.manifest, manifest, {1, 0, master});
  const auto sums = must(analyzer::SummingSink::open(compiled.manifest, master));
  pass.seconds.closing = processor_seconds() - began;
  TimedSink sink(*sums, pass.seconds);
  analyzer::RunRecord record;
  const analyzer::ReportSizes sizes = must(analyzer::run_protocol(*protocol, fleet, sink, 1, {}, record));
  const analyzer::Model model = finish_model(*protocol, {study, manifest, sizes, sink.counts(), "", true});
  sink.end();
  keep(&model);
  pass.reports = model.reports_used;
  pass.refused = model.reports_refused;
  pass.bytes = record.bytes;
  pass.rounds = record.rounds.size();
  return pass;
}

/// The Lasso of each user alone on the same rows: a path of 20 lambdas down to a tenth of the largest, as in `sotto
/// bench local`.
class EveryLasso {
 public:
  explicit EveryLasso(const RowsInMemory& data) {
    const Eigen::Index features = data.features();
    for (const DeviceRows& device : data.all()) {
      const Eigen::Map<const Eigen::Matrix<Q15, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> rows(
          device.numbers.data(), device.rows, features + 1);
      const Eigen::MatrixXd numbers = rows.cast<double>() / 32768;
      User& user = users_.emplace_back(User{numbers.leftCols(features), numbers.col(features), 0});
      user.lambda = (user.x.transpose() * user.y).cwiseAbs().maxCoeff() / device.rows / 10;
    }
  }
  [[nodiscard]] double seconds() const {
    const double began = processor_seconds();
    for (const User& user : users_) {
      const auto fit = analyzer::Lasso{user.x, user.y, {.tolerance = 1e-4}}.path(user.lambda);
      keep(fit.beta.data());
    }
    return processor_seconds() - began;
  }

 private:
  struct User {
    Eigen::MatrixXd x;
    Eigen::VectorXd y;
    double lambda;
  };
  std::vector<User> users_;
};

void print_table(const ProtocolPass& pass, double first_seconds, double lasso) {
  const double all = pass.seconds.all();
  say("One core, processor time of the fastest pass. 400 devices, 100 rows of 256 features, 8 of which matter, epsilon "
      "{:g}:\n{} reports in {} rounds, {:.1f} bytes each.\n\n",
      k_epsilon, pass.reports, pass.rounds,
      static_cast<double>(pass.bytes) / static_cast<double>(pass.reports + pass.refused));
  say("{:<44} {:>12} {:>8}\n", "part", "milliseconds", "share");
  const auto row = [all](const char* name, double seconds) {
    say("{:<44} {:>12.2f} {:>6.1f} %\n", name, 1000 * seconds, 100 * seconds / all);
  };
  row("vote rounds: devices and collector", pass.seconds.votes);
  row("estimation rounds: devices and collector", pass.seconds.estimates);
  row("study, planning, closing, model", pass.seconds.closing);
  row("protocol", all);
  say("{:<44} {:>12.2f}\n", "the first pass, which fills planning's tables", 1000 * first_seconds);
  say("{:<44} {:>12.2f}\n", "Lasso of every user, Eigen doubles", 1000 * lasso);
  say("\n{:.0f} reports a second; the protocol takes {:.2f} times as long as the Lassos.\n",
      static_cast<double>(pass.reports) / all, all / lasso);
}

}  // namespace

int bench_cascade(const BenchOptions& options) {
  const analyzer::SyntheticWorld world = default_world();
  analyzer::StudyDraft draft = draft_study(world, {});
  draft.epsilon = k_epsilon;
  draft.protocol = "cascade";
  const std::string text = study_text(draft);
  const RowsInMemory data(world);
  const EveryLasso lassos(data);
  ProtocolPass fastest = run_study(text, data);
  const double first_seconds = fastest.seconds.all();
  double lasso = lassos.seconds();
  // In turns, so that a change of the machine's speed affects both.
  double spent[] = {fastest.seconds.all(), lasso};
  for (int sample = 1; sample < k_samples_min || spent[0] < options.seconds; ++sample) {
    const ProtocolPass pass = run_study(text, data);
    spent[0] += pass.seconds.all();
    if (pass.seconds.all() < fastest.seconds.all()) fastest = pass;
    if (sample >= k_samples_min && spent[1] >= options.seconds) continue;
    const double seconds = lassos.seconds();
    spent[1] += seconds;
    lasso = std::min(lasso, seconds);
  }
  if (!options.json) {
    print_table(fastest, first_seconds, lasso);
    return done;
  }
  const double all = fastest.seconds.all();
  print_json({{"bench", "cascade"},
              {"threads", 1},
              {"seconds_per_number", options.seconds},
              {"setting", {{"users", 400}, {"samples", 100}, {"dim", 256}, {"nonzeros", 8}, {"epsilon", k_epsilon}}},
              {"rounds", fastest.rounds},
              {"reports", {{"used", fastest.reports}, {"refused", fastest.refused}, {"bytes", fastest.bytes}}},
              {"protocol",
               {{"seconds", all},
                {"first_pass_seconds", first_seconds},
                {"vote_rounds_seconds", fastest.seconds.votes},
                {"estimation_rounds_seconds", fastest.seconds.estimates},
                {"closing_seconds", fastest.seconds.closing},
                {"reports_per_second", static_cast<double>(fastest.reports) / all}}},
              {"lasso", {{"seconds", lasso}, {"users_per_second", static_cast<double>(world.devices()) / lasso}}},
              {"lasso_ratio", all / lasso}});
  return done;
}

}  // namespace sotto::cli
