// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <cmath>
#include <limits>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../text/nesting.hpp"
#include "sotto/analyzer/central/model.hpp"

// Writes and reads fit.json. Both use one list of fields, so that they cannot differ.
namespace sotto::analyzer::central {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view k_kinds[] = {"number", "level", "other", "missing"};

/// Writes fields in the order in which they are named.
struct Writer {
  Json json = Json::object();

  template <class T>
  void field(const char* name, const T& value) {
    json[name] = value;
  }
  template <class Fields>
  void group(const char* name, Fields fields) {
    Writer part;
    fields(part);
    json[name] = part.json;
  }
  template <class List, class Fields>
  void list(const char* name, List& values, Fields fields) {
    json[name] = Json::array();
    for (auto& value : values) {
      Writer part;
      fields(part, value);
      json[name].push_back(part.json);
    }
  }
  void kind(const char* name, FeatureSource::Kind& kind) { json[name] = k_kinds[static_cast<std::size_t>(kind)]; }
  [[nodiscard]] bool has(const char*, bool is_there) const { return is_there; }
};

/// Reads fields; the first one that is missing or of another type is the error.
struct FieldReader {
  const Json& json;
  std::string& wrong;

  [[nodiscard]] const Json* find(const char* name) {
    const auto at = json.find(name);
    if (at != json.end()) return &*at;
    if (wrong.empty()) wrong = fmt::format("{} is missing", name);
    return nullptr;
  }
  void bad(const char* name) {
    if (wrong.empty()) wrong = fmt::format("{} is of another type", name);
  }
  void field(const char* name, double& value) {
    const Json* const at = find(name);
    if (at == nullptr) return;
    if (!at->is_number() && !at->is_null()) return bad(name);
    value = at->is_null() ? std::numeric_limits<double>::infinity() : at->get<double>();  // JSON has no infinity
  }
  template <std::unsigned_integral T>
  void field(const char* name, T& value) {
    const Json* const at = find(name);
    if (at == nullptr) return;
    if constexpr (std::same_as<T, bool>) {
      if (!at->is_boolean()) return bad(name);
      value = at->get<bool>();
    } else {
      if (!at->is_number_unsigned() || at->get<std::uint64_t>() > std::numeric_limits<T>::max()) return bad(name);
      value = at->get<T>();
    }
  }
  void field(const char* name, std::string& value) {
    const Json* const at = find(name);
    if (at == nullptr) return;
    if (!at->is_string()) return bad(name);
    value = at->get<std::string>();
  }
  void field(const char* name, std::vector<std::string>& value) {
    const Json* const at = find(name);
    if (at == nullptr) return;
    if (!at->is_array()) return bad(name);
    for (const Json& each : *at) {
      if (!each.is_string()) return bad(name);
      value.push_back(each.get<std::string>());
    }
  }
  template <class Fields>
  void group(const char* name, Fields fields) {
    const Json* const at = find(name);
    if (at == nullptr) return;
    if (!at->is_object()) return bad(name);
    FieldReader part{*at, wrong};
    fields(part);
  }
  template <class List, class Fields>
  void list(const char* name, List& values, Fields fields) {
    const Json* const at = find(name);
    if (at == nullptr) return;
    if (!at->is_array()) return bad(name);
    for (const Json& each : *at) {
      if (!each.is_object()) return bad(name);
      FieldReader part{each, wrong};
      fields(part, values.emplace_back());
    }
  }
  void kind(const char* name, FeatureSource::Kind& kind) {
    std::string text;
    field(name, text);
    for (std::size_t i = 0; i < std::size(k_kinds); ++i) {
      if (text == k_kinds[i]) {
        kind = static_cast<FeatureSource::Kind>(i);
        return;
      }
    }
    bad(name);
  }
  [[nodiscard]] bool has(const char* name, bool) const { return json.contains(name); }
};

template <class On>
void privacy_fields(On& on, FittedModel& m) {
  std::string unit = "row", source(scales_source_name(m.scales_source));
  bool is_proven = m.is_covered();
  on.field("unit", unit);
  on.field("adjacency", m.adjacency);
  on.field("epsilon", m.epsilon);
  on.field("epsilon_delivered", m.epsilon_delivered);
  on.field("delta", m.delta);
  on.field("sigma", m.z);
  on.field("proven", is_proven);
  on.field("seeded", m.is_seeded);
  on.group("moments", [&](auto& at) {
    at.field("source", source);
    for (const ScalesSource each : {ScalesSource::none, ScalesSource::given, ScalesSource::paid, ScalesSource::exact})
      if (source == scales_source_name(each)) m.scales_source = each;
    if (m.scales_source != ScalesSource::paid) return;
    std::string mechanism = "discrete Gaussian noise on counts, means and squares",
                range = m.is_common_range ? "common" : "each";
    at.field("mechanism", mechanism);
    at.field("range", range);
    m.is_common_range = range == "common";
    at.field("share", m.moments_share);
    at.field("epsilon", m.moments_epsilon);
  });
  on.field("statement", m.privacy);
  m.is_private = std::isfinite(m.epsilon);
  m.is_proven =
      is_proven || (m.is_seeded && std::isfinite(m.epsilon_delivered) && m.scales_source != ScalesSource::exact);
}

template <class On>
void test_fields(On& on, FitTest& test, bool is_a_class) {
  on.field("file", test.file);
  on.field("rows", test.rows);
  on.field(is_a_class ? "error" : "mse", test.error);
  on.field(is_a_class ? "larger_class_error" : "mean_mse", test.baseline);
  if (is_a_class) on.field("loss", test.loss);
}

template <class On>
void fit_fields(On& on, FittedModel& m) {
  on.group("method", [&](auto& at) {
    at.field("name", m.method);
    at.field("why", m.why_method);
    at.field("steps", m.steps);
    at.field("step_size", m.step_size);
    at.field("passes", m.passes);
  });
  on.field("loss", m.loss);
  on.field("target", m.target);
  on.field("positive", m.positive);
  on.field("count", m.is_count);
  on.field("rows", m.rows);
  on.field("features", m.features);
  on.field("nonzeros", m.nonzeros);
  on.field("why_nonzeros", m.why_nonzeros);
  on.field("scaling", m.scaling);
  on.field("transform", m.transform);
  on.list("levels", m.levels, [](auto& at, ColumnLevels& column) {
    at.field("column", column.column);
    at.field("levels", column.levels);
  });
  on.field("intercept", m.intercept);
  on.list("coefficients", m.coefficients, [](auto& at, FittedCoefficient& c) {
    at.field("feature", c.feature);
    at.field("name", c.name);
    at.field("value", c.value);
    at.field("per_unit", c.per_unit);
    at.kind("made_of", c.source.kind);
    at.field("column", c.source.column);
    at.field("level", c.source.level);
    at.field("offset", c.offset);
    at.field("deviation", c.deviation);
  });
  if (on.has("test", m.test.has_value())) {
    if (!m.test) m.test.emplace();
    on.group("test", [&](auto& at) { test_fields(at, *m.test, is_class(m)); });
  }
  on.group("privacy", [&](auto& at) { privacy_fields(at, m); });
  on.field("assumed_public", m.assumed_public);
  on.field("command", m.command);
  on.field("made_by", m.made_by);
}

}  // namespace

