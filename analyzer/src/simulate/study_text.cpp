// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/simulate/study_text.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "sotto/analyzer/channel/epsilon.hpp"

namespace sotto::analyzer {

std::string in_quotes(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (byte < 0x20 || byte == 0x7f) {
      out += fmt::format("\\u{:04x}", byte);
    } else {
      out += c;
    }
  }
  return out + '"';
}

namespace {

/// TOML needs a point or an exponent in a number that is not an integer.
std::string number(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string scale_lines(const Quantity& quantity, double full_scale) {
  std::string text;
  if (!quantity.unit.empty()) text += fmt::format("unit = {}\n", in_quotes(quantity.unit));
  return text + fmt::format("offset = {}\nscale = {}\n", number(quantity.offset), number(full_scale * quantity.scale));
}

std::string level_lines(const StudyDraft& draft) {
  std::string text;
  for (const StudyColumn& column : draft.columns) {
    if (column.levels.empty()) continue;
    std::vector<std::string> words;
    for (const std::string& level : column.levels) words.push_back(in_quotes(level));
    text += fmt::format("{}{} = [{}]\n", text.empty() ? "\n[levels]\n" : "", in_quotes(column.name),
                        fmt::join(words, ", "));
  }
  return text;
}

std::string between_lines(const BetweenDraft& between) {
  std::vector<std::string> names;
  for (const std::string& name : between.features) names.push_back(in_quotes(name));
  return fmt::format("\n[between]\nfeatures = [{}]\nvariables = {}\nexplained = {}\nshare = {}\n{}",
                     fmt::join(names, ", "), between.variables, number(between.explained), number(between.share),
                     between.insist ? "insist = true\n" : "");
}

}  // namespace

std::string study_text(const StudyDraft& draft) {
  std::string text;
  for (const std::string& line : draft.comments) text += fmt::format("# {}\n", line);
  text += fmt::format("name = {}\n\n[privacy]\nepsilon = {}\n", in_quotes(draft.name), number(draft.epsilon));
  const double delta = draft.once ? delta_chance(draft.once->delta) : draft.delta;
  if (delta > 0) text += fmt::format("delta = {:.17g}\n", delta);
  text += '\n';
  text += fmt::format("[study]\nsamples = {}\nminimum = {}\nauthenticated = {}\ndeviation = {}\n", draft.samples,
                      draft.minimum, draft.authenticated, number(1 / draft.full_scale));
  const ProtocolFacts* const named = find_protocol(draft.protocol);
  const bool by_device = !draft.once && (named == nullptr ? !draft.is_stated : named->from_all_rows);
  const bool own = by_device && draft.units == RowUnits::own;
  if (own) text += "units = \"device\"\n";
  if (own) {
    std::vector<std::string> missing;
    for (const StudyColumn& column : draft.columns) {
      if (column.has_missing) missing.push_back(in_quotes(column.name));
    }
    if (!missing.empty()) text += fmt::format("missing_features = [{}]\n", fmt::join(missing, ", "));
  }
  if (by_device && !own)
    text += fmt::format("units = \"stated\"\ncentre = \"{}\"\n", draft.units == RowUnits::stated ? "fleet" : "device");
  text += fmt::format("\n[protocol]\nkind = {}\ndevices = {}\nsparsity = {}\n", in_quotes(draft.protocol),
                      draft.devices, draft.sparsity);
  if (own && draft.link == TargetLink::identity) {
    const double explained = draft.norm * draft.norm / (draft.norm * draft.norm + draft.noise * draft.noise);
    if (explained > 0)
      text += fmt::format("explained = {}\n", number(std::clamp(std::round(explained * 1000) / 1000, 0.001, 0.999)));
  } else {
    text += fmt::format("noise = {}\n", number(draft.noise));
    if (draft.norm > 0)
      text += fmt::format("norm = {}\n", number(draft.norm));  // without a signal nobody knows a length
  }
  if (draft.validation) text += fmt::format("validation = {}\n", number(*draft.validation));
  if (draft.rounds != 0) text += fmt::format("rounds = {}\n", draft.rounds);
  if (draft.correlated) text += "correlated = true\n";
  if (const ProtocolFacts* facts = find_protocol(draft.protocol); facts != nullptr && facts->asks_labels) {
    text += fmt::format("label = {}\ntarget_deviation = {}\n", in_quotes(draft.label), number(draft.target_deviation));
    if (draft.target_is_normal) text += "target_law = \"normal\"\n";
  }
  if (draft.signs) text += "features_are = \"signs\"\n";
  if (draft.link != TargetLink::identity) text += fmt::format("link = \"{}\"\n", link_name(draft.link));
  if (draft.source != AssumedFrom::analyst)
    text += fmt::format("source = \"{}\"\n", draft.source == AssumedFrom::data ? "data" : "truth");
  if (draft.once) {
    const OnceTerms& once = *draft.once;
    if (once.way != OnceWay::automatic) text += fmt::format("mechanism = \"{}\"\n", way_name(once.way));
    text += fmt::format("row_norm = {}\ntarget_bound = {}\n", number(once.row_norm), number(once.target_bound));
    text += fmt::format("bandwidth = {}\ndegree = {}\n", number(once.bandwidth), once.degree);
    if (once.projected != 0) text += fmt::format("projected = {}\n", once.projected);
    if (once.cells != 0) text += fmt::format("cells = {}\n", once.cells);
    if (once.isotropic) text += "isotropic = true\n";
  } else if (draft.paper) {
    text += "mechanism = \"paper\"\n";
  }
  if (draft.quantities.empty()) text += fmt::format("features = {}\n", draft.features);
  const bool states_worth =
      own && draft.own_target_scale != 0;  // not for devices: what a unit of a coefficient is worth
  if (own && !draft.quantities.empty() && !states_worth) {
    std::vector<std::string> names;
    if (draft.columns.empty()) {
      for (const Quantity& q : draft.quantities) names.push_back(in_quotes(q.name));
    }
    for (const StudyColumn& column : draft.columns) names.push_back(in_quotes(column.name));
    text += fmt::format("features = [{}]\n", fmt::join(names, ", "));
  }
  if (own) text += level_lines(draft);
  if (draft.between) text += between_lines(*draft.between);
  text += "\n[target]\n";
  if (!draft.target.name.empty()) text += fmt::format("name = {}\n", in_quotes(draft.target.name));
  if (draft.kind != TargetKind::number) text += fmt::format("kind = \"{}\"\n", target_kind_name(draft.kind));
  if (own && !states_worth) return text;
  Quantity target = draft.target;
  if (states_worth) target.scale = draft.own_target_scale;
  text += scale_lines(target, draft.full_scale);
  if (draft.quantities.empty()) return text + "\n[feature]\n" + scale_lines({{}, {}, 0, 1}, draft.full_scale);
  for (const Quantity& q : draft.quantities)
    text += fmt::format("\n[[feature]]\nname = {}\n{}", in_quotes(q.name), scale_lines(q, draft.full_scale));
  return text;
}

}  // namespace sotto::analyzer
