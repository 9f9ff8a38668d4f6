// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <pybind11/numpy.h>

#include "bind.hpp"
#include "error.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/status_name.hpp"
#include "sotto/wire/report.hpp"

// Bytes of reports as arrays of their fields: a vector for each field, and no object for each report.
namespace sotto::python {

namespace py = pybind11;

namespace {

using ByteArray = py::array_t<std::uint8_t, py::array::c_style>;

/// The fields of many headers, and where their payloads lie.
struct Fields {
  explicit Fields(std::size_t n)
      : round(n), study(n), pseudonym(n), question(n), status(n), sealed(n), first(n), size(n) {}

  void put(std::size_t at, std::span<const std::uint8_t> report, std::size_t begins) {
    ReportHeader header;
    const Status good = decode_header(report, header);
    status[at] = static_cast<std::uint8_t>(good);
    const bool is_whole = good == Status::ok;
    question[at] = is_whole ? static_cast<std::uint8_t>(header.question) : 0;
    round[at] = is_whole ? header.round : 0;
    study[at] = is_whole ? header.study_prefix : 0;
    pseudonym[at] = is_whole ? header.pseudonym : 0;
    sealed[at] = is_whole && header.authenticated;
    const std::size_t around = k_header_bytes + (sealed[at] != 0 ? k_tag_bytes : 0);
    first[at] = begins + k_header_bytes;
    size[at] = is_whole ? report.size() - around : 0;
  }

  std::vector<std::uint16_t> round;
  std::vector<std::uint32_t> study;
  std::vector<std::uint64_t> pseudonym;
  std::vector<std::uint8_t> question, status, sealed;
  std::vector<std::uint64_t> first, size;
};

template <class T>
py::array taken(std::vector<T>& values) {
  auto* const held = new std::vector<T>(std::move(values));
  const py::capsule owner(held, [](void* at) { delete static_cast<std::vector<T>*>(at); });
  return py::array_t<T>(static_cast<py::ssize_t>(held->size()), held->data(), owner);
}

py::dict told(Fields& fields, bool torn) {
  py::dict out;
  out["pseudonym"] = taken(fields.pseudonym);
  out["round"] = taken(fields.round);
  out["question"] = taken(fields.question);
  out["sealed"] = taken(fields.sealed);
  out["study"] = taken(fields.study);
  out["status"] = taken(fields.status);
  out["payload_first"] = taken(fields.first);
  out["payload_size"] = taken(fields.size);
  out["torn"] = torn;
  return out;
}

/// Reports of one size, a row for each.
py::dict decode_rows(const ByteArray& reports) {
  if (reports.ndim() != 2) throw py::value_error("reports of one size are a matrix of bytes with a row for each");
  const auto rows = static_cast<std::size_t>(reports.shape(0)), size = static_cast<std::size_t>(reports.shape(1));
  const std::uint8_t* const bytes = reports.data();
  Fields fields(rows);
  {
    const py::gil_scoped_release released;
    for (std::size_t i = 0; i < rows; ++i) fields.put(i, {bytes + i * size, size}, i * size);
  }
  return told(fields, false);
}

/// A batch: each report behind its length.
py::dict decode_batch(const ByteArray& batch) {
  if (batch.ndim() != 1) throw py::value_error("a batch is a vector of bytes");
  const std::span<const std::uint8_t> bytes{batch.data(), static_cast<std::size_t>(batch.size())};
  std::optional<Fields> fields;
  bool torn = false;
  {
    const py::gil_scoped_release released;
    std::size_t count = 0;
    analyzer::BatchReader counted(bytes);
    while (counted.next()) ++count;
    torn = counted.torn();
    fields.emplace(count);
    analyzer::BatchReader reader(bytes);
    for (std::size_t i = 0; i < count; ++i) {
      const std::span<const std::uint8_t> report = *reader.next();
      fields->put(i, report, static_cast<std::size_t>(report.data() - bytes.data()));
    }
  }
  return told(*fields, torn);
}

/// Why a report with this status is none; empty if it is one.
std::string status_of(std::uint8_t status) {
  return status == 0 ? std::string() : std::string(status_name(static_cast<Status>(status)));
}

}  // namespace

void bind_reports(py::module_& module) {
  module.def("decode_rows", &decode_rows, py::arg("reports"));
  module.def("decode_batch", &decode_batch, py::arg("batch"));
  module.def("status_text", &status_of, py::arg("status"));
}

}  // namespace sotto::python
