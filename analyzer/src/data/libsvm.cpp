// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/data/libsvm.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "text_source.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::size_t k_longest_line = 1u << 28;

class LibsvmReader {
 public:
  LibsvmReader(TextSource source, std::uint32_t features) : source_(std::move(source)) {
    table_.columns = features;
    table_.first.push_back(0);
  }

  Result<SparseTable> read() {
    std::string text;
    for (;;) {
      const auto piece = source_.read();
      if (!piece) return piece.error();
      if (piece.value().empty()) break;
      text += piece.value();
      std::size_t at = 0;
      for (std::size_t feed; (feed = text.find('\n', at)) != std::string::npos; at = feed + 1) {
        if (auto wrong = add(std::string_view(text).substr(at, feed - at))) return *std::move(wrong);
      }
      text.erase(0, at);
      if (text.size() > k_longest_line)
        return refuse("data.long_record", "the line does not end", "", "check that this is LIBSVM text");
    }
    if (auto wrong = add(text)) return *std::move(wrong);
    if (table_.y.empty()) {
      return Error{"data.no_rows", fmt::format("{}: there are no rows", source_.name()), "",
                   "add rows: label index:value ..."};
    }
    // Unused capacity of the vectors would stay allocated for the whole fit.
    table_.column.shrink_to_fit();
    table_.value.shrink_to_fit();
    return std::move(table_);
  }

 private:
  [[nodiscard]] Error refuse(std::string_view code, std::string_view what, std::string_view value,
                             std::string fix) const {
    return {code, fmt::format("{}:{}: {}", source_.name(), line_, what), std::string(value.substr(0, 40)),
            std::move(fix)};
  }

  static std::string_view next_word(std::string_view& rest) {
    constexpr std::string_view k_blank = " \t\r";
    rest.remove_prefix(std::min(rest.find_first_not_of(k_blank), rest.size()));
    const std::string_view word = rest.substr(0, rest.find_first_of(k_blank));
    rest.remove_prefix(word.size());
    return word;
  }

  std::optional<Error> number(std::string_view text, std::string_view what, float& out) const {
    const std::string_view digits = text.starts_with('+') ? text.substr(1) : text;
    double wide = 0;
    const auto [end, status] = std::from_chars(digits.data(), digits.data() + digits.size(), wide);
    if (end != digits.data() + digits.size() || digits.empty() || status == std::errc::invalid_argument)
      return refuse("data.not_a_number", fmt::format("{} is not a number", what), text, "write label index:value ...");
    out = static_cast<float>(wide);
    if (status != std::errc() || !std::isfinite(out))
      return refuse("data.not_finite", fmt::format("{} is not finite", what), text, "fill it in, or drop the row");
    return {};
  }

  std::optional<Error> add(std::string_view line) {
    ++line_;
    line = line.substr(0, line.find('#'));
    std::string_view word = next_word(line);
    if (word.empty()) return {};
    float label = 0;
    if (auto wrong = number(word, "the label", label)) return wrong;
    std::uint32_t last = 0;
    while (!(word = next_word(line)).empty()) {
      std::uint32_t index = 0;
      const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), index);
      if (status != std::errc() || end == word.data() + word.size() || *end != ':' || index <= last)
        return refuse("data.bad_index", "index:value pairs have whole indices from 1 that rise within a line", word,
                      "sort the pairs of the line by index, and start at 1");
      float value = 0;
      if (auto wrong = number(word.substr(static_cast<std::size_t>(end - word.data()) + 1),
                              fmt::format("feature {}", index), value))
        return wrong;
      last = index;
      if (value == 0 || index > table_.columns) continue;
      table_.column.push_back(index - 1);
      table_.value.push_back(value);
    }
    table_.y.push_back(label);
    table_.first.push_back(table_.value.size());
    return {};
  }

  TextSource source_;
  std::uint64_t line_ = 0;
  SparseTable table_;
};

}  // namespace

Result<SparseTable> read_libsvm(const std::filesystem::path& file, std::uint32_t features) {
  auto source = TextSource::open(file);
  if (!source) return source.error();
  return LibsvmReader(std::move(source).value(), features).read();
}

}  // namespace sotto::analyzer
