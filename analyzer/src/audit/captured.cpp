// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/audit/captured.hpp"

#include <charconv>
#include <map>
#include <utility>

#include <fmt/format.h>

namespace sotto::analyzer::audit {

namespace {

struct Line {
  std::size_t number = 0;  ///< in its file, from 1
  std::string_view text;
};

std::vector<std::string_view> split_at(std::string_view text, char mark) {
  std::vector<std::string_view> out;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(mark, at), text.size());
    out.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

std::string_view trimmed(std::string_view text) {
  constexpr std::string_view k_blank = " \t\r";
  const std::size_t first = text.find_first_not_of(k_blank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(k_blank) - first + 1);
}

std::vector<Line> lines_of(std::string_view text) {
  std::vector<Line> out;
  std::size_t number = 0;
  for (const std::string_view line : split_at(text, '\n')) {
    ++number;
    const std::string_view kept = trimmed(line);
    if (!kept.empty() && kept.front() != '#') out.push_back({number, kept});
  }
  return out;
}

Error bad_report(const Line& line, std::string_view why) {
  return {"audit.bad_report", fmt::format("line {} of the reports {}", line.number, why),
          std::string(line.text.substr(0, 80)),
          "write the report in hexadecimal digits, several joined by +, then context=WORD and time=NUMBER if you have "
          "them"};
}

bool read_hex(std::string_view digits, std::vector<std::uint8_t>& out) {
  out.clear();
  if (digits.empty() || digits.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < digits.size(); i += 2) {
    std::uint8_t byte = 0;
    const auto [end, error] = std::from_chars(digits.data() + i, digits.data() + i + 2, byte, 16);
    if (error != std::errc() || end != digits.data() + i + 2) return false;
    out.push_back(byte);
  }
  return true;
}

Result<Outcome> read_report(const Line& line, const OpenReport& open) {
  Outcome out;
  const std::vector<std::string_view> words = split_at(line.text, ' ');
  std::vector<std::uint8_t> bytes;
  for (const std::string_view part : split_at(words.front(), '+')) {
    if (part == "-") {
      out.parts.emplace_back(std::nullopt);
      continue;
    }
    if (!read_hex(part, bytes)) return bad_report(line, "has no report in hexadecimal digits");
    Result<OpenedReport> opened = open(bytes);
    if (!opened) {
      Error error = opened.error();
      error.what = fmt::format("line {} of the reports: {}", line.number, error.what);
      return error;
    }
    out.context += opened.value().context + ' ';
    out.parts.emplace_back(std::move(opened.value().payload));
  }
  for (std::size_t i = 1; i < words.size(); ++i) {
    constexpr std::string_view k_context = "context=", k_time = "time=";
    const std::string_view word = words[i];
    if (word.empty()) continue;
    if (word.starts_with(k_context)) {
      out.context += word.substr(k_context.size());
    } else if (word.starts_with(k_time)) {
      std::uint64_t time = 0;
      const auto [end, error] = std::from_chars(word.data() + k_time.size(), word.data() + word.size(), time);
      if (error != std::errc() || end != word.data() + word.size())
        return bad_report(line, "has a time that is not a whole number");
      out.time = time;
    } else {
      return bad_report(line, "has a word that is neither context= nor time=");
    }
  }
  return out;
}

Result<Done> check_alike(const Outcome& before, const Outcome& now, const Line& line) {
  if (before.parts.size() == now.parts.size() && before.time.has_value() == now.time.has_value()) return Done{};
  return Error{
      "audit.uneven",
      fmt::format("line {} of the reports has another number of reports, or another time, than the first", line.number),
      std::string(line.text.substr(0, 80)), "give every run as many reports, and all of them a time or none"};
}

Result<Done> check_balance(const Runs& runs) {
  std::map<std::string, std::pair<std::uint64_t, std::uint64_t>> counts;
  for (const Outcome& o : runs.first) ++counts[o.context].first;
  for (const Outcome& o : runs.second) ++counts[o.context].second;
  for (const auto& [context, count] : counts) {
    if (count.first != count.second) {
      return Error{"audit.unequal", "a public context has more runs of one data set than of the other",
                   fmt::format("{} and {} in context {}", count.first, count.second, context),
                   "capture as many runs of both data sets under each pseudonym and round"};
    }
  }
  return Done{};
}

}  // namespace

Result<OpenedReport> whole_report(std::span<const std::uint8_t> bytes) {
  return OpenedReport{"", std::string(bytes.begin(), bytes.end())};
}

Result<Runs> read_captured(std::string_view reports, std::string_view truth, const OpenReport& open) {
  const std::vector<Line> runs = lines_of(reports), truths = lines_of(truth);
  if (runs.size() != truths.size()) {
    return Error{"audit.unequal", "there are not as many truths as reports",
                 fmt::format("{} reports, {} truths", runs.size(), truths.size()),
                 "write one line in the truth file for each line in the report file"};
  }
  Runs out;
  std::optional<Outcome> before;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const std::string_view said = truths[i].text;
    if (said != "1" && said != "2") {
      return Error{"audit.bad_truth", fmt::format("line {} of the truths is neither 1 nor 2", truths[i].number),
                   std::string(said.substr(0, 80)), "write 1 for a run on the first data set, 2 for the second"};
    }
    Result<Outcome> outcome = read_report(runs[i], open);
    if (!outcome) return outcome.error();
    if (!before) before = outcome.value();
    if (const auto alike = check_alike(*before, outcome.value(), runs[i]); !alike) return alike.error();
    (said == "1" ? out.first : out.second).push_back(std::move(outcome).value());
  }
  if (const auto balanced = check_balance(out); !balanced) return balanced.error();
  if (const std::uint64_t left = measured_runs(out); left < k_captured_least) {
    return Error{"audit.too_few", "half of each data set's runs measures, and there are too few of them",
                 fmt::format("{} runs of each data set in contexts of four or more", left),
                 fmt::format("capture at least {} runs of each data set under one pseudonym", 2 * k_captured_least)};
  }
  return out;
}

}  // namespace sotto::analyzer::audit
