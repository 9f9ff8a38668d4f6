// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/aggregate/hadamard_response.hpp"

#include <algorithm>
#include <cmath>

#include "sotto/analyzer/aggregate/histogram.hpp"
#include "sotto/analyzer/aggregate/walsh_transform.hpp"
#include "sotto/analyzer/channel/spec_check.hpp"

namespace sotto::analyzer {

namespace {
SumsShape shape_of(const HadamardResponseSpec& spec) {
  return {.stem = HadamardResponseSpec::k_stem,
          .spec = digest_of(spec),
          .count = std::size_t{1} << spec.log2_size,
          .term_max = 1,
          .is_histogram = true};
}
}  // namespace

Result<HadamardResponseAggregate> HadamardResponseAggregate::open(const HadamardResponseSpec& spec) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  return HadamardResponseAggregate{spec, Sums{shape_of(spec)}};
}

bool HadamardResponseAggregate::absorb(std::uint32_t report) noexcept { return count_report(sums_, report); }

std::uint64_t HadamardResponseAggregate::absorb(std::span<const std::uint32_t> reports) {
  return count_reports(sums_, reports);
}

Result<HadamardResponseAggregate> HadamardResponseAggregate::load(const HadamardResponseSpec& spec,
                                                                  std::span<const std::uint8_t> bytes) {
  if (const auto checked = check_spec(spec); !checked.ok()) return checked.error();
  auto sums = Sums::load(shape_of(spec), bytes);
  if (!sums.ok()) return sums.error();
  return HadamardResponseAggregate{spec, std::move(sums).value()};
}

CategoryCounts HadamardResponseAggregate::close() const {
  CategoryCounts out;
  out.used = sums_.used();
  out.refused = sums_.refused();
  const auto n = static_cast<double>(out.used);
  const double gain = 2 * std::ldexp(spec_.threshold, -32) - 1;
  std::vector<std::int64_t> agreement(sums_.values().begin(), sums_.values().end());
  walsh_transform_wrap(agreement);  // the histogram sums to n < 2^40: no wrap
  for (std::uint32_t v = 0; v < spec_.categories; ++v) {
    const double count = static_cast<double>(agreement[v + 1]) / gain;
    out.count.push_back(count);
    out.standard_error.push_back(std::sqrt(n / (gain * gain) - std::clamp(count, 0.0, n)));
  }
  return out;
}

}  // namespace sotto::analyzer
