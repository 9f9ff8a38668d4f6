// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "files.hpp"
#include "owner_only.hpp"
#include "say.hpp"
#include "sotto/analyzer/data/columns.hpp"
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
  return model.link == "logistic" ? 1 / (1 + std::exp(-sum)) : sum;
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
    if (!std::isfinite(c.per_unit)) return bad("the effect of one unit is not known", c.name);
  }
  return analyzer::Done{};
}

int predict(const Options& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  std::error_code ignored;
  const fs::path path = fs::is_directory(o.model, ignored) ? fs::path(o.model) / "model.json" : fs::path(o.model);
  const Result<std::string> text = read_file(path.string());
  if (!text) return stop(text.error());
  const Result<Model> read = analyzer::read_model(text.value(), path.string());
  if (!read) return stop(read.error());
  const Model& model = read.value();
  const std::vector<std::string> names = features_of(model);
  if (const auto can = can_predict(model, names, path.string()); !can) return stop(can.error());
  const auto rows = analyzer::read_columns(o.data, names);
  if (!rows) return stop(rows.error());
  std::vector<double> values;
  for (const std::vector<double>& row : rows.value()) {
    values.push_back(predict_row(model, row));
    if (!std::isfinite(values.back()))
      return stop({"predict.not_finite", "a prediction has left the range of numbers",
                   fmt::format("row {}", values.size()), "look at its readings"});
  }
  const std::string what = model.link == "logistic" ? "chance" : model.target;
  if (o.json) {
    print_json({{"target", model.target},
                {"unit", model.target_unit},
                {"what", model.link == "logistic" ? "chance of the upper class" : "expected target"},
                {"verdict", verdict_text(model.verdict)},
                {"features", names},
                {"rows", values.size()},
                {"predictions", values}});
    return done;
  }
  std::string lines = what + "\n";
  for (const double v : values) lines += fmt::format("{:.9g}\n", v);
  if (o.out.empty()) {
    say_lines(lines);
    return done;
  }
  const OwnerOnly owner_only;  // a prediction reveals something about its row
  if (const auto written = write_file(o.out, lines); !written) return stop(written.error());
  say("{} rows predicted by a model that is \"{}\": {}\n", values.size(), verdict_text(model.verdict), o.out);
  return done;
}

}  // namespace

void add_predict(CLI::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  CLI::App* verb = app.add_subcommand("predict", "predict the target for the rows of a file");
  verb->add_option("MODEL", o->model, "model.json, or a directory of a run that has one")->required();
  verb->add_option("DATA", o->data, "CSV, plain or gzip, with a column for each feature of the model; - is stdin")
      ->required();
  verb->add_option("--out", o->out, "file for the predictions, one on each line [stdout]");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "A logistic model gives the probability of the upper class. Readings beyond a function's full scale are clipped. "
      "What the "
      "file holds is read here and not protected by anything.");
  verb->callback([o, &action] { action = [o] { return predict(*o); }; });
}

}  // namespace sotto::cli
