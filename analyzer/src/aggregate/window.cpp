// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/window.hpp"

#include <cmath>

#include "sotto/analyzer/aggregate/histogram.hpp"
#include "sotto/analyzer/aggregate/window_law.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

namespace {
SumsShape shape_of(const WindowSpec& spec) {
  return {
      .stem = WindowSpec::k_stem, .spec = digest_of(spec), .count = spec.outcomes, .term_max = 1, .is_histogram = true};
}
}  // namespace

Result<WindowAggregate> WindowAggregate::open(const WindowSpec& spec) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  return WindowAggregate{spec, Sums{shape_of(spec)}};
}

bool WindowAggregate::absorb(std::uint32_t report) noexcept { return count_report(sums_, report); }

std::uint64_t WindowAggregate::absorb(std::span<const std::uint32_t> reports) { return count_reports(sums_, reports); }

Result<WindowAggregate> WindowAggregate::load(const WindowSpec& spec, std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  auto sums = Sums::load(shape_of(spec), bytes);
  if (!sums.ok()) return sums.error();
  return WindowAggregate{spec, std::move(sums).value()};
}

ScalarMean WindowAggregate::close() const {
  // The integers 2j - (K-1) keep both sums exact: at most 127 and 127^2 times 2^39.
  const auto counts = sums_.values();
  std::int64_t sum = 0, squares = 0;
  for (std::size_t j = 0; j < counts.size(); ++j) {
    const std::int64_t twice = 2 * static_cast<std::int64_t>(j) - static_cast<std::int64_t>(counts.size()) + 1;
    sum += counts[j] * twice;
    squares += counts[j] * twice * twice;
  }
  const WindowLaw law{spec_};
  const double half = law.step() / 2;
  const MeanEstimate m =
      mean_of(half * static_cast<double>(sum), half * half * static_cast<double>(squares), sums_.used());
  ScalarMean out;
  out.mean = m.mean;
  out.standard_error = m.standard_error;
  out.noise_error = std::sqrt(law.worst_variance() / static_cast<double>(sums_.used()));
  out.used = sums_.used();
  out.refused = sums_.refused();
  return out;
}

}  // namespace sotto::analyzer