std::string fit_json(const FittedModel& model) {
  Writer writer;
  writer.field("format", k_fit_format);
  FittedModel m = model;
  fit_fields(writer, m);
  return writer.json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<FittedModel> read_fit(std::string_view text, const std::string& what) {
  constexpr std::size_t k_deepest = 32, k_most_bytes = std::size_t{1} << 26;
  const auto not_a_fit = [&](std::string_view why) {
    return Error{"fit.not_a_fit", fmt::format("{} {}", what, why), "", "name a fit.json that sotto fit wrote"};
  };
  if (text.size() > k_most_bytes) return not_a_fit("is larger than any model");
  if (json_too_deep(text, k_deepest)) return not_a_fit("nests deeper than any model");
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object() || !json.contains("format") || json["format"] != k_fit_format)
    return not_a_fit("is not a model of sotto fit");
  FittedModel model;
  std::string wrong;
  FieldReader reader{json, wrong};
  fit_fields(reader, model);
  if (wrong.empty() && !model.is_finite()) wrong = "a coefficient or the intercept is not a finite number";
  for (const FittedCoefficient& c : model.coefficients) {
    if (wrong.empty() && !(std::isfinite(c.offset) && c.deviation > 0 && std::isfinite(c.deviation)))
      wrong = "a scale is not a finite number";
  }
  if (wrong.empty() && model.privacy.empty()) wrong = "statement is empty";
  if (!wrong.empty())
    return Error{"fit.bad_file", fmt::format("{} cannot be read", what), wrong,
                 "use a file as sotto fit wrote it; one of an earlier release is fitted again"};
  return model;
}

}  // namespace sotto::analyzer::central
