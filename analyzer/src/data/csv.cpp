// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "csv.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "sotto/analyzer/text/printable.hpp"

namespace sotto::analyzer {
namespace {

// 65,535 features of a hundred characters each still fit; a file that is not CSV does not exhaust memory.
constexpr std::size_t k_longest_record = 1u << 26;
constexpr std::size_t k_longest_shown = 40;

void split_plain(std::string_view record, char separator, std::vector<std::string_view>& fields) {
  const char* begin = record.data();
  const char* const end = begin + record.size();
  for (const char* at = begin; at != end; ++at) {
    if (*at != separator) continue;
    fields.emplace_back(begin, static_cast<std::size_t>(at - begin));
    begin = at + 1;
  }
  fields.emplace_back(begin, static_cast<std::size_t>(end - begin));
}

/// The most frequent of comma, semicolon and tab in the first line, outside quotes; the comma if there is a tie.
char separator_of(std::string_view header) {
  std::size_t commas = 0, semicolons = 0, tabs = 0;
  bool open = false;
  for (const char c : header) {
    if (c == '"') open = !open;
    if (open) continue;
    commas += c == ',';
    semicolons += c == ';';
    tabs += c == '\t';
  }
  if (semicolons > commas && semicolons >= tabs) return ';';
  return tabs > commas ? '\t' : ',';
}

}  // namespace

Error CsvReader::refuse(std::string_view code, std::string_view what, std::string_view value, std::string fix) const {
  std::string shown(first_letters(value, k_longest_shown));
  if (shown.size() < value.size()) shown += "...";
  return {code, fmt::format("{}:{}: {}", file(), line_, what), std::move(shown), std::move(fix)};
}

// Appends more text to the buffer; false at the end of the source.
Result<bool> CsvReader::fill() {
  if (ended_) return false;
  text_.erase(0, at_);
  at_ = 0;
  const auto piece = source_.read();
  if (!piece) return piece.error();
  text_.append(piece.value());
  ended_ = piece.value().empty();
  return !ended_;
}

// Finds the record up to the next line feed outside quotes, or up to the end of the text.
Result<bool> CsvReader::find_record(std::string_view& record) {
  line_ = next_line_;
  bool open = false;
  for (std::size_t length = 0;;) {
    const std::string_view rest = std::string_view(text_).substr(at_ + length);
    const std::size_t feed = rest.find('\n');
    const std::string_view line = rest.substr(0, feed);
    if (line.find('"') != std::string_view::npos && std::count(line.begin(), line.end(), '"') % 2 != 0) open = !open;
    length += line.size();
    if (feed != std::string_view::npos) {
      ++next_line_;
      if (!open) {
        record = std::string_view(text_).substr(at_, length);
        at_ += length + 1;
        return true;
      }
      ++length;
      continue;
    }
    if (length > k_longest_record) {
      return refuse(open ? "data.open_quote" : "data.long_record",
                    open ? "a quote is opened and not closed" : "the line does not end",
                    std::string_view(text_).substr(at_),
                    "check that this is a file of values separated by commas, semicolons or tabs");
    }
    auto more = fill();
    if (!more) return more;
    if (more.value()) continue;
    record = std::string_view(text_).substr(at_);
    if (open) return refuse("data.open_quote", "a quote is opened and not closed", record, "close it, or double it");
    at_ = text_.size();
    return !record.empty();
  }
}

Result<bool> CsvReader::split_quoted(std::string_view record, std::vector<std::string_view>& fields) {
  unquoted_.clear();
  unquoted_.reserve(record.size());  // never reallocated below, so that views into it stay valid
  for (std::size_t at = 0;;) {
    if (at == record.size() || record[at] != '"') {
      const std::size_t end = std::min(record.find(separator_, at), record.size());
      fields.push_back(record.substr(at, end - at));
      at = end;
    } else {
      const std::size_t begin = unquoted_.size();
      for (++at; at < record.size(); ++at) {
        if (record[at] == '"' && !record.substr(at + 1).starts_with('"')) break;
        at += record[at] == '"';
        unquoted_ += record[at];
      }
      if (at == record.size()) {
        return refuse("data.open_quote", fmt::format("the quote of field {} is not closed", fields.size() + 1), record,
                      "close it, or double it");
      }
      ++at;
      fields.push_back(std::string_view(unquoted_).substr(begin));
    }
    if (at == record.size()) return true;
    if (record[at] != separator_) {
      return refuse("data.stray_quote", fmt::format("field {} has text after its closing quote", fields.size()),
                    record.substr(at), "double the quotes inside a quoted field");
    }
    ++at;
  }
}

Result<bool> CsvReader::next(std::vector<std::string_view>& fields) {
  constexpr std::string_view k_mark = "\xef\xbb\xbf";
  std::string_view record;
  for (bool blank = true; blank;) {
    auto found = find_record(record);
    if (!found || !found.value()) return found;
    if (!begun_ && record.starts_with(k_mark)) record.remove_prefix(k_mark.size());
    begun_ = true;
    if (record.ends_with('\r')) record.remove_suffix(1);
    blank = record.empty();
  }
  if (!has_header_) separator_ = separator_of(record);
  has_header_ = true;
  fields.clear();
  if (record.find('"') != std::string_view::npos) return split_quoted(record, fields);
  split_plain(record, separator_, fields);
  return true;
}

}  // namespace sotto::analyzer
