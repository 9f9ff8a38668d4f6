// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/model/model_file.hpp"

#include <algorithm>
#include <array>
#include <concepts>
#include <limits>
#include <optional>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "../text/nesting.hpp"

namespace sotto::analyzer {
namespace {

using Json = nlohmann::ordered_json;
using Counts = std::vector<std::pair<std::string, std::uint64_t>>;

// 65,535 votes with long names take a quarter of this; a parsed text takes twenty times its size in memory.
constexpr std::size_t k_model_most_bytes = std::size_t{1} << 26;
constexpr std::size_t k_model_deepest = 32;  // a model nests four deep; unknown keys may nest deeper

constexpr std::array k_verdicts = {Verdict::learned, Verdict::uncertain, Verdict::cannot_learn, Verdict::not_measured};
constexpr std::array k_againsts = {Against::device, Against::all, Against::zero};

template <class On, class V>
void validation_fields(On& at, V& v) {
  at.field("devices", v.devices);
  at.field("against", v.against);
  at.field("classes", v.classes);
  at.derived("r2", v.r2());
  at.derived("low", v.low());
  at.derived("high", v.high());
  at.known("gain", v.gain);
  at.known("gain_low", v.gain_low);
  at.known("gain_high", v.gain_high);
  at.known("least", v.least);
  at.known("most", v.most);
  at.known("bound", v.bound);
  at.known("error", v.error);
  at.known("error_low", v.error_low);
  at.known("error_high", v.error_high);
}

/// Visits every field of the file once, in its order; `on` either writes or reads it.
template <class On, class M>
void model_fields(On& on, M& m) {
  const auto coefficient = [](On& at, auto& c) {
    at.field("feature", c.feature);
    at.field("name", c.name);
    at.field("unit", c.unit);
    at.known("estimate", c.estimate);
    at.field("per_unit", c.per_unit);
    at.field("last_cohort", c.last_cohort);
    at.field("standard_error", c.standard_error);
    at.field("low", c.low);
    at.field("high", c.high);
    at.field("p_value", c.p_value);
    at.field("found", c.found);
  };
  on.group("study", [&](On& at) {
    at.field("name", m.study);
    at.field("digest", m.study_digest);
  });
  on.field("verdict", m.verdict);
  on.field("why_verdict", m.why_verdict);
  on.group("protocol", [&](On& at) {
    at.field("name", m.protocol);
    at.field("why", m.why_protocol);
  });
  on.group("target", [&](On& at) {
    at.field("name", m.target);
    at.field("unit", m.target_unit);
    at.field("kind", m.kind);
  });
  on.field("features", m.features);
  on.list("columns", m.columns, [](On& at, auto& c) {
    at.field("name", c.name);
    at.field("levels", c.levels);
  });
  on.known("intercept", m.intercept);
  on.field("level", m.level);
  on.list("coefficients", m.coefficients, coefficient);
  on.field("link", m.link);
  on.group("function", [&](On& at) {
    at.field("basis", m.function.basis);
    at.list("inputs", m.function.inputs, [](On& input, auto& i) {
      input.field("name", i.name);
      input.field("unit", i.unit);
      input.known("offset", i.offset);
      input.known("scale", i.scale);
    });
    at.known("coefficients", m.function.coefficients);
    at.known("phase", m.function.phase);
    at.known("place", m.function.place);
    at.known("bandwidth", m.function.bandwidth);
    at.known("target_offset", m.function.target_offset);
    at.known("target_scale", m.function.target_scale);
    at.list("curve", m.function.curve, [](On& point, auto& p) {
      point.field("x", p.x);
      point.field("fit", p.fit);
      point.field("low", p.low);
      point.field("high", p.high);
    });
  });
  on.optional_group("everyday", !m.everyday.kind.empty(), [&](On& at) {
    const auto estimate = [](On& one, auto& e) {
      one.field("name", e.name);
      one.field("unit", e.unit);
      one.field("value", e.value);
      one.field("low", e.low);
      one.field("high", e.high);
    };
    at.field("kind", m.everyday.kind);
    at.field("what", m.everyday.what);
    at.list("estimates", m.everyday.estimates, estimate);
    at.list("cells", m.everyday.cells, [](On& one, auto& c) {
      one.field("name", c.name);
      one.field("from", c.from);
      one.field("until", c.until);
      one.field("share", c.share);
      one.field("low", c.low);
      one.field("high", c.high);
    });
    at.list("series", m.everyday.series, estimate);
    at.list("items", m.everyday.items, [](On& one, auto& item) {
      one.field("name", item.name);
      one.field("share", item.share);
      one.field("low", item.low);
      one.field("high", item.high);
      one.field("p_value", item.p_value);
    });
    at.field("rows", m.everyday.rows);
    at.field("columns", m.everyday.columns);
    at.field("association_p", m.everyday.association_p);
    at.field("cramers_v", m.everyday.cramers_v);
    at.field("clip_low", m.everyday.clip_low);
    at.field("clip_high", m.everyday.clip_high);
    at.field("clipped", m.everyday.clipped);
    at.field("clipped_error", m.everyday.clipped_error);
  });
  on.group("error", [&](On& at) {
    at.field("privacy", m.error.privacy);
    at.field("sampling", m.error.sampling);
    at.field("clipping", m.error.clipping);
  });
  on.field("units", m.units);
  on.group("validation", [&](On& at) { validation_fields(at, m.validation); });
  on.optional_group("between", m.between.columns > 0, [&](On& at) {
    at.field("columns", m.between.columns);
    at.field("verdict", m.between.verdict);
    at.field("why_verdict", m.between.why_verdict);
    at.field("strength", m.between.strength);
    at.field("level", m.between.level);
    at.field("spread", m.between.spread);
    at.list("coefficients", m.between.coefficients, coefficient);
    at.known("centres", m.between.centres);
    at.group("validation", [&](On& part) { validation_fields(part, m.between.validation); });
  });
  on.group("empty", [&](On& at) {
    at.field("share", m.empty_share);
    at.field("standard_error", m.empty_share_error);
  });
  on.list("votes", m.votes, [](On& at, auto& v) {
    at.field("feature", v.feature);
    at.field("name", v.name);
    at.field("share", v.share);
    at.field("standard_error", v.standard_error);
  });
  on.list("rounds", m.rounds, [](On& at, auto& r) {
    at.field("number", r.number);
    at.field("question", r.question);
    at.field("recipe", r.recipe);
    at.field("candidates", r.candidates);
    at.field("radius", r.radius);
    at.field("reports", r.reports);
    at.field("noise", r.noise);
  });
  on.group("privacy", [&](On& at) {
    at.field("unit", m.unit);
    at.field("epsilon", m.epsilon);
    at.field("epsilon_delivered", m.epsilon_delivered);
    at.field("delta", m.delta);
    at.field("statement", m.privacy);
  });
  on.field("assumed_public", m.assumed_public);
  on.group("reports", [&](On& at) {
    at.field("used", m.reports_used);
    at.field("refused", m.reports_refused);
    at.field("refused_by_reason", m.refused_by_reason);
    at.field("bytes_per_report", m.bytes_per_report);
  });
  on.field("simulated", m.simulated);
  on.field("command", m.command);
  on.field("made_by", m.made_by);
}

class Writer {
 public:
  explicit Writer(Json& at) : at_(at) {}

