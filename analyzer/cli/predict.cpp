// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "files.hpp"
#include "model_path.hpp"
#include "owner_only.hpp"
#include "predict_columns.hpp"
#include "say.hpp"
#include "sotto/analyzer/central/predict.hpp"
#include "sotto/analyzer/data/columns.hpp"
#include "sotto/analyzer/math/target_kind.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "sotto/analyzer/model/own_units.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto predict`: applies a learned model to the rows of a file.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Model;
using analyzer::Result;
namespace fs = std::filesystem;

constexpr std::string_view k_own_unit = "device standard deviations";

struct Options {
  std::string model, data, out, scales, user;
  bool json = false;
};

/// The features that a model uses, in the order of its coefficients or inputs.
std::vector<std::string> features_of(const Model& model) {
  std::vector<std::string> names;
  for (const analyzer::FunctionInput& input : model.function.inputs) names.push_back(input.name);
  for (const analyzer::Coefficient& c : model.coefficients) names.push_back(c.name);
  return names;
}

double predict_row(const Model& model, const std::vector<double>& readings) {
  if (!model.function.inputs.empty()) return model.function(readings);
  double sum = model.intercept;
  for (std::size_t i = 0; i < readings.size(); ++i) sum += model.coefficients[i].per_unit * readings[i];
  if (model.link == "logistic") return 1 / (1 + std::exp(-sum));
  if (model.kind == "class") return std::clamp(sum, 0.0, 1.0);
  return model.kind == "count" ? analyzer::count_of_log(sum) : sum;
}

/// Predictions of either kind of model, and what is said about them.
struct Predictions {
  std::string target, unit, verdict;
  std::string what = "expected target";
  bool is_class = false;
  std::vector<std::string> features;
  std::vector<double> values;
};

Result<Predictions> predict_fit(const std::string& text, const std::string& file, const std::string& data) {
  namespace central = analyzer::central;
  const auto read = central::read_fit(text, file);
  if (!read) return read.error();
  const central::FittedModel& model = read.value();
  if (const auto can = central::can_predict(model, file); !can) return can.error();
  Predictions out{.target = model.target,
                  .unit = "",
                  .verdict = std::string(central::fit_verdict(model)),
                  .is_class = central::is_class(model),
                  .features = central::columns_of(model),
                  .values = {}};
  const auto fields = analyzer::read_fields(data, out.features);
  if (!fields) return fields.error();
  auto values = central::predict(model, fields.value(), data == "-" ? "stdin" : data);
  if (!values) return values.error();
  out.values = std::move(values).value();
  return out;
}

int show(const Options& o, const Predictions& p) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  for (std::size_t row = 0; row < p.values.size(); ++row) {
    if (!std::isfinite(p.values[row]))
      return stop({"predict.not_finite", "a prediction has left the range of numbers", fmt::format("row {}", row + 1),
                   "look at its readings"});
  }
  if (o.json) {
    print_json({{"target", p.target},
                {"unit", p.unit},
                {"what", p.is_class ? "chance of the upper class" : p.what},
                {"verdict", p.verdict},
                {"features", p.features},
                {"rows", p.values.size()},
                {"predictions", p.values}});
    return done;
  }
  std::string lines = (p.is_class             ? "chance"
                       : p.unit == k_own_unit ? fmt::format("{} ({})", p.target, k_own_unit)
                                              : p.target) +
                      "\n";
  for (const double v : p.values) lines += fmt::format("{:.9g}\n", v);
  if (o.out.empty()) {
    say_lines(lines);
    return done;
  }
  const OwnerOnly owner_only;  // a prediction reveals something about its row
  if (const auto written = write_file(o.out, lines); !written) return stop(written.error());
  say("{} rows predicted by a model that is \"{}\": {}\n", p.values.size(), p.verdict, o.out);
  return done;
}

/// What the file of a model does not rule out, and a prediction cannot take: a model that says nothing must not be read
/// as one that says 0.
Result<analyzer::Done> can_predict(const Model& model, const std::vector<std::string>& names, const std::string& file,
                                   bool by_device) {
  if (is_mean(model))
    return Error{"predict.no_target", "a mean has no target to predict", file, "give a model of a target"};
  const auto bad = [&file](std::string what, std::string value) {
    return Error{"predict.bad_model", file + ": " + std::move(what), std::move(value), "use a model that sotto wrote"};
  };
  if (model.link != "identity" && model.link != "logistic")
    return bad("predictions are made for the links identity and logistic", model.link);
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!seen.insert(name).second) return bad("two features have the same name", name);
  }
  if (by_device) return analyzer::Done{};
  for (const analyzer::Coefficient& c : model.coefficients) {
    if (!std::isfinite(c.per_unit) && model.units == "device") {
      return Error{"predict.device_units",
                   file + ": coefficients are per device standard deviation, whose size nobody stated", c.name,
                   "name the column that identifies the device of a row, --user COLUMN, or a file of scales, --scales "
                   "FILE"};
    }
    if (!std::isfinite(c.per_unit)) return bad("the effect of one unit is not known", c.name);
  }
  return analyzer::Done{};
}

