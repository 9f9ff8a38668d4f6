// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/vote_model.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/privacy_statement.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/math/normal.hpp"
#include "sotto/analyzer/protocol/frame/report_sizes.hpp"

namespace sotto::analyzer {
namespace {

constexpr double k_level = 0.05;

/// Standard errors that a share must be above 0 by, so that all shares together are judged at the level; to a hundredth.
double cut_of(std::size_t shares) {
  double cut = 1;
  while (normal_below(-cut) > k_level / static_cast<double>(shares)) cut += 0.01;
  return cut;
}

EverydayCell cell_of(std::string name, double share, double error) {
  EverydayCell out;
  out.name = std::move(name);
  out.share = share;
  out.low = share - k_interval_95 * error;
  out.high = share + k_interval_95 * error;
  return out;
}

/// Learned where the answers that are surely given hold half of the devices, as for categories.
void judge(const VoteShares& shares, Model& model) {
  const std::size_t all = shares.share.size() + 1;
  const double cut = cut_of(all);
  double sure = 0;
  std::size_t seen = 0;
  const auto look = [&](double share, double error) {
    if (share <= cut * error) return;
    sure += share;
    ++seen;
  };
  for (std::size_t i = 0; i < shares.share.size(); ++i) look(shares.share[i], shares.standard_error[i]);
  look(shares.none, shares.none_standard_error);
  const double noise = 100 * *std::ranges::min_element(shares.standard_error);
  model.verdict = seen == 0 ? Verdict::cannot_learn : sure >= 0.5 ? Verdict::learned : Verdict::uncertain;
  model.why_verdict =
      seen == 0 ? fmt::format("no answer of {} stands out of the noise, which is {:.2f} % for each", all, noise)
                : fmt::format(
                      "{} of {} answers are surely given and hold about {:.0f} % of the devices; the noise of "
                      "each is {:.2f} %",
                      seen, all, 100 * std::min(sure, 1.0), noise);
}

std::string name_of(const Study& study, std::uint32_t feature) {
  return feature < study.features.size() ? study.features[feature] : fmt::format("feature {}", feature);
}

}  // namespace

Result<Model> vote_model(const ClosedVote& vote) {
  const Study& study = vote.study;
  ReportSizes sizes;
  if (const auto sized = sizes.add(vote.manifest, vote.round, vote.shares.used); !sized) return sized.error();
  Model out;
  out.study = study.name;
  out.study_digest = hex_text(manifest_digest(vote.manifest));
  out.made_by = "sotto " SOTTO_VERSION;
  out.protocol = "vote";
  out.why_protocol = "one round, and one vote of each device.";
  out.features = vote.manifest.features;
  out.level = k_level;
  out.everyday.kind = "vote";
  out.everyday.what = "the devices that answered: the share that named each";
  for (const std::uint32_t v : strongest(vote.shares, vote.shares.share.size()))
    out.everyday.cells.push_back(cell_of(name_of(study, v), vote.shares.share[v], vote.shares.standard_error[v]));
  out.everyday.cells.push_back(cell_of("none", vote.shares.none, vote.shares.none_standard_error));
  judge(vote.shares, out);
  out.rounds.push_back(
      {1, "vote", "", out.features, 0, vote.shares.used, *std::ranges::min_element(vote.shares.standard_error)});
  const PrivacyStatement statement =
      state_privacy(study.spec, vote.manifest.authenticated, vote.manifest.answers, vote.manifest.unit);
  out.epsilon = out.epsilon_delivered = statement.epsilon;
  out.privacy = statement.sentences;
  out.assumed_public = {fmt::format("the {} names that a device may answer with", out.features)};
  out.reports_used = vote.counts[Reason::accepted];
  out.reports_refused = vote.counts.total() - out.reports_used;
  for (std::size_t i = 0; i < k_reasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (reason != Reason::accepted && vote.counts.of[i] > 0)
      out.refused_by_reason.emplace_back(reason_name(reason), vote.counts.of[i]);
  }
  out.bytes_per_report = sizes.mean();
  out.command = vote.command;
  return out;
}

}  // namespace sotto::analyzer