  template <class T>
  void field(const char* key, const T& value) {
    at_[key] = value;
  }
  template <class T>
  void known(const char* key, const T& value) {
    field(key, value);
  }
  /// A field that is computed from others, for readers of the file; read_model() ignores its value.
  void derived(const char* key, double value) { at_[key] = value; }
  void field(const char* key, Verdict value) { at_[key] = verdict_text(value); }
  void field(const char* key, Against value) { at_[key] = against_text(value); }
  void field(const char* key, const Counts& value) {
    at_[key] = Json::object();
    for (const auto& [name, count] : value) at_[key][name] = count;
  }
  template <class Body>
  void group(const char* key, Body body) {
    Json inner = Json::object();
    Writer writer(inner);
    body(writer);
    at_[key] = std::move(inner);
  }
  /// What models of another sort leave out.
  template <class Body>
  void optional_group(const char* key, bool has, Body body) {
    if (has) group(key, body);
  }
  template <class T, class Body>
  void list(const char* key, const std::vector<T>& values, Body body) {
    Json all = Json::array();
    for (const T& value : values) {
      Json inner = Json::object();
      Writer writer(inner);
      body(writer, value);
      all.push_back(std::move(inner));
    }
    at_[key] = std::move(all);
  }

 private:
  Json& at_;
};

/// Keeps the first error and ignores everything after it, without changing the model.
class Reader {
 public:
  Reader(const Json& at, std::string path, const std::string& what, std::optional<Error>& error)
      : at_(at), path_(std::move(path)), what_(what), error_(error) {}

