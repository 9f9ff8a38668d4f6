// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/audit.hpp"

#include <cmath>
#include <memory>
#include <set>

#include <fmt/format.h>

#include "sotto/analyzer/audit/audited_device.hpp"
#include "sotto/analyzer/audit/noise_law.hpp"
#include "sotto/analyzer/audit/read_threshold.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/status_text.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/simulate/fleet_entropy.hpp"
#include "statistic.hpp"

namespace sotto::analyzer::audit {

namespace {

/// A bound below this fraction of the delivered epsilon is called weak. For noise with a delta no event of a few
/// thousand runs comes near it: there only a bound of 0 is.
constexpr double k_weak_below = 0.4;
constexpr std::uint32_t k_law_bits_max = 16;

double nats(EpsilonNano epsilon) { return static_cast<double>(epsilon) / static_cast<double>(k_epsilon_one); }

std::string parameters_of(const AnySpec& spec) {
  const ChannelFacts facts = facts_of(spec);
  if (facts.channel) {
    return fmt::format("{} inside of {} outcomes, T {}", facts.channel->inside, facts.channel->outcomes,
                       facts.channel->threshold);
  }
  if (facts.gaussian) {
    return fmt::format("radius {}, variance {}, dimension {}", facts.gaussian->radius, facts.gaussian->variance,
                       facts.gaussian->dimension);
  }
  const auto& laplace = std::get<LaplaceSpec>(spec);
  return fmt::format("radius {}, bits {}", laplace.radius, laplace.bits);
}

/// The payload of a plain report.
std::string payload_of(std::span<const std::uint8_t> report) {
  const std::span<const std::uint8_t> payload = report.subspan(k_header_bytes);
  return {payload.begin(), payload.end()};
}

Outcome run_once(AuditedDevice& device, Asking asking, bool first) {
  Outcome out;
  device.restart();
  const auto send = [&](std::uint16_t round, bool which) {
    if (device.prepare(round, which) == Status::ok && device.send() == Status::ok)
      out.parts.emplace_back(payload_of(device.report()));
    else
      out.parts.emplace_back(std::nullopt);
  };
  send(1, asking == Asking::two_rounds || first);
  if (asking != Asking::once) send(2, first);
  return out;
}

Verdict verdict_of(const AuditRow& row) {
  if (row.epsilon_lower_bound > row.epsilon_declared) return Verdict::overspent;
  const double least = row.delta > 0 ? 0 : k_weak_below * row.epsilon_delivered;
  return row.epsilon_lower_bound <= least ? Verdict::weak : Verdict::agrees;
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  switch (verdict) {
    case Verdict::agrees: return "agrees";
    case Verdict::overspent: return "overspent";
    case Verdict::weak: return "weak";
    case Verdict::refused: return "refused";
    case Verdict::misdrawn: return "misdrawn";
  }
  return "unknown";
}

std::string_view asking_name(Asking asking) {
  switch (asking) {
    case Asking::once: return "once";
    case Asking::two_rounds: return "two rounds";
    case Asking::over_cap: return "over cap";
  }
  return "unknown";
}

std::string stem_of(const QuestionStem& pair) {
  const std::string_view stem = pair.stem;
  return std::string(stem.substr(0, stem.find('/')));
}

double delivered_nats(const AnySpec& spec) {
  if (const auto* laplace = std::get_if<LaplaceSpec>(&spec); laplace != nullptr && laplace->bits <= k_law_bits_max)
    return laplace_delivered(*laplace);
  return nats(facts_of(spec).delivered);
}

std::vector<AuditCase> audit_cases(const std::vector<EpsilonNano>& epsilons) {
  std::vector<AuditCase> out;
  for (const EpsilonNano epsilon : epsilons) {
    std::set<std::string_view> seen;
    std::vector<AuditCase> joint;
    for (const QuestionStem& pair : question_stems()) {
      if (pair.is_gaussian) {
        GaussianSpec point{epsilon, k_audit_delta, 8, 0, 1};
        if (derive(point) != Status::ok) continue;
      }
      out.push_back({&pair, Asking::once, epsilon});
      if (seen.insert(pair.stem).second) joint.push_back({&pair, Asking::two_rounds, epsilon});
    }
    out.insert(out.end(), joint.begin(), joint.end());
    out.push_back({question_stems().data(), Asking::over_cap, epsilon});
  }
  return out;
}

AuditRow audit(const AuditCase& c, const EntropySource& entropy, std::uint64_t runs, double alpha) {
  AuditRow row;
  row.question = c.pair->question;
  row.stem = stem_of(*c.pair);
  row.asking = asking_name(c.asking);
  row.epsilon_declared = nats(c.epsilon);
  row.alpha = alpha;
  const auto pair = std::make_unique<AskedPair>();
  const auto device = std::make_unique<AuditedDevice>();
  ask_pair(*c.pair, c.epsilon, *pair);
  const Result<AnySpec> spec = round_spec(pair->manifest, pair->round);
  const EpsilonNano cap = c.asking == Asking::two_rounds ? 2 * c.epsilon : c.epsilon;
  Status status = device->begin(*c.pair, *pair, entropy, cap);
  if (status == Status::ok) status = device->prepare(1, true);
  if (status != Status::ok || !spec) {
    row.parameters = fmt::format("refused: {}", status_name(status));
    return row;
  }
  row.parameters = parameters_of(spec.value());
  row.epsilon_delivered = delivered_nats(spec.value());
  row.delta = delta_chance(pair->manifest.delta);
  Runs seen;
  for (std::uint64_t i = 0; i < runs; ++i) {
    seen.first.push_back(run_once(*device, c.asking, true));
    seen.second.push_back(run_once(*device, c.asking, false));
  }
  if (!seen.first.front().parts.front()) return row;
  judge(row, seen, measure_reports(seen, alpha, row.delta, c.pair->is_gaussian));
  if (c.asking != Asking::once || row.verdict == Verdict::overspent) return row;
  read_coins(*c.pair, *pair, row);
  if (const auto* noise = std::get_if<GaussianSpec>(&spec.value())) {
    row.certified = noise->variance;
    row.read = largest_variance(seen, alpha);
    if (*row.read < *row.certified) row.verdict = Verdict::misdrawn;
  }
  return row;
}

void read_coins(const QuestionStem& which, AskedPair& pair, AuditRow& row) {
  const CertifiedCoins& coins = pair.coins;
  if (coins.count == 0) return;
  SteadyEntropy entropy;
  const auto device = std::make_unique<AuditedDevice>();
  if (device->begin(which, pair, entropy.source(), 2 * pair.manifest.epsilon) != Status::ok) return;
  ThresholdReader reader(*device, entropy);
  for (std::uint32_t i = 0; i < coins.count; ++i) {
    const ReadThreshold of = reader.read(coins.is_wide ? 2 * i : 0, coins.is_wide);
    const bool is_right = of.is_step && of.threshold == coins.threshold[i];
    if (i == 0 || !is_right) {
      row.certified = static_cast<double>(coins.threshold[i]);
      row.read = static_cast<double>(of.threshold);
    }
    if (is_right) continue;
    row.verdict = Verdict::misdrawn;
    return;
  }
}

void judge(AuditRow& row, const Runs& runs, const MeasuredEvent& event) {
  row.runs = runs.first.size();
  row.event = event.name;
  row.epsilon_event = event.estimate;
  row.epsilon_lower_bound = event.lower_bound;
  row.verdict = verdict_of(row);
}

std::vector<AuditRow> audit_all(const AuditOptions& options) {
  std::vector<AuditRow> rows;
  for (const AuditCase& c : audit_cases(options.epsilons)) {
    FleetEntropy seeded{options.seed.value_or(0), rows.size()};
    rows.push_back(
        audit(c, options.seed ? seeded.source() : system_entropy(), k_audit_runs * options.runs_factor, options.alpha));
  }
  return rows;
}

}  // namespace sotto::analyzer::audit
