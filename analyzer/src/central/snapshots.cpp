// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>

#include "methods.hpp"
#include "private_sums.hpp"

// The variance-reduced methods dp-scsg-ht and dp-svrg-ht: snapshot gradients with cheaper corrections.
namespace sotto::analyzer::central {
namespace {

/// The schedule of a variance-reduced method. Each epoch takes a gradient on `snapshot_share` of the rows, then `inner`
/// steps (or a geometric number with this mean), each corrected by the difference between the gradients at the current
/// point and at the snapshot, on `inner_share` of the rows.
struct SnapshotPlan {
  double snapshot_share = 0.5;
  std::uint32_t inner = 3, epochs = 10;
  bool is_geometric = false;
  double step_cap = 0;
  double z = 0;

  [[nodiscard]] double inner_share() const { return snapshot_share / inner; }
};

// Differences of gradients are small: clipping them at a quarter of the gradients' clip changes few of them and reduces
// the noise.
constexpr double k_difference_clip = 0.25;
// Long epochs and epochs of random length amplify the effect of a step that is too long.
constexpr double k_long_epoch_cap = 16;
constexpr std::uint32_t k_limit_epochs = 40;

SnapshotPlan plan_of(const FitWork& work) {
  const Problem& problem = work.problem();
  SnapshotPlan plan;
  const bool is_svrg = work.settings.method == Method::dp_svrg_ht;
  plan.is_geometric = work.settings.method == Method::dp_scsg_ht_1;
  const bool is_independent = problem.bounds.is_independent;
  if (is_svrg) {
    plan.snapshot_share = 1;
    plan.inner = is_independent ? 3 : 5;
    plan.epochs = is_independent ? 4 : 5;
  } else {
    plan.epochs = is_independent ? 5 : 10;
  }
  if (work.is_private() && !is_independent)
    plan.epochs = steps_rule(plan.epochs, work.strength(work.columns()), k_enough, 3 * plan.epochs);
  plan.step_cap = wide_cap(problem);
  if ((is_svrg || plan.is_geometric) && problem.loss == Loss::logistic && work.is_private())
    plan.step_cap = std::min(plan.step_cap, k_long_epoch_cap);
  if (!work.is_private()) plan.epochs = k_limit_epochs;
  plan.epochs = work.steps(plan.epochs);
  return plan;
}

/// The cost of an epoch after its snapshot.
RenyiCurve inner_cost(const SnapshotPlan& plan, const RenyiCurve& step) {
  const double go_on = plan.inner / (plan.inner + 1.0);
  return plan.is_geometric ? geometric_curve(step, go_on) : plan.inner * step;
}

/// The number of corrections of an epoch: fixed, or drawn with one coin for each, independent of the rows.
std::uint32_t epoch_length(const SnapshotPlan& plan, Coins& coins) {
  if (!plan.is_geometric) return plan.inner;
  std::uint32_t length = 0;
  while (coins.below(plan.inner + 1) != 0) ++length;
  return length;
}

}  // namespace

Result<FitResult> fit_snapshots(const FitWork& work) {
  const Problem& problem = work.problem();
  const Adjacency adjacency = work.settings.adjacency;
  SnapshotPlan plan = plan_of(work);
  RowSampler snapshot_rows(work.sample, plan.snapshot_share, adjacency),
      inner_rows(work.sample, plan.inner_share(), adjacency);
  const double clip = problem.clip(), difference_clip = k_difference_clip * clip;
  FitResult result;
  if (work.is_private()) {
    // Snapshots and corrections get the same multiplier, each relative to its own clip, so that their costs add up
    // directly.
    const auto cost = [&](double z) {
      return plan.epochs * (sampled_curve(snapshot_rows.share(), z, adjacency) +
                            inner_cost(plan, sampled_curve(inner_rows.share(), z, adjacency)));
    };
    const auto z = work.multiplier(cost);
    if (!z) return z.error();
    plan.z = z.value();
    result.z = noise_grid(plan.z, clip, adjacency).z;
    // The expected number of draws, by which the sampler's total variation distance is multiplied.
    work.meter.add(cost(result.z), plan.epochs * (plan.inner + 1.0) * static_cast<double>(work.columns()));
  }
  const double noise = plan.z * reach(adjacency) / plan.snapshot_share * plan.inner *
                       std::sqrt(1 + k_difference_clip * k_difference_clip * plan.inner);
  result.step_size = work.settings.step_size.value_or(
      step_rule(problem, work.sample.count, plan.epochs, noise, work.settings.nonzeros, plan.step_cap));
  const double eta = result.step_size / (problem.curvature() * problem.bounds.row * problem.bounds.row);

  GradientMeans gradients(work.sample, work.coins, adjacency);
  Weights w(work.columns());
  for (std::uint32_t epoch = 0; epoch < plan.epochs; ++epoch) {
    const Weights start = w;
    const std::vector<double> snapshot =
        gradients.mean(snapshot_rows.draw(work.coins), snapshot_rows.share() * work.sample.count, start, clip, plan.z);
    result.passes += snapshot_rows.share();
    const std::uint32_t length = epoch_length(plan, work.coins);
    for (std::uint32_t t = 0; t < length; ++t) {
      std::vector<double> gradient = gradients.mean(inner_rows.draw(work.coins), inner_rows.share() * work.sample.count,
                                                    w, difference_clip, plan.z, &start);
      for (std::size_t j = 0; j < gradient.size(); ++j) gradient[j] += snapshot[j];
      w = hard_threshold(stepped(w, gradient, eta, problem.l2), work.settings.nonzeros);
      result.passes += inner_rows.share();
      ++result.steps;
      work.watch(result.passes, w);
    }
  }
  result.w = std::move(w);
  return result;
}

}  // namespace sotto::analyzer::central