  template <class T>
  void field(const char* key, T& out) {
    if (const Json* value = find(key)) read(*value, here(key), out);
  }
  /// A number that predictions are computed from. null, which marks an unknown number, is refused here, as it would
  /// make every prediction null.
  void known(const char* key, double& out) {
    const Json* value = find(key);
    if (value != nullptr && is(value->is_number(), here(key), *value, "a number")) out = value->get<double>();
  }
  void known(const char* key, std::vector<double>& out) {
    const Json* value = find(key);
    if (value == nullptr || !is(value->is_array(), here(key), *value, "a list of numbers")) return;
    for (std::size_t i = 0; i < value->size(); ++i) {
      const Json& item = (*value)[i];
      if (!is(item.is_number(), fmt::format("{}[{}]", here(key), i), item, "a number")) return;
      out.push_back(item.get<double>());
    }
  }
  void derived(const char* key, double) {
    double ignored = 0;
    field(key, ignored);
  }
  template <class Body>
  void group(const char* key, Body body) {
    const Json* value = find(key);
    if (value == nullptr || !is(value->is_object(), here(key), *value, "an object")) return;
    Reader reader(*value, here(key), what_, error_);
    body(reader);
  }
  template <class Body>
  void optional_group(const char* key, bool, Body body) {
    if (at_.contains(key)) group(key, body);
  }
  template <class T, class Body>
  void list(const char* key, std::vector<T>& out, Body body) {
    const Json* value = find(key);
    if (value == nullptr || !is(value->is_array(), here(key), *value, "a list")) return;
    for (std::size_t i = 0; i < value->size() && !error_; ++i) {
      const Json& item = (*value)[i];
      const std::string path = fmt::format("{}[{}]", here(key), i);
      if (!is(item.is_object(), path, item, "an object")) return;
      Reader reader(item, path, what_, error_);
      body(reader, out.emplace_back());
    }
  }

 private:
  [[nodiscard]] std::string here(const std::string& key) const { return path_.empty() ? key : path_ + "." + key; }

  const Json* find(const char* key) {
    if (error_) return nullptr;
    const auto found = at_.find(key);
    if (found != at_.end()) return &*found;
    error_ = Error{"model.missing", what_ + " lacks a field", here(key), "use a model that sotto wrote"};
    return nullptr;
  }
  bool is(bool right, const std::string& path, const Json& value, std::string_view wanted) {
    if (right || error_) return right && !error_;
    std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    error_ = Error{"model.bad_value", fmt::format("{} should have {} here", what_, wanted),
                   fmt::format("{}: {}", path, text), "use a model that sotto wrote"};
    return false;
  }

