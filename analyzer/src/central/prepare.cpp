// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/central/prepare.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "prepare_dense.hpp"
#include "sotto/analyzer/data/libsvm.hpp"

namespace sotto::analyzer::central {
namespace {

// Bounds for clipping values one by one: few values of a standardised feature exceed 2, few of a row of norm 1 exceed
// 0.2.
constexpr double k_standard_value = 2, k_row_value = 0.2;
constexpr std::uint32_t k_features_max = 1u << 24;  // limit for sparse rows

bool looks_like_libsvm(const DataSettings& s) {
  if (s.rows) return false;
  std::filesystem::path name = s.file.filename();
  if (name.extension() == ".gz") name = name.stem();
  return s.is_libsvm || name.extension() == ".libsvm" || name.extension() == ".svm";
}

/// Labels 0 and 1 stay, -1 becomes 0, anything else is refused. The meaning of a label does not depend on other rows.
Result<Done> read_labels(std::vector<float>& y, const std::string& file) {
  for (std::size_t row = 0; row < y.size(); ++row) {
    if (y[row] != 1 && y[row] != 0 && y[row] != -1) {
      return Error{"data.bad_label", fmt::format("{}: the label of row {} is not one of two classes", file, row + 1),
                   fmt::format("{}", y[row]),
                   "the logistic loss takes 0 and 1, or -1 and 1; for a number use --loss linear"};
    }
    y[row] = y[row] == 1 ? 1.0f : 0.0f;
  }
  return Done{};
}

Result<double> bound_of(const std::optional<double>& given, std::optional<double> by_rule, const char* option,
                        const char* what) {
  if (!given && by_rule) return *by_rule;
  if (!given) {
    return Error{"data.bad_bound", fmt::format("{} is not known", what), "not given",
                 fmt::format("give {}, from what is known without looking at the rows", option)};
  }
  if (is_bound(*given)) return *given;
  return Error{"data.bad_bound", fmt::format("{} is not between 1e-30 and 1e30", what), fmt::format("{:g}", *given),
               fmt::format("give {}, from what is known without looking at the rows", option)};
}

Result<Done> set_bounds(PreparedData& data, const DataSettings& s) {
  const double d = static_cast<double>(data.problem.x.columns());
  std::optional<double> row, value, target;
  if (s.scaling == RowScaling::standard) row = std::sqrt(d), value = k_standard_value, target = 1;
  if (s.scaling == RowScaling::rows) row = 1, value = k_row_value;
  if (s.loss == Loss::logistic) target = 1;
  PublicBounds& bounds = data.problem.bounds;
  const struct {
    const std::optional<double>& given;
    std::optional<double> by_rule;
    const char *option, *what;
    double& to;
  } all[] = {{s.row_bound, row, "--row-bound", "the length of a usual row", bounds.row},
             {s.value_bound, value, "--value-bound", "the size of a large value", bounds.value},
             {s.target_bound, target, "--target-bound", "the standard deviation of the target", bounds.target}};
  for (const auto& bound : all) {
    const auto made = bound_of(bound.given, bound.by_rule, bound.option, bound.what);
    if (!made) return made.error();
    bound.to = made.value();
  }
  bounds.is_one_scale = data.is_common_range;
  bounds.is_independent = s.is_independent;
  data.assumed_public.push_back(fmt::format(
      "a usual row has length {:.4g}, a large value is {:.4g}{}: what is beyond is clipped", bounds.row, bounds.value,
      s.loss == Loss::logistic ? "" : fmt::format(", the target's deviation is {:.4g}", bounds.target)));
  if (s.is_independent)
    data.assumed_public.emplace_back("features are independent (it sets the number and length of steps)");
  return Done{};
}

void shorten_rows(Problem& problem) {
  const std::vector<double> norms = problem.x.norms();
  for (std::size_t row = 0; row < problem.x.size(); ++row) {
    if (norms[row] == 0) continue;
    for (float& v : problem.x.values(row)) v = static_cast<float>(v / norms[row]);
  }
}

Result<Done> read_sparse(PreparedData& data, const DataSettings& s) {
  if (!s.left_out.empty() || !s.levels.empty() || !s.is_missing.empty() || !s.positive.empty() || s.is_count) {
    return Error{
        "data.csv_only", "a LIBSVM file has no named columns", s.file.string(),
        "--leave-out, --levels, --missing-feature, --positive and --target-kind count are for CSV files: leave "
        "them out"};
  }
  if (s.scaling == RowScaling::standard) {
    return Error{"data.sparse_standard", "sparse rows cannot be standardised: centring would make them dense",
                 s.file.string(), "use --scale rows or --scale none"};
  }
  if (!s.features || *s.features == 0) {
    return Error{
        "data.no_feature_count",
        "a LIBSVM file does not state its number of features, and counting it from the rows would not be private",
        s.features ? "0" : "not given", "give --features, the largest index that a row may have"};
  }
  if (*s.features > k_features_max) {
    return Error{"data.too_many_features", "there are more than 2^24 features", fmt::format("{}", *s.features),
                 "drop or renumber features, and give a smaller --features"};
  }
  auto read = read_libsvm(s.file, *s.features);
  if (!read) return read.error();
  SparseTable table = std::move(read).value();
  if (s.transform == Transform::log) {
    for (float& v : table.value) v = static_cast<float>(transformed(v, s.transform));
  }
  data.target = "label";
  data.problem.y = std::move(table.y);
  data.problem.x = Rows::sparse(std::move(table.first), std::move(table.column), std::move(table.value), table.columns);
  data.assumed_public.push_back(
      fmt::format("the number of features, {}, which was given: larger indices are left out", *s.features));
  return Done{};
}

}  // namespace

Result<PreparedData> prepare(const DataSettings& s, const MomentsPayment* payment) {
  PreparedData data;
  data.scaling = s.scaling;
  data.problem.loss = s.loss;
  data.problem.l2 = s.l2;
  data.transform = s.transform;
  if (!(s.l2 >= 0) || !std::isfinite(s.l2))
    return Error{"data.bad_bound", "the weight of the l2 term is negative or not a number", fmt::format("{:g}", s.l2),
                 "give --l2 of at least 0"};
  const auto read = looks_like_libsvm(s) ? read_sparse(data, s) : read_dense(data, s, payment);
  if (!read) return read.error();
  if (s.loss == Loss::logistic) {
    if (const auto labels = read_labels(data.problem.y, s.file.string()); !labels) return labels.error();
  }
  if (s.scaling == RowScaling::rows) shorten_rows(data.problem);
  if (const auto bounds = set_bounds(data, s); !bounds) return bounds.error();
  data.problem.norms = data.problem.x.norms();
  data.assumed_public.insert(data.assumed_public.begin(), fmt::format("the number of rows, {}", data.problem.x.size()));
  return data;
}

}  // namespace sotto::analyzer::central
