// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "watch.hpp"

#include <atomic>

namespace sotto::python {

namespace py = pybind11;

namespace {

std::atomic<bool> is_interrupted = false;
std::atomic<void (*)(int)> python_handler = nullptr;
static_assert(std::atomic<bool>::is_always_lock_free && std::atomic<void (*)(int)>::is_always_lock_free);

/// Notes Ctrl-C for the run, and lets Python note it too: it raises what its own handler says once the run has ended.
extern "C" void note_interrupt(int signal) {
  is_interrupted = true;
  if (void (*const handler)(int) = python_handler; handler != nullptr) handler(signal);
}

/// Signals go to Python's main thread; a run in another one is ended by whoever started it.
bool is_main_thread() {
  const py::module_ threading = py::module_::import("threading");
  return threading.attr("current_thread")().is(threading.attr("main_thread")());
}

}  // namespace

Watched::Watched(py::object progress) : progress_(std::move(progress)), is_main_(is_main_thread()) {
  if (is_main_) {
    sigaction(SIGINT, nullptr, &before_);
    is_main_ = before_.sa_handler != SIG_IGN && before_.sa_handler != SIG_DFL && (before_.sa_flags & SA_SIGINFO) == 0;
  }
  if (is_main_) {
    is_interrupted = false;
    python_handler = before_.sa_handler;
    struct sigaction note {};
    note.sa_handler = note_interrupt;
    note.sa_flags = before_.sa_flags;
    sigemptyset(&note.sa_mask);
    sigaction(SIGINT, &note, nullptr);
  }
  released_.emplace();
}

Watched::~Watched() { restore(); }

void Watched::restore() {
  released_.reset();
  if (is_main_) sigaction(SIGINT, &before_, nullptr);
  is_main_ = false;
}

analyzer::request::RunWatch Watched::watch() {
  analyzer::request::RunWatch out;
  out.is_stopped = [this, is_main = is_main_] { return (is_main && is_interrupted) || has_raised_; };
  if (!progress_.is_none()) out.progress = [this](double share) { tell(share); };
  return out;
}

void Watched::tell(double share) {
  if (has_raised_) return;
  const py::gil_scoped_acquire held;
  try {
    progress_(share);
  } catch (...) {
    raised_ = std::current_exception();
    has_raised_ = true;
  }
}

void Watched::leave() {
  const bool was_main = is_main_;
  restore();
  if (raised_ != nullptr) std::rethrow_exception(raised_);
  if (was_main && PyErr_CheckSignals() != 0) throw py::error_already_set();
}

}  // namespace sotto::python
