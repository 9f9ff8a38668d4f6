// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/accountant/renyi.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace sotto::analyzer {
namespace {

constexpr double k_infinite = std::numeric_limits<double>::infinity();
constexpr std::size_t k_run = 127;  // the consecutive orders 2 to 128
constexpr std::array k_beyond = {160.0, 192.0, 256.0, 384.0, 512.0};
constexpr std::size_t k_largest_order = 512;

/// ln n! for n up to the largest order.
const std::array<double, k_largest_order + 1>& log_factorials() {
  static const auto table = [] {
    std::array<double, k_largest_order + 1> t{};
    for (std::size_t n = 1; n < t.size(); ++n) t[n] = t[n - 1] + std::log(static_cast<double>(n));
    return t;
  }();
  return table;
}

bool is_whole(double order) { return order == std::floor(order) && order <= static_cast<double>(k_largest_order); }

double log_choose(std::size_t n, std::size_t k) {
  const auto& f = log_factorials();
  return f[n] - f[k] - f[n - k];
}

/// The logarithm of a sum whose terms are given by their logarithms, added one at a time.
class LogSum {
 public:
  void add(double log_term) {
    if (log_term == -k_infinite) return;
    if (log_term > most_) {
      sum_ = sum_ * std::exp(most_ - log_term) + 1;
      most_ = log_term;
    } else {
      sum_ += std::exp(log_term - most_);
    }
  }
  [[nodiscard]] double value() const { return sum_ > 0 ? most_ + std::log(sum_) : -k_infinite; }

 private:
  double most_ = -k_infinite, sum_ = 0;
};

double poisson_whole(double q, double z, std::size_t order) {
  const double in = std::log(q), out = std::log1p(-q);
  LogSum sum;
  for (std::size_t k = 0; k <= order; ++k) {
    const auto kd = static_cast<double>(k);
    sum.add(log_choose(order, k) + kd * in + static_cast<double>(order - k) * out + kd * (kd - 1) / (2 * z * z));
  }
  return std::max(0.0, sum.value() / static_cast<double>(order - 1));
}

/// The logarithm of the normal tail Q(x), also far out, where erfc underflows to zero.
double log_tail(double x) {
  if (x < 25) return std::log(std::erfc(x / std::sqrt(2.0)) / 2);
  return -x * x / 2 - std::log(x * std::sqrt(2 * 3.141592653589793)) + std::log1p(-1 / (x * x) + 3 / (x * x * x * x));
}

/// The two halves of the real line, split where the two densities of the mixture are equal, with a binomial series in
/// each.
double poisson_fractional(double q, double z, double order) {
  const double split = z * z * std::log(1 / q - 1) + 0.5;
  const double in = std::log(q), out = std::log1p(-q);
  constexpr double k_negligible = 1e-18;
  constexpr int k_terms_max = 100000;
  double sum = 0, binomial = 1;  // binom(order, i), which alternates in sign beyond the order
  for (int i = 0; i < k_terms_max; ++i) {
    const double j = order - i;
    const double left = std::exp(i * in + j * out + (i * i - i) / (2 * z * z) + log_tail((i - split) / z));
    const double right = std::exp(j * in + i * out + (j * j - j) / (2 * z * z) + log_tail((split - j) / z));
    const double term = binomial * (left + right);
    sum += term;
    if (i > order && std::abs(term) < k_negligible) break;
    binomial *= j / (i + 1);
  }
  return std::max(0.0, std::log(sum) / (order - 1));
}

template <class OfOrder>
RenyiCurve curve_of(OfOrder of_order) {
  RenyiCurve curve;
  for (std::size_t i = 0; i < curve.at.size(); ++i) curve.at[i] = of_order(renyi_orders()[i]);
  return curve;
}

}  // namespace

std::span<const double> renyi_orders() noexcept {
  static const auto orders = [] {
    std::array<double, k_run + k_beyond.size()> all{};
    for (std::size_t i = 0; i < k_run; ++i) all[i] = static_cast<double>(i + 2);
    std::copy(k_beyond.begin(), k_beyond.end(), all.begin() + k_run);
    return all;
  }();
  return orders;
}

double gaussian_renyi(double z, double order) { return order / (2 * z * z); }

double poisson_renyi(double q, double z, double order) {
  if (q >= 1) return gaussian_renyi(z, order);
  if (q <= 0) return 0;
  return is_whole(order) ? poisson_whole(q, z, static_cast<std::size_t>(order)) : poisson_fractional(q, z, order);
}

double without_replacement_renyi(double share, double z, double order) {
  if (share >= 1) return gaussian_renyi(z, order);
  if (share <= 0) return 0;
  const auto a = static_cast<std::size_t>(order);
  const auto base = [z](double j) { return j / (2 * z * z); };
  const double log_share = std::log(share);
  LogSum sum;
  sum.add(0);
  // The second term is min{4 (e^e(2) - 1), 2 e^e(2)}; the first of the two overflows where it cannot be the smaller
  // one.
  const double second =
      base(2) < 1 ? std::min(std::log(4 * std::expm1(base(2))), std::log(2.0) + base(2)) : std::log(2.0) + base(2);
  sum.add(2 * log_share + log_choose(a, 2) + second);
  for (std::size_t j = 3; j <= a; ++j) {
    const auto jd = static_cast<double>(j);
    sum.add(jd * log_share + log_choose(a, j) + (jd - 1) * base(jd) + std::log(2.0));
  }
  return std::min(sum.value() / (order - 1), gaussian_renyi(z, order));
}

RenyiCurve& RenyiCurve::operator+=(const RenyiCurve& other) {
  for (std::size_t i = 0; i < at.size(); ++i) at[i] += other.at[i];
  return *this;
}

RenyiCurve operator*(double times, RenyiCurve curve) {
  for (double& cost : curve.at) cost *= times;
  return curve;
}

RenyiCurve gaussian_curve(double z) {
  return curve_of([z](double order) { return gaussian_renyi(z, order); });
}

RenyiCurve poisson_curve(double q, double z) {
  return curve_of([q, z](double order) { return poisson_renyi(q, z, order); });
}

RenyiCurve without_replacement_curve(double share, double z) {
  return curve_of([share, z](double order) { return without_replacement_renyi(share, z, order); });
}

RenyiCurve zcdp_curve(double rho) {
  return curve_of([rho](double order) { return order * rho; });
}

RenyiCurve bounded_range_curve(double epsilon) { return zcdp_curve(epsilon * epsilon / 8); }

RenyiCurve geometric_curve(const RenyiCurve& repeated, double go_on) {
  RenyiCurve curve;
  for (std::size_t i = 0; i < curve.at.size(); ++i) {
    const double less_one = renyi_orders()[i] - 1;
    const double left = 1 - go_on * std::exp(less_one * repeated.at[i]);
    curve.at[i] = left > 0 ? std::log((1 - go_on) / left) / less_one : k_infinite;
  }
  return curve;
}

}  // namespace sotto::analyzer
