// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/model/own_units.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

namespace sotto::analyzer {
namespace {

constexpr double k_clip = 4;  // the clip of a device that uses its own units, in standard deviations
constexpr std::size_t k_rows_min = 3;

Result<Done> is_own(const Model& model) {
  if (model.units == "device" && model.function.inputs.empty()) return Done{};
  return Error{"model.stated_units", "the study stated its units, and devices used them", model.study,
               "use a model of a study in which each device scales its own rows"};
}

/// Mean and standard deviation of the values of a device that are not missing.
struct Spread {
  double mean = 0, deviation = 0;
  std::size_t count = 0;
};

template <class ValueOf>
Spread spread_of(const std::vector<std::size_t>& rows, ValueOf value_of) {
  Spread out;
  for (const std::size_t row : rows) {
    if (const double v = value_of(row); !std::isnan(v)) {
      out.mean += v;
      ++out.count;
    }
  }
  if (out.count == 0) return out;
  const auto n = static_cast<double>(out.count);
  out.mean /= n;
  for (const std::size_t row : rows) {
    if (const double v = value_of(row); !std::isnan(v)) out.deviation += (v - out.mean) * (v - out.mean);
  }
  out.deviation = std::sqrt(out.deviation / n);
  return out;
}

double own_value(const Spread& spread, double value) {
  if (std::isnan(value) || spread.deviation <= 0) return 0;
  return std::clamp((value - spread.mean) / spread.deviation, -k_clip, k_clip);
}

Error few_rows(const std::string& device, const char* what, std::size_t count) {
  return {"predict.few_rows", fmt::format("a device has {} {}, too few for a standard deviation", count, what), device,
          fmt::format("give {} rows or more of it, or leave it out", k_rows_min)};
}

}  // namespace

Result<Model> with_scales(Model model, const ColumnScales& scales) {
  if (const auto own = is_own(model); !own) return own.error();
  if (model.kind == "count")
    return Error{"model.log_of_count",
                 "the model predicts log(1 + count), whose scale does not follow from a scale of counts", model.target,
                 "predict with the device of each row, --user COLUMN"};
  Scale target;
  const bool is_linear = model.link == "identity";
  if (is_linear) {
    const auto found = scales.of(model.target);
    if (!found) return found.error();
    target = found.value();
  }
  model.intercept = is_linear ? target.offset : 0;
  for (Coefficient& c : model.coefficients) {
    const auto found = scales.of(c.name);
    if (!found) return found.error();
    c.per_unit = c.estimate * (is_linear ? target.deviation : 1) / found.value().deviation;
    model.intercept -= c.per_unit * found.value().offset;
  }
  return model;
}

Result<std::vector<double>> predict_own(const Model& model, const OwnRows& rows) {
  if (const auto own = is_own(model); !own) return own.error();
  std::map<std::string, std::vector<std::size_t>> rows_of;
  for (std::size_t row = 0; row < rows.device.size(); ++row) rows_of[rows.device[row]].push_back(row);
  const bool is_class = model.link == "logistic", has_level = !rows.target.empty() && !is_class;
  std::vector<double> out(rows.device.size());
  for (const auto& [device, its] : rows_of) {
    if (its.size() < k_rows_min) return few_rows(device, its.size() == 1 ? "row" : "rows", its.size());
    Spread level{0, 1, its.size()};
    if (has_level) level = spread_of(its, [&](std::size_t row) { return rows.target[row]; });
    if (level.count < k_rows_min) return few_rows(device, "rows whose target is known", level.count);
    std::vector<double> sum(its.size());
    for (std::size_t j = 0; j < model.coefficients.size(); ++j) {
      const Spread spread = spread_of(its, [&](std::size_t row) { return rows.values[row][j]; });
      for (std::size_t i = 0; i < its.size(); ++i)
        sum[i] += model.coefficients[j].estimate * own_value(spread, rows.values[its[i]][j]);
    }
    for (std::size_t i = 0; i < its.size(); ++i)
      out[its[i]] = is_class ? 1 / (1 + std::exp(-sum[i])) : level.mean + level.deviation * sum[i];
  }
  return out;
}

}  // namespace sotto::analyzer
