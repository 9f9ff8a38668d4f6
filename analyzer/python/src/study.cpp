// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <pybind11/numpy.h>
#include <pybind11/stl.h>

#include "bind.hpp"
#include "error.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/collect/capture.hpp"
#include "sotto/analyzer/collect/directory_run.hpp"
#include "sotto/analyzer/files/replaced_file.hpp"
#include "sotto/analyzer/html/model_page.hpp"
#include "sotto/analyzer/model/model_file.hpp"
#include "watch.hpp"

// A study in its directory: reports in, rounds closed, the model.
namespace sotto::python {

namespace py = pybind11;
using analyzer::Bytes;
using analyzer::DirectoryRun;
using analyzer::Done;
using analyzer::Error;
using analyzer::Result;

namespace {

/// Runs without the interpreter.
template <class Work>
auto quietly(const Work& work) {
  const py::gil_scoped_release released;
  return work();
}

/// The directory is opened anew for every call: in between, other processes may work in it.
class Study {
 public:
  explicit Study(const std::string& path) : directory_(unwrap(analyzer::open_study_directory(path))) {
    if (!directory_.study || !directory_.study->regression) {
      raise({"study.no_protocol", "a study of one vote has no model", path,
             "sotto estimate, on the command line, estimates its shares"});
    }
    const std::string file = (directory_.path / "manifest.bin").string();
    digest_ = manifest_digest(unwrap(analyzer::read_manifest(directory_.manifest, file)));
  }

  void collect_files(const std::vector<std::string>& files) const {
    add([&] { return analyzer::read_batches(files, digest_); });
  }
  void collect_bytes(const py::bytes& bytes) const {
    const std::string held = bytes;
    add([&] { return analyzer::batches_of(Bytes(held.begin(), held.end()), "bytes", digest_); });
  }
  void collect_array(const py::array_t<std::uint8_t, py::array::c_style>& reports) const {
    if (reports.ndim() != 2 || reports.shape(1) == 0)
      throw py::value_error("reports of one size are a matrix of bytes with a row for each");
    const std::span<const std::uint8_t> bytes{reports.data(), static_cast<std::size_t>(reports.size())};
    const auto size = static_cast<std::size_t>(reports.shape(1));
    add([&] { return Result<std::vector<Bytes>>(analyzer::batches_of_reports(bytes, size)); });
  }

  /// Closes the open round; with the last one, writes model.json and the page.
  void close() const {
    const auto made = quietly([&]() -> Result<Done> {
      const auto opened = DirectoryRun::open(directory_, {.closes = true});
      if (!opened) return opened.error();
      DirectoryRun& here = *opened.value();
      if (const auto closed = here.run().close(); !closed) return closed.error();
      if (const auto kept = here.keep_round_file(); !kept) return kept.error();
      if (const auto settled = here.store().settle(); !settled) return settled.error();
      return here.run().round() ? Result<Done>(Done{}) : write_model(here);
    });
    unwrap(made);
  }

  [[nodiscard]] py::dict state() const {
    struct State {
      std::uint16_t round = 0;
      bool open = false;
      analyzer::ReasonCounts of_round, all;
    };
    const State state = unwrap(quietly([&]() -> Result<State> {
      const auto opened = DirectoryRun::open(directory_, {});
      // Before the first report there is no store, and the first round is open.
      if (!opened && opened.error().code == "estimate.no_run") return State{1, true, {}, {}};
      if (!opened) return opened.error();
      DirectoryRun& here = *opened.value();
      const auto of_round = here.store().counts(here.run().number());
      const auto all = here.store().counts();
      if (!of_round) return of_round.error();
      if (!all) return all.error();
      return State{here.run().number(), here.run().round().has_value(), of_round.value(), all.value()};
    }));
    py::dict out;
    out["round"] = state.round;
    out["open"] = state.open;
    out["reports"] = counts_of(state.of_round);
    out["all_reports"] = counts_of(state.all);
    return out;
  }

  [[nodiscard]] py::tuple model() const {
    const auto made = unwrap(quietly([&]() -> Result<analyzer::Model> {
      const auto opened = DirectoryRun::open(directory_, {});
      if (!opened) return opened.error();
      const analyzer::CollectedRun& run = opened.value()->run();
      if (!run.round()) return run.model();
      return Error{"study.not_finished", "the study has no model before its last round is closed",
                   "round " + std::to_string(run.number()) + " is open", "collect its reports, then close() it"};
    }));
    return py::make_tuple(analyzer::model_json(made), analyzer::html::model_page(made));
  }

  [[nodiscard]] std::string name() const { return directory_.study->name; }
  [[nodiscard]] std::size_t rounds() const { return directory_.study->terms.weights.size(); }
  [[nodiscard]] std::uint64_t minimum() const { return directory_.study->terms.minimum; }
  [[nodiscard]] std::string protocol() const { return std::string(directory_.study->regression->protocol->name); }

 private:
  static py::dict counts_of(const analyzer::ReasonCounts& counts) {
    py::dict out;
    for (std::size_t i = 0; i < analyzer::k_reasons; ++i)
      out[py::str(std::string(reason_name(static_cast<analyzer::Reason>(i))))] = counts.of[i];
    return out;
  }

  /// Batches are stored one by one: after Ctrl-C those that were stored count, and the same call goes on.
  template <class Read>
  void add(const Read& read) const {
    Watched run(py::none{});
    const auto watch = run.watch();
    const auto made = [&]() -> Result<Done> {
      const auto batches = read();
      if (!batches) return batches.error();
      const auto opened = DirectoryRun::open(directory_, {.adds = true});
      if (!opened) return opened.error();
      for (const Bytes& batch : batches.value()) {
        if (watch.stopped()) break;
        if (const auto put = opened.value()->run().put(batch); !put) return put.error();
      }
      return opened.value()->store().settle();
    }();
    run.leave();
    unwrap(made);
  }

  [[nodiscard]] Result<Done> write_model(DirectoryRun& here) const {
    const analyzer::Model model = here.run().model();
    const std::string json = analyzer::model_json(model);
    if (!here.store().model()) {
      if (const auto put = here.store().put_model(json); !put) return put.error();
    }
    if (const auto done = analyzer::replace_file(directory_.path / "model.json", json); !done) return done;
    return analyzer::replace_file(directory_.path / "report.html", analyzer::html::model_page(model));
  }

  analyzer::StudyDirectory directory_;
  Digest digest_{};
};

}  // namespace

void bind_study(py::module_& module) {
  py::class_<Study>(module, "Study")
      .def(py::init<std::string>(), py::arg("path"))
      .def("collect_files", &Study::collect_files)
      .def("collect_bytes", &Study::collect_bytes)
      .def("collect_array", &Study::collect_array)
      .def("close", &Study::close)
      .def("state", &Study::state)
      .def("model", &Study::model)
      .def_property_readonly("name", &Study::name)
      .def_property_readonly("rounds", &Study::rounds)
      .def_property_readonly("minimum", &Study::minimum)
      .def_property_readonly("protocol", &Study::protocol);
}

}  // namespace sotto::python
