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
#include "talk.hpp"
#include "verb.hpp"

// `sotto predict`: applies a learned model to the rows of a file.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Model;
using analyzer::Result;
namespace fs = std::filesystem;

struct Options {
  std::string model, data, out;
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
                {"what", p.is_class ? "chance of the upper class" : "expected target"},
                {"verdict", p.verdict},
                {"features", p.features},
                {"rows", p.values.size()},
                {"predictions", p.values}});
    return done;
  }
  std::string lines = (p.is_class ? "chance" : p.target) + "\n";
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
Result<analyzer::Done> can_predict(const Model& model, const std::vector<std::string>& names, const std::string& file) {
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
  for (const analyzer::Coefficient& c : model.coefficients) {
    if (!std::isfinite(c.per_unit) && model.units == "device") {
      return Error{"predict.device_units",
                   file + ": coefficients are per standard deviation of each device, whose size nobody stated", c.name,
                   "state offset and scale of target and features in the study; a file of rows has no devices"};
    }
    if (!std::isfinite(c.per_unit)) return bad("the effect of one unit is not known", c.name);
  }
  return analyzer::Done{};
}

int predict(const Options& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  const fs::path path = model_path(o.model);
  const Result<std::string> text = read_file(path.string());
  if (!text) return stop(text.error());
  if (is_fit(text.value())) {
    const Result<Predictions> made = predict_fit(text.value(), path.string(), o.data);
    return made ? show(o, made.value()) : stop(made.error());
  }
  const Result<Model> read = analyzer::read_model(text.value(), path.string());
  if (!read) return stop(read.error());
  const Model& model = read.value();
  const std::vector<std::string> names = features_of(model);
  if (const auto can = can_predict(model, names, path.string()); !can) return stop(can.error());
  const auto rows = read_features(model, names, o.data);
  if (!rows) return stop(rows.error());
  Predictions out{.target = model.target,
                  .unit = model.target_unit,
                  .verdict = std::string(verdict_text(model.verdict)),
                  .is_class = model.link == "logistic" || model.kind == "class",
                  .features = names,
                  .values = {}};
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
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "A logistic model gives the probability of the upper class. Readings beyond a function's full scale are clipped. "
      "A model of sotto fit clips, fills in what is missing and reads words as it did in the fit. What the file holds "
      "is read here and not protected by anything.");
  verb->callback([o, &action] { action = [o] { return predict(*o); }; });
}

}  // namespace sotto::cli
