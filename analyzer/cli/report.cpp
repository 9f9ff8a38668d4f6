// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <filesystem>
#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "model_path.hpp"
#include "model_text.hpp"
#include "say.hpp"
#include "sotto/analyzer/html/fit_page.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "sotto/analyzer/model/own_units.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto report`: renders a model as an HTML page.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::Model;
using analyzer::Result;
namespace fs = std::filesystem;

struct ReportOptions {
  std::string model, out, scales;
  bool json = false;
};

/// The page's path: beside the model, unless the model comes from stdin.
fs::path page_path(const ReportOptions& o, const fs::path& model) {
  if (!o.out.empty()) return o.out;
  return o.model == "-" ? fs::path("report.html") : model.parent_path() / "report.html";
}

/// The page of a model of `sotto fit`, as the fit itself writes it, without validation numbers.
int report_fit(const ReportOptions& o, const fs::path& path, const std::string& text) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  if (!o.scales.empty())
    return stop({"report.fit_has_units", "a fit knows the scales of its columns, and tells its coefficients per unit",
                 path.string(), "leave --scales out"});
  const auto read = analyzer::central::read_fit(text, o.model == "-" ? "stdin" : path.string());
  if (!read) return stop(read.error());
  const analyzer::central::FittedModel& model = read.value();
  const std::string html = analyzer::html::fit_page({.model = model, .rows = {}, .curve = {}, .folds = 0});
  const fs::path page = page_path(o, path);
  if (const auto written = write_file(page, html); !written) return stop(written.error());
  const std::string verdict(analyzer::central::fit_verdict(model));
  if (o.json) {
    print_json({{"page", page.string()},
                {"bytes", html.size()},
                {"target", model.target},
                {"verdict", verdict},
                {"coefficients", model.coefficients.size()}});
    return done;
  }
  say("{}: {}\n{}\npage        {}\n", model.target, verdict, model.privacy.front(), page.string());
  return done;
}

/// The model, in units of measurement where --scales tells them.
Result<Model> model_of(const ReportOptions& o, const std::string& text, const std::string& file) {
  Result<Model> read = analyzer::read_model(text, file);
  if (!read || o.scales.empty()) return read;
  const auto scales = analyzer::ColumnScales::read(o.scales);
  if (!scales) return scales.error();
  return analyzer::with_scales(std::move(read).value(), scales.value());
}

int report(const ReportOptions& o) {
  const auto stop = [&o](const Error& error) {
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  const fs::path path = model_path(o.model);
  const Result<std::string> text = read_file(path.string());
  if (!text) return stop(text.error());
  if (is_fit(text.value())) return report_fit(o, path, text.value());
  const Result<Model> read = model_of(o, text.value(), o.model == "-" ? "stdin" : path.string());
  if (!read) return stop(read.error());
  const Model& model = read.value();
  const std::string html = analyzer::html::model_page(model);
  const fs::path page = page_path(o, path);
  if (o.out.empty()) {
    if (const auto free = page_is_free(page.parent_path()); !free) return stop(free.error());
  }
  if (const auto written = write_file(page, html); !written) return stop(written.error());
  if (o.json) {
    print_json({{"page", page.string()},
                {"bytes", html.size()},
                {"study", model.study},
                {"verdict", verdict_text(model.verdict)},
                {"coefficients", model.coefficients.size()},
                {"units", model.units},
                {"intercept", model.intercept},
                {"per_unit", per_unit_json(model)}});
    return done;
  }
  say("{}: {}\n{}\n", model.study, verdict_text(model.verdict), model.why_verdict);
  if (!o.scales.empty()) {
    say("\n");
    print_coefficients(model);
    say("\nValues per unit take the scales as exact.\n\n");
  }
  say("page        {}\n", page.string());
  return done;
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  auto o = std::make_shared<ReportOptions>();
  CLI::App* verb = app.add_subcommand("report", "show a model as one HTML page that needs nothing else");
  verb->add_option("MODEL", o->model, "model.json or fit.json, a directory that has one, or - for stdin")->required();
  verb->add_option("--out", o->out, "the page [report.html beside the model]");
  verb->add_option("--scales", o->scales,
                   "standard deviations on a typical device, for a model whose coefficients are per device standard "
                   "deviation: CSV with columns name, offset, deviation, the target among them");
  verb->add_flag("--json", o->json, "one JSON object on stdout");
  verb->footer(
      "The page holds its pictures and style, loads nothing and runs no script: it can be mailed and printed.");
  verb->callback([o, &action] { action = [o] { return report(*o); }; });
}

}  // namespace sotto::cli
