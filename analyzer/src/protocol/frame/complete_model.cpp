// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/protocol/frame/complete_model.hpp"

#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/privacy_statement.hpp"
#include "sotto/wire/recipe.hpp"

namespace sotto::analyzer {
namespace {

Quantity quantity_of(const Study& study, std::uint32_t feature) {
  const std::vector<Quantity>& all = study.terms.quantities;
  Quantity out = all.size() == 1 ? all.front() : all[feature];
  if (feature < study.features.size()) out.name = study.features[feature];
  if (out.name.empty()) out.name = fmt::format("feature {}", feature);
  return out;
}

std::vector<std::string> assumed_once(const RegressionTerms& terms) {
  const OnceTerms& once = *terms.once;
  std::vector<std::string> out = {
      fmt::format("{} devices would answer, each for one record of {}", terms.devices + terms.validators,
                  terms.samples),
      "offsets and full scales of features and target",
  };
  if (terms.protocol->learned != Learned::function) {
    out.push_back(fmt::format(
        "a record's features are at most {:.3g} full scales long together; longer ones are clipped", once.row_norm));
    out.push_back(fmt::format("what is learned is at most {:.3g} long, with about {} of {} numbers that matter",
                              terms.norm, terms.sparsity, terms.features));
  } else {
    out.push_back(fmt::format("the function changes little within {:.3g} full scales", once.bandwidth));
  }
  if (terms.protocol->learned != Learned::mean)
    out.push_back(
        fmt::format("the target is within {:.3g} of full scale; what lies beyond is clipped", once.target_bound));
  if (once.way == OnceWay::direct && !terms.protocol->direct_assumes.empty())
    out.emplace_back(terms.protocol->direct_assumes);
  out.emplace_back(
      "every device that answers holds a record: those without one answer as zeros do, and dilute what is learned by a "
      "share that nobody measures");
  if (terms.source == AssumedFrom::data)
    out.emplace_back(
        "computed from the training rows, not protected by epsilon: offsets, full scales and the bounds above");
  if (terms.source == AssumedFrom::truth)
    out.emplace_back("these numbers are the simulated truth unless an option said otherwise");
  return out;
}

std::vector<std::string> assumed_everyday(const RegressionTerms& terms) {
  const EverydayTerms& everyday = *terms.everyday;
  const NumberTerms& number = everyday.number;
  std::vector<std::string> out = {fmt::format("{} devices would answer, each in one round", terms.devices)};
  if (terms.protocol->name == "category" || terms.protocol->name == "crosstab")
    out.push_back(fmt::format("the list of {} {}; what is not in it counts as none of these", terms.features,
                              terms.protocol->name == "category" ? "categories" : "cells"));
  if (terms.protocol->name == "top" && everyday.top.strings)
    out.push_back(fmt::format("strings have at most {} bytes; longer ones are cut there", everyday.top.length));
  if (number.high > number.low + 1) {
    const std::string unit = everyday.unit.empty() ? "" : " " + everyday.unit;
    out.push_back(
        fmt::format("readings are from {} to {}{}; what lies beyond is clipped", number.low, number.high, unit));
    if (number.rule != k_rule_count)
      out.push_back(fmt::format("a device without a reading answers as if it had read {}", number.missing));
  }
  if (everyday.periods > 1)
    out.push_back(
        fmt::format("a device answers in one {} of {}, which public coins draw", everyday.every, everyday.periods));
  return out;
}

/// Curve and scales in the units of the study.
void complete_function(const Study& study, LearnedFunction& f) {
  for (std::uint32_t i = 0; i < f.inputs.size(); ++i) {
    const Quantity q = quantity_of(study, i);
    f.inputs[i] = {q.name, q.unit, q.offset, q.scale};
  }
  const Quantity& target = study.terms.target_quantity;
  f.target_offset = target.offset;
  f.target_scale = target.scale;
  for (CurvePoint& p : f.curve) {
    p.x = f.inputs[0].offset + f.inputs[0].scale * p.x;
    for (double* const y : {&p.fit, &p.low, &p.high}) *y = target.offset + target.scale * *y;
  }
}

/// Names and units of what the stage between devices found. Levels count in stated standard deviations.
void complete_between(const Study& study, Between& between) {
  const Quantity& target = study.terms.target_quantity;
  const double unit = study.regression->unit();
  between.level = target.offset + between.level * unit * target.scale;
  between.spread *= unit * target.scale;
  for (std::size_t i = 0; i < between.coefficients.size(); ++i) {
    Coefficient& c = between.coefficients[i];
    const Quantity feature = quantity_of(study, c.feature);
    c.name = feature.name;
    c.unit = feature.unit;
    c.per_unit = c.estimate * target.scale / feature.scale;
    between.centres[i] = feature.offset + between.centres[i] * unit * feature.scale;
  }
}

}  // namespace

std::vector<std::string> assumed_public(const RegressionTerms& terms) {
  if (terms.everyday) return assumed_everyday(terms);
  if (terms.once) return assumed_once(terms);
  std::vector<std::string> out = {
      fmt::format("{} devices would answer; formulas count with {} rows a device, and the first {} of longer histories "
                  "are used",
                  terms.all_devices(), terms.samples, terms.samples),
      fmt::format("at most about {} of {} features matter", terms.sparsity, terms.features),
  };
  const bool own = terms.units == RowUnits::own;
  if (own && terms.link == TargetLink::identity) {
    out.push_back(
        fmt::format("the model explains at most about {:.0f} % of a target's variance", 100 * terms.explained()));
  } else {
    out.push_back(fmt::format("what the model leaves has a standard deviation of about {:.3g}", terms.noise));
    out.push_back(fmt::format("coefficients together are at most about {:.3g} long", terms.norm));
  }
  if (!own) out.emplace_back("offsets and scales of features and target");
  if (terms.correlated) out.emplace_back("features go along with each other");
  if (terms.between)
    out.push_back(fmt::format(
        "{} columns never change on a device; at most {} of them explain at most {:.0f} % of the variance of the "
        "devices' levels; {} devices are asked about that and teach nothing else",
        terms.between->features.size(), terms.between->variables, 100 * terms.between->explained,
        terms.between->devices));
  if (terms.signs)
    out.emplace_back(
        "features are signs; one that is not counts as -1 below 0 and as +1 otherwise, and is answered like any other");
  if (terms.kind == TargetKind::two_classes)
    out.emplace_back(
        terms.link == TargetLink::identity
            ? "the target is one of two classes, 0 and 1, learned by least squares: a device tells the upper one "
              "where its own share of it, and the model, make it the likelier"
            : "the target is one of two classes");
  if (terms.kind == TargetKind::count)
    out.emplace_back(
        "the target is the logarithm of one plus a count: coefficients and errors are those of log(1 + count)");
  if (terms.link != TargetLink::identity)
    out.push_back(fmt::format("the target's link to the coefficients: {}", link_name(terms.link)));
  if (terms.protocol->asks_labels) {
    out.emplace_back("the features of every row, and which pseudonym a row belongs to: the analyst holds them");
    out.push_back(
        fmt::format("the target has a standard deviation of about {:.3g}{}", terms.target_spread(),
                    terms.target_is_normal ? ", and is normal: declared, so that a narrow clip can be undone" : ""));
  }
  if (terms.source == AssumedFrom::data)
    out.emplace_back(
        own ? "computed from the training users' rows, not protected by epsilon: rows a device"
            : "computed from the training users' rows, not protected by epsilon: offsets, scales, rows a device");
  if (terms.source == AssumedFrom::truth)
    out.emplace_back(
        "these numbers are the simulated truth (the length a quarter more) unless an --assume option said otherwise");
  return out;
}

void complete_model(const Study& study, const Manifest& manifest, const ReasonCounts& counts, Model& model) {
  const RegressionTerms& terms = *study.regression;
  model.study = study.name;
  model.made_by = "sotto " SOTTO_VERSION;
  model.study_digest = hex_text(manifest_digest(manifest));
  model.protocol = terms.protocol->name;
  model.why_protocol = terms.why_protocol;
  model.features = terms.features;
  const Quantity& target = study.terms.target_quantity;
  model.target = target.name.empty() ? "target" : target.name;
  model.target_unit = target.unit;
  if (study.unit == PrivacyUnit::label) model.unit = "label";
  const bool is_linear = terms.link == TargetLink::identity, own = terms.units == RowUnits::own;
  model.units = own ? "device" : "stated";
  model.intercept = is_linear ? target.offset : 0;
  for (Coefficient& c : model.coefficients) {
    const Quantity feature = quantity_of(study, c.feature);
    c.name = feature.name;
    c.unit = feature.unit;
    if (own && !(feature.is_stated && target.is_stated)) {
      c.per_unit = std::numeric_limits<double>::quiet_NaN();
      continue;
    }
    // Full scale of both sides is the same number of standard deviations. Behind a link theta has no unit of its own.
    c.per_unit = c.estimate * (is_linear ? target.scale : 1 / terms.unit()) / feature.scale;
    model.intercept -= c.per_unit * feature.offset;
  }
  model.link = link_name(terms.link);
  model.kind = target_kind_name(terms.kind);
  for (const StudyColumn& column : study.columns) {
    if (!column.is_plain()) model.columns.push_back({column.name, column.levels});
  }
  complete_function(study, model.function);
  if (terms.between) complete_between(study, model.between);
  for (VoteTally& vote : model.votes) vote.name = quantity_of(study, vote.feature).name;
  // The protocol's own sentences come last.
  const std::vector<std::string> said = std::move(model.assumed_public);
  model.assumed_public = assumed_public(terms);
  model.assumed_public.insert(model.assumed_public.end(), said.begin(), said.end());

  const PrivacyStatement statement = state_privacy(study.spec, manifest.authenticated, manifest.answers, manifest.unit);
  model.epsilon = terms.nats();
  model.epsilon_delivered = std::max(model.epsilon_delivered, statement.epsilon);
  model.delta = delta_chance(manifest.delta);
  model.privacy = statement.sentences;
  // The first sentence describes one channel; later rounds use other channels with the same epsilon.
  if (!model.privacy.empty()) model.privacy.front() = "Round 1: " + model.privacy.front();
  if (model.simulated) {
    model.privacy.insert(
        model.privacy.begin(),
        "Simulated: coins and keys follow from the seed, so these reports hide nothing from whoever knows it. "
        "What follows holds for devices with entropy of their own.");
  }
  model.reports_used = counts[Reason::accepted];
  model.reports_refused = counts.total() - counts[Reason::accepted];
  model.refused_by_reason.clear();
  for (std::size_t i = 0; i < k_reasons; ++i) {
    const auto reason = static_cast<Reason>(i);
    if (reason != Reason::accepted && counts.of[i] > 0)
      model.refused_by_reason.emplace_back(reason_name(reason), counts.of[i]);
  }
}

Model finish_model(const Protocol& protocol, const FinishedRun& run) {
  Model model = protocol.model();
  model.bytes_per_report = run.sizes.mean();
  model.epsilon_delivered = run.sizes.delivered();
  model.simulated = run.simulated;
  complete_model(run.study, run.manifest, run.counts, model);
  model.command = run.command;
  return model;
}

}  // namespace sotto::analyzer
