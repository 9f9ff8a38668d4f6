// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/gaussian_moments.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/aggregate/gaussian.hpp"
#include "sotto/analyzer/aggregate/power_sums.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::int32_t k_moment_limit = 1 << 23;  // a number travels in 24 bits
constexpr std::size_t k_number_bytes = 3;
constexpr std::int64_t k_low = (std::int64_t{1} << k_square_split_bits) - 1;

std::size_t pairs_of(std::size_t n) { return n * (n + 1) / 2; }

// The number of sums for dimension n. products: n sums, then the low parts of the upper triangle row by row, then the
// high parts. groups: for each group the number of its reports, then its n sums.
std::size_t count_of(std::size_t n, MomentLayout layout) {
  return layout == MomentLayout::products ? n + 2 * pairs_of(n) : k_vector_groups * (n + 1);
}

SumsShape shape_of(const GaussianSpec& spec, MomentLayout layout) {
  return {.stem = GaussianSpec::k_stem,
          .spec = digest_of(spec),
          .count = count_of(spec.dimension, layout),
          .term_max = k_term_max,
          .is_histogram = false};
}

}  // namespace

Result<GaussianMoments> GaussianMoments::open(const GaussianSpec& spec, MomentLayout layout) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  return GaussianMoments{spec, layout, Sums{shape_of(spec, layout)}};
}

Result<GaussianMoments> GaussianMoments::load(const GaussianSpec& spec, MomentLayout layout,
                                              std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked) return checked.error();
  auto sums = Sums::load(shape_of(spec, layout), bytes);
  if (!sums) return sums.error();
  return GaussianMoments{spec, layout, std::move(sums).value()};
}

bool GaussianMoments::absorb(std::uint64_t pseudonym, std::span<const std::int32_t> report) noexcept {
  bool good = report.size() == spec_.dimension && sums_.has_room();
  for (const std::int32_t v : report) good &= v >= -k_moment_limit && v < k_moment_limit;
  if (!good) {
    sums_.count_refused();
    return false;
  }
  const std::size_t n = report.size();
  std::int64_t* sums = sums_.values().data();
  if (layout_ == MomentLayout::groups) {
    sums += pseudonym % k_vector_groups * (n + 1);
    ++*sums++;
  }
  for (std::size_t j = 0; j < n; ++j) sums[j] += report[j];
  if (layout_ == MomentLayout::products) {
    std::int64_t *low = sums + n, *high = low + pairs_of(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = i; j < n; ++j) {
        const std::int64_t product = std::int64_t{report[i]} * report[j];
        *low++ += product & k_low;
        *high++ += product >> k_square_split_bits;
      }
    }
  }
  sums_.count_used();
  return true;
}

double GaussianMoments::noise_variance() const { return discrete_gaussian_variance(spec_.variance); }

std::vector<double> GaussianMoments::mean() const {
  const std::size_t n = spec_.dimension;
  const auto values = sums_.values();
  const double used = static_cast<double>(std::max<std::uint64_t>(1, sums_.used()));
  std::vector<double> out(n);
  if (layout_ == MomentLayout::products) {
    for (std::size_t j = 0; j < n; ++j) out[j] = static_cast<double>(values[j]) / used;
    return out;
  }
  for (std::size_t g = 0; g < k_vector_groups; ++g) {
    for (std::size_t j = 0; j < n; ++j) out[j] += static_cast<double>(values[g * (n + 1) + 1 + j]) / used;
  }
  return out;
}

std::vector<double> GaussianMoments::second_moments() const {
  const std::size_t n = spec_.dimension;
  const std::int64_t *low = sums_.values().data() + n, *high = low + pairs_of(n);
  const double used = static_cast<double>(std::max<std::uint64_t>(1, this->used())), noise = noise_variance();
  std::vector<double> out(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i; j < n; ++j) {
      const double sum = std::ldexp(static_cast<double>(*high++), k_square_split_bits) + static_cast<double>(*low++);
      out[i * n + j] = out[j * n + i] = sum / used - (i == j ? noise : 0);
    }
  }
  return out;
}

std::vector<std::vector<double>> GaussianMoments::group_means() const {
  const std::size_t n = spec_.dimension;
  std::vector<std::vector<double>> out;
  for (std::size_t g = 0; g < k_vector_groups; ++g) {
    const auto values = sums_.values().subspan(g * (n + 1), n + 1);
    if (values[0] == 0) continue;
    out.emplace_back(n);
    for (std::size_t j = 0; j < n; ++j)
      out.back()[j] = static_cast<double>(values[1 + j]) / static_cast<double>(values[0]);
  }
  return out;
}

std::vector<std::int32_t> unpack_vector(std::span<const std::uint8_t> payload) {
  std::vector<std::int32_t> out;
  out.reserve(payload.size() / k_number_bytes);
  for (; payload.size() >= k_number_bytes; payload = payload.subspan(k_number_bytes)) {
    const std::uint32_t number =
        payload[0] | static_cast<std::uint32_t>(payload[1]) << 8 | static_cast<std::uint32_t>(payload[2]) << 16;
    out.push_back(static_cast<std::int32_t>(number << 8) >> 8);  // sign extension
  }
  return out;
}

}  // namespace sotto::analyzer
