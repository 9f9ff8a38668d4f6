// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/collect/capture.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/bytes.hpp"

// Captured bytes as the batches that a collector takes.
namespace sotto::analyzer {
namespace {

class BatchMaker {
 public:
  void add(std::span<const std::uint8_t> report) {
    constexpr std::size_t k_length_bytes = 2, k_report_max = k_batch_max_bytes - k_length_bytes;
    if (report.size() > k_report_max) report = {};  // no valid report is that long
    if (batches_.back().size() + k_length_bytes + report.size() > k_batch_max_bytes) batches_.emplace_back();
    append_report(batches_.back(), report);
  }
  Result<Done> add_all(const Capture& capture) {
    return capture.each([this](const Captured& captured) {
      add(captured.is_cut_off ? std::span<const std::uint8_t>() : captured.bytes);
      return true;
    });
  }
  [[nodiscard]] std::vector<Bytes> take() {
    if (batches_.back().empty()) batches_.pop_back();
    return std::move(batches_);
  }

 private:
  std::vector<Bytes> batches_ = std::vector<Bytes>(1);
};

CaptureReading reading_of(const Digest& study) { return {false, true, load_u32(study.data())}; }

}  // namespace

Result<std::vector<Bytes>> read_batches(const std::vector<std::string>& files, const Digest& study) {
  BatchMaker batches;
  for (const std::string& file : files) {
    const Result<Capture> capture = Capture::open(file, reading_of(study));
    if (!capture) return capture.error();
    if (const auto read = batches.add_all(capture.value()); !read) return read.error();
  }
  return batches.take();
}

Result<std::vector<Bytes>> batches_of(Bytes bytes, const std::string& name, const Digest& study) {
  const Result<Capture> capture = Capture::of(std::move(bytes), name, reading_of(study));
  if (!capture) return capture.error();
  BatchMaker batches;
  if (const auto read = batches.add_all(capture.value()); !read) return read.error();
  return batches.take();
}

std::vector<Bytes> batches_of_reports(std::span<const std::uint8_t> reports, std::size_t size) {
  BatchMaker batches;
  for (; reports.size() >= size; reports = reports.subspan(size)) batches.add(reports.first(size));
  return batches.take();
}

}  // namespace sotto::analyzer
