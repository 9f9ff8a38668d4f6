// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "statistic.hpp"

#include <array>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/format.h>
#include <Eigen/Dense>
#include <boost/math/distributions/chi_squared.hpp>

namespace sotto::analyzer::audit {

namespace {

constexpr std::size_t k_number_bytes = 3;

using Symbol = std::function<std::string(const Outcome&)>;

/// The score of an outcome: the logarithm of how much more often its symbol came from the first data set; 0 for a
/// symbol that never came.
std::function<double(const Outcome&)> ratio_table(const Runs& learned, const Symbol& symbol) {
  std::map<std::string, std::array<double, 2>> counts;
  for (const Outcome& o : learned.first) counts[symbol(o)][0] += 1;
  for (const Outcome& o : learned.second) counts[symbol(o)][1] += 1;
  auto scores = std::make_shared<std::map<std::string, double>>();
  for (const auto& [key, count] : counts) (*scores)[key] = std::log((count[0] + 0.5) / (count[1] + 0.5));
  return [scores, symbol](const Outcome& o) {
    const auto found = scores->find(symbol(o));
    return found == scores->end() ? 0.0 : found->second;
  };
}

/// A part with its lowest bits cut off; lengths and gaps stay apart.
std::string cut_part(const std::optional<std::string>& part, unsigned shift) {
  if (!part) return "-";
  std::string out = *part;
  if (!out.empty()) out[0] = static_cast<char>(static_cast<unsigned char>(out[0]) >> shift << shift);
  return fmt::format("{}:{}", out.size(), out);
}

std::string symbol_of(const Outcome& o, unsigned shift) {
  std::string out = o.context;
  for (const auto& part : o.parts) out += '\n' + cut_part(part, shift);
  return out;
}

Eigen::VectorXd numbers_of(const Outcome& o) {
  std::vector<double> out;
  for (const auto& part : o.parts) {
    if (!part) continue;
    for (std::size_t at = 0; at + k_number_bytes <= part->size(); at += k_number_bytes) {
      std::uint32_t bits = 0;
      for (std::size_t i = 0; i < k_number_bytes; ++i)
        bits |= std::uint32_t{static_cast<unsigned char>((*part)[at + i])} << (8 * i + 8);
      out.push_back(static_cast<std::int32_t>(bits) >> 8);
    }
  }
  return Eigen::Map<Eigen::VectorXd>(out.data(), static_cast<Eigen::Index>(out.size()));
}

/// Fisher's linear discriminant, with a ridge of a thousandth of the mean variance.
Statistic discriminant(const Runs& learned) {
  const Eigen::Index size = numbers_of(learned.first.front()).size();
  Eigen::VectorXd mean[2] = {Eigen::VectorXd::Zero(size), Eigen::VectorXd::Zero(size)};
  const std::vector<Outcome>* sides[2] = {&learned.first, &learned.second};
  for (int i = 0; i < 2; ++i) {
    for (const Outcome& o : *sides[i]) mean[i] += numbers_of(o);
    mean[i] /= static_cast<double>(sides[i]->size());
  }
  Eigen::MatrixXd spread = Eigen::MatrixXd::Zero(size, size);
  for (int i = 0; i < 2; ++i) {
    for (const Outcome& o : *sides[i]) {
      const Eigen::VectorXd off = numbers_of(o) - mean[i];
      spread += off * off.transpose();
    }
  }
  spread /= static_cast<double>(learned.first.size() + learned.second.size());
  spread.diagonal().array() += 1e-3 * spread.trace() / static_cast<double>(size) + 1e-9;
  const Eigen::VectorXd weights = spread.ldlt().solve(mean[0] - mean[1]);
  return {"numbers", [weights](const Outcome& o) { return weights.dot(numbers_of(o)); }};
}

/// Whether every run has as many numbers, so that they are the coordinates of a vector.
bool all_are_vectors(const Runs& runs) {
  const Eigen::Index size = numbers_of(runs.first.front()).size();
  for (const auto* side : {&runs.first, &runs.second}) {
    for (const Outcome& o : *side) {
      if (numbers_of(o).size() != size) return false;
    }
  }
  return size > 0;
}

}  // namespace

std::vector<Statistic> report_statistics(const Runs& learned, bool numbers) {
  if (numbers && all_are_vectors(learned)) return {discriminant(learned)};
  std::vector<Statistic> out;
  for (const unsigned shift : {0u, 2u, 4u}) {
    out.push_back({shift == 0 ? "outcome" : fmt::format("outcome/{}", 1u << shift),
                   ratio_table(learned, [shift](const Outcome& o) { return symbol_of(o, shift); })});
  }
  const std::size_t parts = learned.first.front().parts.size();
  if (parts < 2) return out;
  std::vector<std::function<double(const Outcome&)>> tables;
  for (std::size_t i = 0; i < parts; ++i) {
    tables.push_back(
        ratio_table(learned, [i](const Outcome& o) { return o.context + '\n' + cut_part(o.parts[i], 0); }));
  }
  out.push_back({"sum", [tables](const Outcome& o) {
                   double sum = 0;
                   for (const auto& table : tables) sum += table(o);
                   return sum;
                 }});
  out.push_back({"equal", ratio_table(learned, [](const Outcome& o) {
                   std::string pattern = o.context + '\n';
                   for (const auto& part : o.parts) pattern += part == o.parts.front() ? '=' : '!';
                   return pattern;
                 })});
  return out;
}

std::vector<Statistic> time_statistics(const Runs& learned) {
  const auto time = [](const Outcome& o) { return o.time.value_or(0); };
  return {
      {"time", ratio_table(learned, [time](const Outcome& o) { return fmt::format("{}\n{}", o.context, time(o)); })},
      {"longer", [time](const Outcome& o) { return static_cast<double>(time(o)); }}};
}

double largest_variance(const Runs& runs, double alpha) {
  double square = 0, freedom = 0;
  for (const std::vector<Outcome>* side : {&runs.first, &runs.second}) {
    const Eigen::Index size = numbers_of(side->front()).size();
    Eigen::VectorXd mean = Eigen::VectorXd::Zero(size);
    for (const Outcome& o : *side) mean += numbers_of(o) / static_cast<double>(side->size());
    for (const Outcome& o : *side) square += (numbers_of(o) - mean).squaredNorm();
    freedom += static_cast<double>(size) * (static_cast<double>(side->size()) - 1);
  }
  const double least = boost::math::quantile(boost::math::chi_squared(std::max(1.0, freedom)), alpha);
  return square / least;
}

}  // namespace sotto::analyzer::audit