  void read(const Json& value, const std::string& path, std::string& out) {
    if (is(value.is_string(), path, value, "a text")) out = value.get<std::string>();
  }
  void read(const Json& value, const std::string& path, bool& out) {
    if (is(value.is_boolean(), path, value, "true or false")) out = value.get<bool>();
  }
  void read(const Json& value, const std::string& path, double& out) {
    if (is(value.is_number() || value.is_null(), path, value, "a number or null"))
      out = value.is_null() ? std::numeric_limits<double>::quiet_NaN() : value.get<double>();
  }
  template <std::unsigned_integral T>
  void read(const Json& value, const std::string& path, T& out) {
    constexpr std::uint64_t k_max = std::numeric_limits<T>::max();
    if (is(value.is_number_unsigned() && value.get<std::uint64_t>() <= k_max, path, value,
           fmt::format("a whole number up to {}", k_max)))
      out = value.get<T>();
  }
  template <class Word, std::size_t size>
  void read_word(const Json& value, const std::string& path, const std::array<Word, size>& words,
                 std::string_view (*text_of)(Word), std::string_view wanted, Word& out) {
    std::string text;
    read(value, path, text);
    const auto found = std::ranges::find(words, text, text_of);
    if (is(found != words.end(), path, value, wanted)) out = *found;
  }
  void read(const Json& value, const std::string& path, Verdict& out) {
    read_word(value, path, k_verdicts, verdict_text, "learned, uncertain, cannot learn or not measured", out);
  }
  void read(const Json& value, const std::string& path, Against& out) {
    read_word(value, path, k_againsts, against_text, "device, all or zero", out);
  }
  void read(const Json& value, const std::string& path, std::vector<std::string>& out) {
    if (!is(value.is_array(), path, value, "a list of texts")) return;
    for (std::size_t i = 0; i < value.size() && !error_; ++i)
      read(value[i], fmt::format("{}[{}]", path, i), out.emplace_back());
  }
  void read(const Json& value, const std::string& path, Counts& out) {
    if (!is(value.is_object(), path, value, "an object of counts")) return;
    for (const auto& [name, count] : value.items()) {
      out.emplace_back(name, 0);
      read(count, fmt::format("{}.{}", path, name), out.back().second);
    }
  }

  const Json& at_;
  std::string path_;
  const std::string& what_;
  std::optional<Error>& error_;
};

}  // namespace

std::string model_json(const Model& model) {
  Json json = {{"format", k_model_format}};
  Writer writer(json);
  model_fields(writer, model);
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<Model> read_model(std::string_view text, const std::string& what) {
  if (text.size() > k_model_most_bytes) {
    return Error{"model.too_large",
                 fmt::format("{} is larger than the {} bytes allowed for a model", what, k_model_most_bytes),
                 fmt::format("{} bytes", text.size()), "name a model.json that sotto wrote"};
  }
  if (const auto deep = json_too_deep(text, k_model_deepest)) {
    return Error{"model.too_deep",
                 fmt::format("{}:{}: values are nested more than {} deep", what, deep->line, k_model_deepest), "",
                 "name a model.json that sotto wrote"};
  }
  const Json json = Json::parse(text, nullptr, false);
  if (json.is_discarded() || !json.is_object())
    return Error{"model.not_json", what + " is not a JSON object", "", "name a model.json that sotto wrote"};
  const auto format = json.find("format");
  if (format == json.end() || *format != k_model_format) {
    return Error{"model.other_format", what + " is not a model of this format",
                 format == json.end() ? "no format" : format->dump(-1, ' ', true, Json::error_handler_t::replace),
                 fmt::format("this release reads \"{}\"", k_model_format)};
  }
  Model model;
  std::optional<Error> error;
  Reader reader(json, "", what, error);
  model_fields(reader, model);
  if (error) return *error;
  if (!model.function.is_whole())
    return Error{"model.bad_value", what + " has a function whose lists have inconsistent sizes",
                 "function: " + model.function.basis, "use a model that sotto wrote"};
  return model;
}

}  // namespace sotto::analyzer
