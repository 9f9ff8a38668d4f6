// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "plan_output.hpp"
#include "say.hpp"
#include "sotto/analyzer/plan/plan.hpp"
#include "sotto/analyzer/plan/plan_page.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto plan`: what a fleet can tell, before a device spends its epsilon.
namespace sotto::cli {
namespace {

using analyzer::Error;
using analyzer::PlanRequest;
using analyzer::Result;

/// What is asked, and where the answer goes.
struct PlanCommand {
  analyzer::request::PlanOptions plan;
  std::string out;
  bool json = false;
};

int plan(const PlanCommand& o) {
  const auto stop = [&o](const Error& error) {
    const Exit code = error.code == "usage" ? usage : error.code.starts_with("io.") ? input_output : refused;
    return refuse(error, o.json, code);
  };
  const Result<PlanRequest> request = analyzer::request::plan_request(o.plan);
  if (!request) return stop(request.error());
  const Result<analyzer::Plan> made = analyzer::make_plan(request.value());
  if (!made) return stop(made.error());
  const PlanShown shown{request.value(), made.value(), o.plan.rate};
  const Json json = analyzer::request::plan_json(shown);
  if (!o.out.empty()) {
    if (const auto there = make_directory(o.out); !there) return stop(there.error());
    const std::filesystem::path directory(o.out);
    if (const auto done = write_file(directory / "plan.json", json_text(json)); !done) return stop(done.error());
    const std::string page = analyzer::html::plan_page(request.value(), made.value(), o.plan.rate);
    if (const auto done = write_file(directory / "plan.html", page); !done) return stop(done.error());
  }
  if (o.json)
    print_json(json);
  else
    print_plan(shown);
  return done;
}

}  // namespace

void add_plan(CLI::App& app, Action& action) {
  auto o = std::make_shared<PlanCommand>();
  CLI::App* verb = app.add_subcommand("plan", "say what a fleet can tell, before a device spends its epsilon");
  analyzer::request::add_plan_options(*verb, o->plan);
  verb->add_option("--out", o->out, "directory for plan.json and plan.html");
  verb->add_flag("--json", o->json, "print one JSON object");
  verb->callback([o, verb, &action] {
    analyzer::request::complete_options(*verb, o->plan.sim);
    action = [o] { return plan(*o); };
  });
}

}  // namespace sotto::cli
