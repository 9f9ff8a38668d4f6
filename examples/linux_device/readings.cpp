// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "readings.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <cstdlib>
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
  if (fault == std::errc() && end == field.data() + field.size()) return std::max(value, k_no_reading + 1);
  const std::string shown(field.substr(0, 40));
  if (field.empty()) throw Unusable(place + ": there is no reading; leave out the row, or write the sensor's last one");
  if (fault == std::errc::result_out_of_range)
    throw Unusable(place + ": " + shown + " is beyond 32 bits; divide the column by a constant");
  if (field.find_first_not_of("+-0123456789.eE") == std::string_view::npos)
    throw Unusable(place + ": " + shown + " is no whole number; multiply the column by 10, 100, ... and round it");
  throw Unusable(place + ": '" + shown + "' is no number; a file of readings has no header line");
}

/// What a field is worth that is no whole number of 32 bits: a number is rounded and cut, and anything else is none.
std::int32_t usable_part(std::string_view field) {
  const std::string text(field);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  if (end == text.c_str() ||
      text.find_first_not_of(" \t\r", static_cast<std::size_t>(end - text.c_str())) != std::string::npos ||
      std::isnan(value))
    return k_no_reading;
  constexpr double k_most = std::numeric_limits<std::int32_t>::max();
  return static_cast<std::int32_t>(std::lround(std::clamp(value, -k_most, k_most)));
}

void read_line(std::string_view line, const std::string& place, Faults faults, Readings& out) {
  std::vector<std::int32_t> row;
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t end = std::min(line.find(',', begin), line.size());
    const std::string_view field = line.substr(begin, end - begin);
    try {
      row.push_back(whole_number(field, place + ", column " + std::to_string(row.size() + 1)));
    } catch (const Unusable& fault) {
      if (faults == Faults::refused) throw;
      if (out.fault.empty()) out.fault = fault.what();
      row.push_back(usable_part(field));
    }
    begin = end + 1;
  }
  if (row.size() != out.columns)
    throw Unusable(place + ": " + std::to_string(row.size()) + " columns, the study has " +
                   std::to_string(out.columns - 1) + " features and a target: " + std::to_string(out.columns));
  out.values.insert(out.values.end(), row.begin(), row.end());
}

}  // namespace

Readings read_readings(const std::string& path, std::uint32_t columns, Faults faults) {
  Readings out;
  out.columns = columns;
  const auto fails = [&](const std::string& why) {
    if (faults == Faults::refused) throw Unusable(why);
    if (out.fault.empty()) out.fault = why;
  };
  std::ifstream file(path);
  if (!file) fails(path + ": " + std::strerror(errno));
  std::string line;
  for (std::size_t number = 1; std::getline(file, line); ++number) {
    if (line.empty() || line == "\r") continue;
    try {
      read_line(line, path + ":" + std::to_string(number), faults, out);
    } catch (const Unusable& fault) {
      fails(fault.what());
    }
  }
  if (file.bad()) fails(path + ": " + std::strerror(errno));
  return out;
}
