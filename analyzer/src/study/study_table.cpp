// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Reading one TOML table of a study file: typed values, and errors that name file, line, key and remedy.
#include "study_table.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <limits>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "../text/did_you_mean.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"

namespace sotto::analyzer {
namespace {

const toml::table k_no_table;

std::string value_text(const toml::node& node) {
  // The shortest decimals that parse to the same number, as in the file.
  if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
  std::ostringstream out;
  node.visit([&out](const auto& n) { out << n; });
  return out.str();
}

std::string_view type_word(const toml::node& node) {
  if (node.is_string()) return "a string";
  if (node.is_boolean()) return "a boolean";
  if (node.is_table()) return "a table";
  if (node.is_array()) return "an array";
  if (node.is_number()) return "a number";
  return "a date or time";
}

}  // namespace

std::string StudyTable::where(const toml::node& node) const {
  return fmt::format("{}:{}", file_, node.source().begin.line);
}

void StudyTable::stick(Error error) {
  if (!error_) error_ = std::move(error);
}

void StudyTable::refuse(std::string_view code, std::string_view key, std::string_view wrong, std::string fix) {
  const toml::node* node = table_.get(key);
  stick({code,
         node ? fmt::format("{}: {} {}", where(*node), full(key), wrong)
              : fmt::format("{}: {} {}", file_, full(key), wrong),
         node ? value_text(*node) : "", std::move(fix)});
}

void StudyTable::unknown(std::string_view key, const toml::node& node) {
  const std::string_view near = did_you_mean(key, asked_);
  stick({"study.unknown_key", fmt::format("{}: there is no key {}", where(node), full(key)),
         fmt::format("{} = {}", key, value_text(node)),
         near.empty() ? fmt::format("the keys here are: {}", fmt::join(asked_, ", "))
                      : fmt::format("did you mean {}?", full(near))});
}

void StudyTable::missing(std::string_view key) {
  // A mistyped key is more likely than a missing one, and makes a better message.
  for (const auto& [present, node] : table_) {
    const bool known = std::find(asked_.begin(), asked_.end(), present.str()) != asked_.end();
    if (!known && did_you_mean(present.str(), {std::string(key)}) == key) return unknown(present.str(), node);
  }
  const auto line = table_.source().begin.line;
  stick({"study.missing_key",
         fmt::format("{}{}: {} is missing", file_, line ? fmt::format(":{}", line) : "", full(key)), "",
         path_.empty() ? fmt::format("add {}", key) : fmt::format("add {} to [{}]", key, path_)});
}

const toml::node* StudyTable::find(std::string_view key, bool required) {
  if (std::find(asked_.begin(), asked_.end(), key) == asked_.end()) asked_.emplace_back(key);
  const toml::node* node = table_.get(key);
  if (!node && required) missing(key);
  return node;
}

bool StudyTable::has(std::string_view key) { return find(key, false) != nullptr; }

std::string StudyTable::text(std::string_view key) {
  const toml::node* node = find(key, true);
  if (!node) return {};
  const auto text = node->value_exact<std::string>();
  if (text && !text->empty()) return *text;
  refuse("study.wrong_type", key, fmt::format("must be a string that is not empty, and is {}", type_word(*node)),
         fmt::format("write {} = \"...\"", key));
  return {};
}

std::string StudyTable::word(std::string_view key, std::span<const std::string_view> allowed, bool required) {
  const toml::node* node = find(key, required);
  if (!node) return std::string(*allowed.begin());
  const auto text = node->value_exact<std::string>();
  if (text && std::find(allowed.begin(), allowed.end(), *text) != allowed.end()) return *text;
  const std::vector<std::string> words(allowed.begin(), allowed.end());
  const std::string_view near = text ? did_you_mean(*text, words) : std::string_view{};
  refuse("study.bad_value", key, fmt::format("must be one of: {}", fmt::join(words, ", ")),
         near.empty() ? fmt::format("write one of these, in quotes") : fmt::format("did you mean \"{}\"?", near));
  return words.front();
}

std::uint32_t StudyTable::whole(std::string_view key, std::uint32_t low, std::uint32_t high, std::string_view code,
                                std::string_view why) {
  const toml::node* node = find(key, true);
  if (!node) return 0;
  const auto number = node->value_exact<std::int64_t>();
  if (!number) {
    refuse("study.wrong_type", key, fmt::format("must be a whole number, and is {}", type_word(*node)),
           fmt::format("write {} = {}", key, low));
  } else if (*number < low || *number > high) {
    refuse(code, key, fmt::format("must be from {} to {} ({})", low, high, why),
           fmt::format("write a whole number from {} to {}", low, high));
  } else {
    return static_cast<std::uint32_t>(*number);
  }
  return 0;
}

std::uint64_t StudyTable::moment(std::string_view key) {
  const toml::node* const node = find(key, true);
  if (node == nullptr) return 0;
  const auto* const when = node->as_date_time();
  const std::string fix = fmt::format("write {} = 2027-01-04T06:00:00Z, without quotes", key);
  if (when == nullptr || !when->get().offset) {
    refuse("study.wrong_type", key, "must be a date and time that ends in Z or a distance from UTC", fix);
    return 0;
  }
  const toml::date_time& at = when->get();
  const std::chrono::sys_days day = std::chrono::year{static_cast<int>(at.date.year)} /
                                    std::chrono::month{at.date.month} / std::chrono::day{at.date.day};
  const std::int64_t seconds = std::int64_t{day.time_since_epoch().count()} * 86'400 + at.time.hour * 3600 +
                               at.time.minute * 60 + at.time.second - at.offset->minutes * 60;
  if (seconds > 0) return static_cast<std::uint64_t>(seconds);
  refuse("study.bad_value", key, "must be after 1970", fix);
  return 0;
}

std::int32_t StudyTable::integer(std::string_view key) {
  const toml::node* node = find(key, true);
  if (!node) return 0;
  constexpr std::int64_t k_max = std::numeric_limits<std::int32_t>::max() - 16;  // cut points lie above it
  const auto number = node->value_exact<std::int64_t>();
  if (!number) {
    refuse("study.wrong_type", key, fmt::format("must be a whole number, and is {}", type_word(*node)),
           fmt::format("write {} = 0; for fractions choose a smaller unit, such as ms in place of s", key));
  } else if (*number < -k_max || *number > k_max) {
    refuse("study.bad_value", key, fmt::format("must be from {} to {}", -k_max, k_max), "choose a larger unit");
  } else {
    return static_cast<std::int32_t>(*number);
  }
  return 0;
}

std::vector<double> StudyTable::numbers(std::string_view key) {
  const toml::node* node = find(key, true);
  if (!node) return {};
  const toml::array* const array = node->as_array();
  if (!array) {
    wrong_type(key, "an array of numbers", *node, fmt::format("write {} = [0.5, 0.9]", key));
    return {};
  }
  std::vector<double> out;
  for (const toml::node& item : *array) {
    const double value = item.is_number() ? item.value<double>().value_or(0) : 0;
    if (!item.is_number() || !std::isfinite(value)) {
      stick({"study.bad_value", fmt::format("{}: {} holds what is no number", where(item), full(key)), value_text(item),
             fmt::format("write {} = [0.5, 0.9]", key)});
      return {};
    }
    out.push_back(value);
  }
  return out;
}

DeltaUnits StudyTable::delta(std::string_view key) {
  const toml::node* const node = find(key, true);
  if (node == nullptr) return 0;
  if (!node->is_number()) {
    refuse("study.wrong_type", key, fmt::format("must be a chance, and is {}", type_word(*node)),
           fmt::format("write {} = 1e-6, without quotes", key));
    return 0;
  }
  const Result<DeltaUnits> delta =
      delta_from_chance(node->value<double>().value_or(0), where(*node) + ": " + full(key));
  if (delta) return delta.value();
  stick(delta.error());
  return 0;
}

EpsilonNano StudyTable::epsilon(std::string_view key) {
  const toml::node* node = find(key, true);
  if (!node) return 0;
  if (!node->is_number()) {
    refuse("study.wrong_type", key, fmt::format("must be a number of nats, and is {}", type_word(*node)),
           fmt::format("write {} = 1.0, without quotes", key));
    return 0;
  }
  const Result<EpsilonNano> nano =
      epsilon_from_nats(node->value<double>().value_or(0), where(*node) + ": " + full(key));
  if (nano) return nano.value();
  stick(nano.error());
  return 0;
}

std::vector<std::string> StudyTable::names(std::string_view key) {
  const toml::node* node = find(key, true);
  if (!node) return {};
  std::vector<std::string> names;
  std::set<std::string> seen;
  if (const toml::array* array = node->as_array()) {
    for (const toml::node& item : *array) {
      const auto name = item.value_exact<std::string>();
      if (!name || name->empty() || !seen.insert(*name).second) {
        stick({"study.bad_value",
               fmt::format("{}: {} holds a name that is empty, repeated or not a string", where(item), full(key)),
               value_text(item), "give every feature its own name, in quotes"});
        return {};
      }
      names.push_back(*name);
    }
    return names;
  }
  refuse("study.wrong_type", key, fmt::format("must be an array of strings, and is {}", type_word(*node)),
         fmt::format("write {} = [\"first\", \"second\"]", key));
  return {};
}

void StudyTable::wrong_type(std::string_view key, std::string_view wanted, const toml::node& node,
                            std::string example) {
  refuse("study.wrong_type", key, fmt::format("must be {}, and is {}", wanted, type_word(node)), std::move(example));
}

double StudyTable::number(std::string_view key, double fallback) {
  const toml::node* node = find(key, false);
  if (!node) return fallback;
  const double value = node->is_number() ? node->value<double>().value_or(0) : 0;
  if (!node->is_number()) wrong_type(key, "a number", *node, fmt::format("write {} = 1.0, without quotes", key));
  if (std::isfinite(value)) return value;
  refuse("study.bad_value", key, "must be a finite number", fmt::format("write {} = 1.0", key));
  return fallback;
}

bool StudyTable::flag(std::string_view key, bool fallback) {
  const toml::node* node = find(key, false);
  if (!node) return fallback;
  if (const auto value = node->value_exact<bool>()) return *value;
  wrong_type(key, "true or false", *node, fmt::format("write {} = true, without quotes", key));
  return fallback;
}

std::vector<std::uint16_t> StudyTable::weights(std::string_view key, std::size_t most) {
  const toml::node* node = find(key, false);
  if (!node) return {1};
  std::vector<std::uint16_t> weights;
  std::uint64_t sum = 0;
  const toml::array* array = node->as_array();
  if (!array) {
    wrong_type(key, "an array of whole numbers", *node, fmt::format("write {} = [1, 1]", key));
    return {1};
  }
  for (const toml::node& item : *array) {
    const auto weight = item.value_exact<std::int64_t>();
    if (!weight || *weight < 0 || *weight > std::numeric_limits<std::uint16_t>::max()) {
      stick({"study.bad_value", fmt::format("{}: {} holds what is no weight", where(item), full(key)), value_text(item),
             "write whole numbers from 0 to 65535"});
      return {1};
    }
    sum += static_cast<std::uint64_t>(*weight);
    weights.push_back(static_cast<std::uint16_t>(*weight));
  }
  if (sum > 0 && weights.size() <= most) return weights;
  refuse("study.bad_value", key, fmt::format("must hold 1 to {} weights that are not all 0", most),
         fmt::format("write {} = [1, 1] for two cohorts of equal size", key));
  return {1};
}

std::vector<std::string> StudyTable::keys() const {
  std::vector<std::string> out;
  for (const auto& [key, value] : table_) out.emplace_back(key.str());
  return out;
}

bool StudyTable::is_word(std::string_view key, std::span<const std::string_view> words) {
  const toml::node* const node = find(key, false);
  const auto text = node == nullptr ? std::nullopt : node->value_exact<std::string>();
  return text && std::ranges::find(words, std::string_view(*text)) != words.end();
}

bool StudyTable::is_array(std::string_view key) {
  const toml::node* node = find(key, false);
  return node != nullptr && node->is_array();
}

std::vector<StudyTable> StudyTable::tables(std::string_view key) {
  const toml::node* node = find(key, false);
  std::vector<StudyTable> tables;
  if (!node) return tables;
  const toml::array* array = node->as_array();
  if (array) {
    for (const toml::node& item : *array) {
      const toml::table* inner = item.as_table();
      if (!inner) {
        array = nullptr;
        break;
      }
      tables.emplace_back(*inner, file_, fmt::format("{}[{}]", full(key), tables.size()), error_);
    }
  }
  if (!array) wrong_type(key, "an array of tables", *node, fmt::format("write [[{}]] before each one", full(key)));
  return array ? tables : std::vector<StudyTable>{};
}

StudyTable StudyTable::table(std::string_view key, bool required) {
  const toml::node* node = find(key, required);
  const toml::table* inner = node ? node->as_table() : nullptr;
  if (node && !inner)
    refuse("study.wrong_type", key, fmt::format("must be a table, and is {}", type_word(*node)),
           fmt::format("write [{}] on its own line", full(key)));
  return {inner ? *inner : k_no_table, file_, full(key), error_};
}

void StudyTable::refuse_unknown() {
  for (const auto& [key, node] : table_) {
    if (std::find(asked_.begin(), asked_.end(), key.str()) == asked_.end()) return unknown(key.str(), node);
  }
}

}  // namespace sotto::analyzer
