// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <optional>

#include <fmt/format.h>

#include "fit.hpp"
#include "interrupt.hpp"
#include "owner_only.hpp"
#include "talk.hpp"

// `sotto fit`: what happens around the library's fit.
namespace sotto::cli {
namespace {

using analyzer::Error;

/// A model that nobody has seen has told nothing about the rows: whoever stops has to know that there is none.
constexpr const char* k_no_model = "no model was written or shown, so that nothing of the budget is spent";
constexpr std::uint64_t k_steps = 1000;  // of progress

}  // namespace

int run_fit(const FitCommand& o) {
  const auto stop = [&o](Error error) {
    if (error.code == "fit.stopped") {
      error.what = fmt::format("stopped on request: {}", k_no_model);
      error.fix = o.out.empty() ? "start again" : "start again; what was in " + o.out + " before is as it was";
      return refuse(error, o.json, interrupted);
    }
    return refuse(error, o.json, error.code.starts_with("io.") ? input_output : refused);
  };
  Interrupt::tell_at_end(k_no_model);
  const OwnerOnly owner_only(o.fit.synthetic.empty());  // the page holds validation numbers, which no epsilon covers
  std::optional<Interrupt> interrupt;                   // until the end: what is printed is printed whole
  if (const auto good = analyzer::request::check_fit(o.fit); !good) return stop(good.error());
  if (!o.out.empty()) {
    if (const auto free = check_out(o.out); !free) return stop(free.error());
  }
  std::optional<Progress> progress;
  const auto made = analyzer::request::make_fit(
      o.fit, {.begins =
                  [&] {
                    progress.emplace("fitting", k_steps, o.json);
                    interrupt.emplace();
                  },
              .progress = [&](double share) { progress->at(static_cast<std::uint64_t>(k_steps * share)); },
              .is_stopped = Interrupt::came});
  if (progress) progress->finish();
  if (!made) return stop(made.error());
  const FitOutcome& outcome = made.value();
  if (!o.out.empty()) {
    if (const auto written = write_out(o, outcome); !written) return stop(written.error());
  }
  if (o.out.empty()) Interrupt::tell_at_end("what of the model was shown counts as released");
  if (o.json) {
    print_json(analyzer::request::outcome_json(o.fit, outcome));
  } else {
    tell_notes(outcome.notes, outcome.warnings);
    print_outcome(o, outcome);
  }
  return done;
}

}  // namespace sotto::cli
