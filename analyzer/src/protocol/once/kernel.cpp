// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// = K (K + N)^-1 m: propagates the noise of the means to the coefficients.
#include <Eigen/Cholesky>
#include <cmath>
#include <limits>

#include "moment_parts.hpp"
#include "once.hpp"
#include "sotto/analyzer/math/normal.hpp"
#include "sotto/analyzer/solve/psd.hpp"
#include "sotto/local/fourier.hpp"

namespace sotto::analyzer {
namespace {

constexpr int k_curve_points = 101;

/// The curve of a function of one feature in scaled units, with a confidence band from the coefficients' variance;
/// complete_model() converts it to the study's units.
void draw_curve(const Eigen::MatrixXd& covariance, LearnedFunction& f) {
  if (f.inputs.size() != 1) return;
  for (int i = 0; i < k_curve_points; ++i) {
    const double x = -1 + 2.0 * i / (k_curve_points - 1);
    const std::vector<double> values = f.basis_at({&x, 1});
    const Eigen::Map<const Eigen::VectorXd> v(values.data(), static_cast<Eigen::Index>(values.size()));
    const Eigen::Map<const Eigen::VectorXd> c(f.coefficients.data(), v.size());
    const double fit = v.dot(c), half = k_interval_95 * std::sqrt(std::max(0.0, v.dot(covariance * v)));
    f.curve.push_back({x, fit, fit - half, fit + half});
  }
}

/// The noise of the coefficients relative to the function, averaged over the range of the inputs, for the verdict.
double relative_noise(const Eigen::MatrixXd& covariance, const LearnedFunction& f) {
  constexpr int k_points = 512;
  double noise = 0, square = 0;
  std::uint32_t state = 1;
  for (int i = 0; i < k_points; ++i) {
    std::vector<double> x;
    for (std::size_t j = 0; j < f.inputs.size(); ++j) {
      state = state * 1664525u + 1013904223u;
      x.push_back(state / 2147483648.0 - 1);
    }
    const std::vector<double> values = f.basis_at(x);
    const Eigen::Map<const Eigen::VectorXd> v(values.data(), static_cast<Eigen::Index>(values.size()));
    const double fit = v.dot(Eigen::Map<const Eigen::VectorXd>(f.coefficients.data(), v.size()));
    noise += std::max(0.0, v.dot(covariance * v));
    square += fit * fit;
  }
  return square > 0 ? std::sqrt(noise / square) : 1;
}

void finish(const Eigen::VectorXd& coefficients, const Eigen::MatrixXd& covariance, Model& model) {
  LearnedFunction& f = model.function;
  f.coefficients.assign(coefficients.begin(), coefficients.end());
  draw_curve(covariance, f);
  const double relative = relative_noise(covariance, f);
  keep_beyond_noise(relative, "the function", model);
  model.error.privacy = relative * relative;
}

/// Ridge on the moments of random Fourier features, from sketches of them or from their packed products.
class FourierRidge final : public Once {
 public:
  using Once::Once;

 private:
  Result<Done> learn(const RoundAggregate& aggregate, Model& model) override {
    const bool packed = ask_.way == OnceWay::moments;
    const double radius = from_q24(static_cast<std::int32_t>(ask_.draft.parameter[recipe::packed_fourier::radius]));
    const auto p = static_cast<Eigen::Index>(packed ? ask_.draft.parameter[recipe::packed_fourier::count]
                                                    : aggregate.moments().dimension() - 1);
    const MomentEstimate m = packed ? packed_moments(aggregate.direction(), p, radius)
                                    : sketched_moments(aggregate.moments(), feature_step(), target_step());
    // The ridge is the amount by which the noise of a p by p matrix moves its eigenvalues.
    const double lambda = m.q_error * std::sqrt(static_cast<double>(p));
    const Eigen::MatrixXd inverse = debiased_ridge_inverse(m.q, lambda);
    const Eigen::VectorXd c = inverse * m.b;
    const double residual = std::sqrt(m.b_error * m.b_error + m.q_error * m.q_error * c.squaredNorm());
    put_basis(
        static_cast<std::uint32_t>(p),
        ask_.draft.parameter[packed ? recipe::packed_fourier::inverse_bandwidth : recipe::sketch::inverse_bandwidth],
        model.function);
    // Devices multiply their cosines by sqrt(2/p).
    const double size = std::sqrt(2.0 / static_cast<double>(p));
    model.rounds.back().radius = radius;
    model.rounds.back().noise = m.q_error;
    finish(size * c, size * size * residual * residual * (inverse * inverse), model);
    return Done{};
  }