Predictions about(const Model& model, std::vector<std::string> features) {
  return {.target = model.target,
          .unit = model.target_unit,
          .verdict = std::string(verdict_text(model.verdict)),
          .is_class = model.link == "logistic" || model.kind == "class",
          .features = std::move(features),
          .values = {}};
}

/// Rows whose device is known are centred and scaled as the device would: level and scale of the target come from the
/// rows of which it is known.
Result<Predictions> predict_devices(const Options& o, const Model& model, const std::vector<std::string>& features) {
  const FeatureColumns columns{model, features};
  std::vector<std::string> names = columns.names();
  const std::size_t user_at = names.size();
  names.push_back(o.user);
  const auto fields = analyzer::read_fields(o.data, names, model.link == "identity" ? model.target : "");
  if (!fields) return fields.error();
  auto numbers = columns.readings(fields.value(), o.data, true);
  if (!numbers) return numbers.error();
  const bool has_target = fields.value().has_optional;
  const bool is_count = model.kind == "count";
  analyzer::OwnRows rows;
  rows.values = std::move(numbers).value();
  for (std::size_t row = 0; row < rows.values.size(); ++row) {
    const std::vector<std::string>& text = fields.value().rows[row];
    rows.device.push_back(text[user_at]);
    if (!has_target) continue;
    const auto target = analyzer::field_number(text.back(), fields.value().has_decimal_comma);
    if (!target || (is_count && *target < 0))
      return Error{"data.not_a_number",
                   fmt::format("{}:{}: {} is not a {}", o.data, fields.value().lines[row], model.target,
                               is_count ? "count" : "finite number"),
                   text.back(), "leave it empty where it is to be predicted"};
    rows.target.push_back(is_count ? std::log1p(*target) : *target);
  }
  auto values = analyzer::predict_own(model, rows);
  if (!values) return values.error();
  Predictions out = about(model, features);
  out.values = std::move(values).value();
  if (has_target && is_count) std::ranges::transform(out.values, out.values.begin(), analyzer::count_of_log);
  if (has_target && model.kind == "class")
    for (double& value : out.values) value = std::clamp(value, 0.0, 1.0);
  if (!has_target && model.link == "identity") {
    out.is_class = false;
    out.unit = k_own_unit;
    out.what =
        "expected target, in device standard deviations from the device's own mean: the file has no column for it";
  }
  return out;
}

int predict(const Options& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  const fs::path path = model_path(o.model);
  const Result<std::string> text = read_file(path.string());
  if (!text) return stop(text.error());
  if (is_fit(text.value())) {
    if (!o.scales.empty() || !o.user.empty())
      return stop({"predict.fit_has_units", "a fit knows the scales of its columns", path.string(),
                   "leave --scales and --user out"});
    const Result<Predictions> made = predict_fit(text.value(), path.string(), o.data);
    return made ? show(o, made.value()) : stop(made.error());
  }
  Result<Model> read = analyzer::read_model(text.value(), path.string());
  if (!read) return stop(read.error());
  if (!o.scales.empty()) {
    const auto scales = analyzer::ColumnScales::read(o.scales);
    if (!scales) return stop(scales.error());
    read = analyzer::with_scales(std::move(read).value(), scales.value());
    if (!read) return stop(read.error());
  }
  const Model& model = read.value();
  const std::vector<std::string> names = features_of(model);
  if (const auto can = can_predict(model, names, path.string(), !o.user.empty()); !can) return stop(can.error());
  if (!o.user.empty()) {
    const Result<Predictions> made = predict_devices(o, model, names);
    return made ? show(o, made.value()) : stop(made.error());
  }
  const FeatureColumns columns{model, names};
  const auto fields = analyzer::read_fields(o.data, columns.names());
  if (!fields) return stop(fields.error());
  const auto rows = columns.readings(fields.value(), o.data, false);
  if (!rows) return stop(rows.error());
  Predictions out = about(model, names);
  for (const std::vector<double>& row : rows.value()) out.values.push_back(predict_row(model, row));
  return show(o, out);
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("predict", "predict the target for the rows of a file");
  verb->add_option("MODEL", o->model, "model.json or fit.json, or a directory that has one")->required();
  verb->add_option("DATA", o->data, "CSV, plain or gzip, with a column for each feature of the model; - is stdin")
      ->required();
  verb->add_option("--out", o->out, "file for the predictions, one on each line [stdout]");
  CLI::Option* const user = verb->add_option(
      "--user", o->user,
      "for a model in device standard deviations: the column that identifies the device of a row; rows are centred and "
      "scaled by the device's own, the target's level by the rows of which it is known");
  verb->add_option(
          "--scales", o->scales,
          "for such a model: standard deviations on a typical device, CSV with columns name, offset, deviation")
      ->excludes(user);
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "A logistic model gives the probability of the upper class. Readings beyond a function's full scale are clipped. "
      "A model of sotto fit clips, fills in what is missing and reads words as it did in the fit. What the file holds "
      "is read here and not protected by anything.");
  verb->callback([o, &action] { action = [o] { return predict(*o); }; });
}

}  // namespace sotto::cli
