// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any bytes as a capture, from memory and from a file: refused the same way, or the same objects, however often they are asked for.
#include "fuzz_bytes.hpp"
#include "memory_file.hpp"
#include "sotto/analyzer/collect/capture.hpp"

using namespace sotto;
using namespace sotto::fuzz;

namespace {

struct Seen {
  analyzer::CaptureKind kind;
  bool is_cut_off;
  std::vector<std::uint8_t> bytes;
  bool operator==(const Seen&) const = default;
};

std::vector<Seen> objects_of(const analyzer::Capture& capture) {
  std::vector<Seen> seen;
  const auto read = capture.each([&seen](const analyzer::Captured& captured) {
    must(captured.kind != analyzer::CaptureKind::batch);
    seen.push_back({captured.kind, captured.is_cut_off,
                    captured.is_cut_off ? std::vector<std::uint8_t>()
                                        : std::vector<std::uint8_t>(captured.bytes.begin(), captured.bytes.end())});
    return true;
  });
  must(read.ok());
  return seen;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  analyzer::CaptureReading reading{(data[0] & 1) != 0, (data[0] & 2) != 0, {}};
  if ((data[0] & 4) != 0 && size > 8)
    reading.study = data[5] | data[6] << 8 | data[7] << 16 | std::uint32_t{data[8]} << 24;
  const std::span<const std::uint8_t> bytes(data + 1, size - 1);
  const MemoryFile file(bytes);
  const auto from_memory = analyzer::Capture::of({bytes.begin(), bytes.end()}, "fuzz", reading);
  const auto from_file = analyzer::Capture::open(file.path().string(), reading);
  must(from_memory.ok() == from_file.ok());
  if (!from_memory) {
    must(from_memory.error().code == from_file.error().code);
    return 0;
  }
  const std::vector<Seen> seen = objects_of(from_memory.value());
  must(!seen.empty() && seen == objects_of(from_memory.value()) && seen == objects_of(from_file.value()));
  return 0;
}
