// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any text as LIBSVM rows: refused with the line, or a table whose parts fit each other.
#include "sotto/analyzer/data/libsvm.hpp"

#include <cmath>

#include "fuzz_bytes.hpp"
#include "memory_file.hpp"

using namespace sotto;
using namespace sotto::fuzz;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const MemoryFile file({data, size});
  const auto read = analyzer::read_libsvm(file.path(), 1u << 24);
  if (!read) {
    must(!read.error().code.empty());
    return 0;
  }
  const analyzer::SparseTable& t = read.value();
  must(!t.y.empty() && t.first.size() == t.y.size() + 1 && t.first.front() == 0 && t.first.back() == t.value.size());
  must(t.column.size() == t.value.size() && std::is_sorted(t.first.begin(), t.first.end()));
  must(std::ranges::all_of(t.column, [&](std::uint32_t column) { return column < t.columns; }));
  must(std::ranges::all_of(t.value, [](float v) { return std::isfinite(v); }));
  return 0;
}
