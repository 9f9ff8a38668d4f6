// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>

#include "moment_parts.hpp"
#include "once.hpp"
#include "projection.hpp"
#include "sotto/analyzer/solve/l1_ball.hpp"
#include "sotto/analyzer/solve/projected_gradient.hpp"
#include "sotto/analyzer/solve/psd.hpp"

namespace sotto::analyzer {
namespace {

/// Least squares on moments over the l1 ball of radius norm * sqrt(sparsity), which contains every vector of this norm
/// and sparsity. The paper's way sketches the record (as it is, or projected) and its target with additive noise; the
/// other way reports one record's packed products as a direction.
class RegressionOnce final : public Once {
 public:
  using Once::Once;

 private:
  Result<Done> learn(const RoundAggregate& aggregate, Model& model) override {
    const auto d = static_cast<Eigen::Index>(terms_.features);
    const bool packed = ask_.way == OnceWay::moments;
    const double radius = from_q24(static_cast<std::int32_t>(ask_.draft.parameter[recipe::vector::radius]));
    MomentEstimate m = packed ? packed_moments(aggregate.direction(), d, radius)
                              : sketched_moments(aggregate.moments(), feature_step(), target_step());
    Eigen::MatrixXd q = project_psd(m.q);
    Eigen::VectorXd b = m.b;
    if (ask_.draft.question == QuestionKind::sketch) {
      const Result<Eigen::MatrixXd> matrix = projection_matrix(manifest_, ask_.draft, m.b.size(), d);
      if (!matrix) return matrix.error();
      const Eigen::MatrixXd& phi = matrix.value();
      q = phi.transpose() * q * phi;
      b = phi.transpose() * b;
    }
    const double ball = terms_.norm * std::sqrt(static_cast<double>(terms_.sparsity));
    const Eigen::VectorXd w =
        minimise_quadratic(q, b, [ball](const Eigen::VectorXd& x) { return project_l1_ball(x, ball); }).x;
    // At the solution each number of b - Q w has this error, and Q is replaced by its mean eigenvalue.
    const double residual = std::sqrt(m.b_error * m.b_error + m.q_error * m.q_error * w.squaredNorm());
    const double bend = std::max(1e-12, q.trace() / static_cast<double>(d));
    const double error = residual / bend;
    for (Eigen::Index j = 0; j < d; ++j) {
      if (w[j] != 0) add_coefficient(static_cast<std::uint32_t>(j), w[j], error, model);
    }
    finish_coefficients(terms_.features, model);
    model.error.privacy = error * error * static_cast<double>(d);
    model.rounds.back().radius = packed ? radius : once().row_norm;
    model.rounds.back().noise = m.q_error;
    keep_beyond_noise(w.norm() > 0 ? std::sqrt(model.error.privacy) / w.norm() : 1, "the coefficients", model);
    return Done{};
  }
};

}  // namespace

std::unique_ptr<Protocol> regression_once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest) {
  return std::make_unique<RegressionOnce>(terms, std::move(ask), manifest);
}

}  // namespace sotto::analyzer
