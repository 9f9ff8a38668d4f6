// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "readings.hpp"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <string_view>

namespace {

std::int32_t whole_number(std::string_view field, const std::string& place) {
  while (!field.empty() && (field.front() == ' ' || field.front() == '\t')) field.remove_prefix(1);
  while (!field.empty() && (field.back() == ' ' || field.back() == '\t' || field.back() == '\r'))
    field.remove_suffix(1);
  std::int32_t value = 0;
  const auto [end, fault] = std::from_chars(field.data(), field.data() + field.size(), value);
  if (fault == std::errc() && end == field.data() + field.size()) return value;
  const std::string shown(field.substr(0, 40));
  if (field.empty()) throw Unusable(place + ": there is no reading; leave out the row, or write the sensor's last one");
  if (fault == std::errc::result_out_of_range)
    throw Unusable(place + ": " + shown + " is beyond 32 bits; divide the column by a constant");
  if (field.find_first_not_of("+-0123456789.eE") == std::string_view::npos)
    throw Unusable(place + ": " + shown + " is no whole number; multiply the column by 10, 100, ... and round it");
  throw Unusable(place + ": '" + shown + "' is no number; a file of readings has no header line");
}

}  // namespace

Readings read_readings(const std::string& path, std::uint32_t columns) {
  std::ifstream file(path);
  if (!file) throw Unusable(path + ": " + std::strerror(errno));
  Readings out;
  out.columns = columns;
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line == "\r") continue;
    const std::string place = path + ":" + std::to_string(number);
    std::uint32_t found = 0;
    for (std::size_t begin = 0; begin <= line.size();) {
      const std::size_t end = std::min(line.find(',', begin), line.size());
      ++found;
      out.values.push_back(
          whole_number(std::string_view(line).substr(begin, end - begin), place + ", column " + std::to_string(found)));
      begin = end + 1;
    }
    if (found != columns)
      throw Unusable(place + ": " + std::to_string(found) + " columns, the study has " + std::to_string(columns - 1) +
                     " features and a target: " + std::to_string(columns));
  }
  if (file.bad()) throw Unusable(path + ": " + std::strerror(errno));
  return out;
}