  /// Phases and frequencies as devices draw them from the study's coins (sotto/local/fourier.hpp).
  void put_basis(std::uint32_t p, std::uint32_t inverse_bandwidth_q16, LearnedFunction& f) const {
    PublicCoins coins{{manifest_.seed, 0, ask_.draft.number}, CoinPurpose::shared_fourier};
    const FourierScale scale = fourier_scale(inverse_bandwidth_q16);
    f.basis = "cosines";
    f.inputs.resize(terms_.features);
    f.place.resize(std::size_t{p} * terms_.features);
    for (std::uint32_t j = 0; j < p; ++j) f.phase.push_back(coins.word() / 4294967296.0);
    for (std::uint32_t i = 0; i < terms_.features; ++i) {
      for (std::uint32_t j = 0; j < p; j += 2) {
        const std::uint32_t word = coins.word();
        for (std::uint32_t half = 0; half < 2; ++half) {
          const double weight = fourier_weight(scale, word >> (16 * half));
          f.place[std::size_t{j + half} * terms_.features + i] = weight * 32768 / 4294967296.0;
        }
      }
    }
  }
};

/// Kernel ridge regression on the means of cells, each with the noise of its two counts.
class BinnedRidge final : public Once {
 public:
  using Once::Once;

 private:
  Result<Done> learn(const RoundAggregate& aggregate, Model& model) override {
    const CategoryCounts counts = aggregate.categories();
    const std::uint32_t cells = ask_.draft.parameter[recipe::cells::count];
    LearnedFunction& f = model.function;
    f.basis = "bumps";
    f.bandwidth = once().bandwidth;
    f.inputs.resize(terms_.features);
    const auto size = static_cast<Eigen::Index>(counts.count.size() / 2);
    const double expected = static_cast<double>(counts.used) / static_cast<double>(size);
    Eigen::VectorXd mean(size), noise(size);
    for (Eigen::Index c = 0; c < size; ++c) {
      const auto at = static_cast<std::size_t>(2 * c);
      const double both = counts.count[at] + counts.count[at + 1], difference = counts.count[at + 1] - counts.count[at];
      const double error = std::hypot(counts.standard_error[at], counts.standard_error[at + 1]);
      // The number of devices in a cell is not known. Its estimate is shrunk towards a uniform distribution where it is
      // mostly noise.
      const double trust = both * both / (both * both + error * error);
      const double devices = std::max(0.2 * expected, trust * both + (1 - trust) * expected);
      mean[c] = once().target_bound * difference / devices;
      noise[c] =
          std::pow(once().target_bound * error / devices, 2) + once().target_bound * once().target_bound / devices;
      std::size_t rest = static_cast<std::size_t>(c);
      for (std::uint32_t i = 0; i < terms_.features; ++i, rest /= cells)
        f.place.push_back(-1 + (2.0 * static_cast<double>(rest % cells) + 1) / cells);
    }
    fit(mean, noise, cells, model);
    return Done{};
  }

  /// The Gaussian process with this kernel whose scale, of several, maximizes the likelihood of the means.
  void fit(const Eigen::VectorXd& mean, const Eigen::VectorXd& noise, std::uint32_t cells, Model& model) const {
    LearnedFunction& f = model.function;
    const Eigen::Index size = mean.size();
    f.coefficients.assign(static_cast<std::size_t>(size), 1);
    Eigen::MatrixXd kernel(size, size);
    const std::size_t a = terms_.features;
    for (Eigen::Index c = 0; c < size; ++c) {
      const std::vector<double> values = f.basis_at(std::span(f.place).subspan(static_cast<std::size_t>(c) * a, a));
      kernel.col(c) = Eigen::Map<const Eigen::VectorXd>(values.data(), size);
    }
    double best = -std::numeric_limits<double>::infinity();
    Eigen::VectorXd alpha;
    Eigen::MatrixXd covariance;
    for (double height = 4; height > 0.001; height /= 2) {
      const double square = height * once().target_bound * once().target_bound;
      const Eigen::LLT<Eigen::MatrixXd> factor(square * kernel + Eigen::MatrixXd(noise.asDiagonal()));
      const Eigen::VectorXd solved = factor.solve(mean);
      const double likelihood = -0.5 * mean.dot(solved) - factor.matrixLLT().diagonal().array().log().sum();
      if (likelihood <= best) continue;
      best = likelihood;
      alpha = square * solved;
      const Eigen::MatrixXd inverse = square * factor.solve(Eigen::MatrixXd::Identity(size, size));
      covariance = inverse * noise.asDiagonal() * inverse;
    }
    model.rounds.back().noise = std::sqrt(noise.mean());
    model.rounds.back().candidates = cells;
    finish(alpha, covariance, model);
  }
};

}  // namespace

std::unique_ptr<Protocol> kernel_once(const RegressionTerms& terms, OnceAsk ask, const Manifest& manifest) {
  if (ask.way == OnceWay::binned) return std::make_unique<BinnedRidge>(terms, std::move(ask), manifest);
  return std::make_unique<FourierRidge>(terms, std::move(ask), manifest);
}

}  // namespace sotto::analyzer
