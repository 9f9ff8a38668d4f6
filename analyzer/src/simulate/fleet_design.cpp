// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/fleet_design.hpp"

#include <algorithm>

#include "sotto/choices.hpp"

namespace sotto::analyzer {

FleetDesign::FleetDesign(const FleetData& data, const SessionFleet& fleet) : data_(data), fleet_(fleet) {
  order_.reserve(data.devices());
  for (std::uint64_t device = 0; device < data.devices(); ++device) order_.push_back({fleet.pseudonym(device), device});
  std::ranges::sort(order_, {}, &Named::pseudonym);
}

bool FleetDesign::read(std::uint64_t row, std::span<Q15> out) const {
  const Manifest& manifest = fleet_.manifest();
  const Named& named = order_[row];
  DeviceRows held;
  data_.read(named.device, held);
  const std::uint32_t record = chosen_row({manifest.seed, named.pseudonym, 1}, manifest.nominal_rows);
  if (record >= held.rows) return false;
  const std::size_t width = std::size_t{data_.features()} + 1;
  std::copy_n(held.numbers.begin() + static_cast<std::ptrdiff_t>(record * width), out.size(), out.begin());
  return true;
}

}  // namespace sotto::analyzer
