// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/local/mean.hpp"

#include "rows.hpp"

namespace sotto {

static_assert(k_rows_max * (std::uint64_t{1} << 15) <= std::uint64_t{1} << 30);  // what NominalMean takes

Status column_means(std::uint32_t nominal_rows, const Samples& samples, const std::span<const std::uint16_t>& chosen,
                    const std::span<std::int32_t>& out_q24) noexcept {
  if (nominal_rows == 0 || nominal_rows > k_rows_max || samples.features > k_features_max ||
      !features_exist(chosen, samples.features)) {
    return Status::bad_dimension;
  }
  if (out_q24.size() != (chosen.empty() ? samples.features : chosen.size())) return Status::short_buffer;
  for (std::int32_t& sum : out_q24) sum = 0;
  const std::uint32_t rows = samples.rows < nominal_rows ? samples.rows : nominal_rows;
  for (std::uint32_t i = 0; i < rows; ++i) {
    see_row(samples, i, chosen, out_q24.size(), [=](std::size_t j, Q15 x) noexcept { out_q24[j] += x; });
  }
  const NominalMean mean{nominal_rows};
  for (std::int32_t& sum : out_q24) sum = mean.of(sum, 24 - 15);
  return Status::ok;
}

}  // namespace sotto
