// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "parse_study.hpp"

#include <fmt/format.h>

#include "../text/nesting.hpp"
#include "question.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "sotto/analyzer/channel/status_text.hpp"
#include "study_table.hpp"
#include "terms.hpp"

namespace sotto::analyzer {
namespace {

// The largest study with a table for each feature takes a quarter of this. A parsed file takes fifty times its size.
constexpr std::size_t k_study_most_bytes = std::size_t{1} << 24;
// A study nests two levels.
constexpr std::size_t k_study_deepest = 16;

/// Refuses text that would exhaust the parser's stack or memory before it is parsed.
std::optional<Error> unparsable(std::string_view text, std::string_view file) {
  if (text.size() > k_study_most_bytes) {
    return Error{"study.too_large", fmt::format("{}: a study has at most {} bytes", file, k_study_most_bytes),
                 fmt::format("{} bytes", text.size()), "name a study file; data go to other verbs"};
  }
  const std::optional<TooDeep> deep = toml_too_deep(text, k_study_deepest);
  if (!deep) return std::nullopt;
  return Error{"study.too_deep",
               fmt::format("{}:{}: keys and brackets are nested more than {} deep", file, deep->line, k_study_deepest),
               "", "a study needs two levels: [table] and key = value"};
}

/// Words the device's refusal as an error of the key that caused it. Errors of single keys have been reported before.
void refuse_status(Status status, const AnySpec& spec, EpsilonNano cap, StudyTable& privacy, StudyTable& question) {
  switch (status) {
    case Status::over_cap:
      return privacy.refuse("study.over_cap", "epsilon",
                            fmt::format("is above the device's cap of {} nats", nats_text(cap)),
                            std::string(status_fix(status)));
    case Status::bad_epsilon:
      return privacy.refuse("study.bad_epsilon", "epsilon", "is too small for this question's 32-bit coins",
                            "use more epsilon, or a question with fewer outcomes");
    case Status::bad_dimension:
      return question.refuse("study.bad_dimension", "kind", "has a dimension that the randomizer refuses",
                             std::string(status_fix(status)));
    case Status::bad_channel:
      if (!std::holds_alternative<LaplaceSpec>(spec)) break;
      return question.refuse("study.bad_channel", "radius",
                             "is a range that the noise at this epsilon does not cover twice",
                             "use less epsilon or another radius; one more is often enough");
    default: break;
  }
  question.refuse("study.bad_channel", "kind",
                  fmt::format("has parameters that the randomizer refuses as {}", status_name(status)),
                  std::string(status_fix(status)));
}

/// The cohorts and the number of answers are set by the protocol, not by the file.
void refuse_asked_by_hand(StudyTable& root) {
  StudyTable table = root.table("study", false);
  if (table.has("cohorts"))
    table.refuse("study.bad_value", "cohorts", "is decided by the protocol", "leave study.cohorts out");
  if (table.has("answers"))
    table.refuse("study.bad_value", "answers", "is 1 in every protocol: a device is asked once",
                 "leave study.answers out");
}

}  // namespace

Result<Study> parse_study(std::string_view text, std::string_view file, const StudyPlanner& planner) {
  if (const auto refused = unparsable(text, file)) return *refused;
  toml::table document;
  try {
    document = toml::parse(text, file);
  } catch (const toml::parse_error& error) {
    return Error{"study.syntax",
                 fmt::format("{}:{}: this is not TOML: {}", file, error.source().begin.line, error.description()), "",
                 "correct the line; strings need quotes, numbers none"};
  }
  std::optional<Error> error;
  StudyTable root(document, file, "", error);
  Study study;
  study.name = root.text("name");
  StudyTable privacy = root.table("privacy");
  const EpsilonNano epsilon = privacy.epsilon("epsilon");
  if (privacy.has("cap")) study.cap = privacy.epsilon("cap");
  if (privacy.has("delta")) study.delta = privacy.delta("delta");
  const bool is_protocol = root.has("protocol");
  StudyTable question = root.table(is_protocol ? "protocol" : "question");
  const bool is_everyday = !is_protocol && asks_everyday(question);
  if (!error && epsilon > study.cap) refuse_status(Status::over_cap, study.spec, study.cap, privacy, question);
  if (is_protocol && root.has("question"))
    root.refuse("study.bad_value", "question", "stands beside [protocol]", "leave one of them out");
  study.terms = read_terms(root);
  if (is_protocol || is_everyday) {
    refuse_asked_by_hand(root);
  } else if (root.has("levels") || !study.terms.missing.empty()) {
    root.refuse("study.bad_value", root.has("levels") ? "levels" : "study",
                "makes features of words and of missing values, which a [question] does not take",
                "leave levels and missing_features out, or ask by [protocol]");
  } else if (study.terms.minimum == 0) {  // a simulated protocol accepts any number of reports; a vote needs a minimum
    root.table("study", false).refuse("study.bad_value", "minimum", "must be 1 at least", "write minimum = 30");
  }
  if (!error && is_protocol) read_protocol(root, question, epsilon, planner, study);
  if (!error && is_everyday) read_everyday(root, question, epsilon, planner, study);
  if (!error && !is_protocol && !is_everyday) read_question(question, epsilon, study);
  if (study.regression) study.regression->rounds = study.terms.rounds;
  if (!error && study.terms.tickets && study.regression && study.regression->protocol->asks_labels)
    root.table("study", false)
        .refuse("study.bad_value", "tickets", "stands in a label study, whose issuer must know who has which pseudonym",
                "leave it out: a label study identifies rows");
  question.refuse_unknown();
  privacy.refuse_unknown();
  root.refuse_unknown();
  if (error) return *error;
  if (const Status s = compile_spec(study.spec, study.cap); s != Status::ok) {
    refuse_status(s, study.spec, study.cap, privacy, question);
    return *error;
  }
  // A protocol that collects once may choose a purely epsilon-private way, so a delta that is not spent is no error.
  if (study.regression && study.regression->once) study.delta = facts_of(study.spec).delta;
  if (study.delta != 0 && facts_of(study.spec).delta == 0) {
    privacy.refuse("study.bad_delta", "delta", "is not spent by this study, whose reports are pure epsilon",
                   "leave privacy.delta out");
    return *error;
  }
  return study;
}

}  // namespace sotto::analyzer
