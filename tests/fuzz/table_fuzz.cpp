// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Any text as comma-separated values, plain, packed here, or packed and then damaged: refused with the line, or a table whose parts
// fit each other. The first byte says how.
#include <zlib.h>

#include <cmath>

#include "fuzz_bytes.hpp"
#include "memory_file.hpp"
#include "sotto/analyzer/data/columns.hpp"
#include "sotto/analyzer/data/table.hpp"

using namespace sotto;
using namespace sotto::fuzz;

namespace {

std::vector<std::uint8_t> packed(std::span<const std::uint8_t> text) {
  z_stream stream{};
  must(deflateInit2(&stream, 1, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK);
  std::vector<std::uint8_t> out(deflateBound(&stream, text.size()) + 32);
  stream.next_in = const_cast<Bytef*>(text.data());
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = out.data();
  stream.avail_out = static_cast<uInt>(out.size());
  must(deflate(&stream, Z_FINISH) == Z_STREAM_END);
  out.resize(out.size() - stream.avail_out);
  deflateEnd(&stream);
  return out;
}

void check(const analyzer::Table& t, bool has_target, bool keeps_missing) {
  must(t.rows() > 0 && t.users.size() > 1 && !t.features.empty() && t.x.size() == t.rows() * t.features.size());
  must(t.first_row.size() == t.users.size() + 1 && t.first_row.front() == 0 && t.first_row.back() == t.rows());
  must(std::is_sorted(t.first_row.begin(), t.first_row.end()));
  must(std::ranges::all_of(t.x, [=](float v) { return std::isfinite(v) || (keeps_missing && std::isnan(v)); }));
  must(t.sources.size() == t.features.size());
  must(std::ranges::all_of(t.y, [=](float v) { return has_target ? std::isfinite(v) : v == 0; }));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Taker take({data, size});
  const std::uint8_t way = take.u8();
  std::vector<std::uint8_t> bytes(take.rest().begin(), take.rest().end());
  if ((way & 4) != 0) bytes = packed(bytes);
  if ((way & 8) != 0 && !bytes.empty()) bytes[way * bytes.size() / 256] ^= static_cast<std::uint8_t>(way | 1);
  const MemoryFile file(bytes);
  analyzer::TableColumns columns{(way & 1) != 0 ? "user" : "", (way & 2) != 0 ? "y" : ""};
  if ((way & 16) != 0) columns.levels = {{"a", {"red", "green"}}};
  if ((way & 32) != 0) columns.is_missing = {"b"};
  columns.keeps_missing = columns.leaves_out_dates = columns.takes_levels_from_data = (way & 64) != 0;
  const auto table = analyzer::read_table(file.path(), columns);
  if (table) check(table.value(), (way & 2) != 0, columns.keeps_missing);
  const auto fields = analyzer::read_fields(file.path(), {"a", "y"});
  if (!fields) return 0;
  for (const std::vector<std::string>& row : fields.value().rows) {
    must(row.size() == 2);
    const std::optional<double> number = analyzer::field_number(row[0], fields.value().has_decimal_comma);
    must(!number || std::isfinite(*number) || analyzer::field_is_missing(row[0]));
  }
  return 0;
}
