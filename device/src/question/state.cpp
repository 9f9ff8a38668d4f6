// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "state.hpp"

#include "sotto/local/residual.hpp"

namespace sotto {

bool model_fits(const Asked& asked) noexcept {
  const std::uint32_t n = asked.round.model_size;  // features rise
  return n == 0 || model_entry(asked.round, n - 1).feature < asked.manifest.features;
}

SparseModel copy_model(const Round& round, Workspace& space) noexcept {
  const std::span<std::int32_t> value = space.take<std::int32_t>(round.model_size);
  const std::span<std::uint16_t> feature = space.take<std::uint16_t>(round.model_size + (round.model_size & 1u));
  for (std::uint32_t i = 0; i < round.model_size; ++i) {
    const ModelEntry entry = model_entry(round, i);
    value[i] = entry.value_q24;
    feature[i] = entry.feature;
  }
  return {feature.first(round.model_size), value};
}

std::span<std::int32_t> take_residuals(const Samples& samples, const SparseModel& model, Workspace& space) noexcept {
  if (model.feature.empty()) return {};
  const std::span<std::int32_t> residual = space.take<std::int32_t>(samples.rows);
  residuals_q24(samples, model, Workspace{space}.take_data<Q15>(samples.rows), residual.data());
  return residual;
}

Samples nominal_samples(const Asked& asked, const HeldRows& held) noexcept {
  Samples used{held};
  if (used.rows > asked.manifest.nominal_rows) used.rows = asked.manifest.nominal_rows;
  if (used.features != asked.manifest.features) used.rows = 0;  // data of another shape: answer as with no rows
  used.features = asked.manifest.features;
  used.units = asked.manifest.units;
  used.unit_q15 = static_cast<std::uint16_t>(asked.manifest.unit_q15);
  static constexpr Q15 k_no_row = 0;
  if (asked.mapped && used.mapped == nullptr) {
    used.rows = 0;
    used.mapped = &k_no_row;
  }
  if (!asked.mapped) used.mapped = nullptr;  // a read hook takes precedence
  return used;
}

}  // namespace sotto
