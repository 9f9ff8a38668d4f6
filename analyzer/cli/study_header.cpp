// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "study_header.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <vector>

#include <fmt/format.h>

#include "credentials.hpp"
#include "files.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/utc_text.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/question/bin.hpp"
#include "sotto/question/block.hpp"
#include "sotto/question/direction.hpp"
#include "sotto/question/label.hpp"
#include "sotto/question/moments.hpp"
#include "sotto/question/number.hpp"
#include "sotto/question/sketch.hpp"
#include "sotto/question/synopsis.hpp"
#include "sotto/question/top.hpp"
#include "sotto/question/update.hpp"
#include "sotto/question/value.hpp"
#include "sotto/question/vote.hpp"
#include "sotto/wire/report.hpp"
#include "study_directory.hpp"

namespace sotto::cli {

using analyzer::Error;
using analyzer::Result;

namespace {

/// The questions as sotto.h names them; of those that answer the same kind, the smaller one first.
struct NamedQuestion {
  const char* name;
  const Question* question;
};
constexpr NamedQuestion k_named[] = {{"sotto_vote_given", &k_vote_given},
                                     {"sotto_vote_screen", &k_vote_screen},
                                     {"sotto_vote", &k_vote},
                                     {"sotto_bin", &k_bin},
                                     {"sotto_bin_cells", &k_bin_cells},
                                     {"sotto_block", &k_block},
                                     {"sotto_moments", &k_moments},
                                     {"sotto_moments_fourier", &k_moments_fourier},
                                     {"sotto_value", &k_value},
                                     {"sotto_direction", &k_direction},
                                     {"sotto_label", &k_label},
                                     {"sotto_label_noisy", &k_label_noisy},
                                     {"sotto_update", &k_update},
                                     {"sotto_update_noisy", &k_update_noisy},
                                     {"sotto_number", &k_number},
                                     {"sotto_top", &k_top},
                                     {"sotto_sketch", &k_sketch},
                                     {"sotto_synopsis", &k_synopsis}};

/// What a device needs to answer a round.
struct Needs {
  const char* question = nullptr;
  std::size_t report = 0, mapped = 0, hooked = 0;
};

/// Of a question that takes the round; the work space is a whole number of 64-bit words.
std::optional<AnswerPlan> plan_of(const Question& question, const Manifest& manifest, const Round& round, bool mapped) {
  Asked asked{{}, {}, round, {}, mapped, manifest};
  if (question.kind != round.question || question.check(asked) != Status::ok) return std::nullopt;
  asked.plan.work_bytes = (asked.plan.work_bytes + 7) / 8 * 8;
  return asked.plan;
}

Result<Needs> needs_of(const Manifest& manifest, const Round& round) {
  for (const auto& [name, question] : k_named) {
    const std::optional<AnswerPlan> mapped = plan_of(*question, manifest, round, true);
    const std::optional<AnswerPlan> hooked = plan_of(*question, manifest, round, false);
    if (!mapped || !hooked) continue;
    return Needs{name, report_bytes_of(mapped->payload_bytes, manifest.authenticated), mapped->work_bytes,
                 hooked->work_bytes};
  }
  return Error{"study.unanswerable", fmt::format("no question of the device library answers round {}", round.number),
               std::string(analyzer::question_name(round.question)),
               "compile the study with this release's sotto study"};
}

std::string array_text(const std::string& name, std::span<const std::uint8_t> bytes) {
  constexpr std::size_t k_line = 16;
  std::string text = fmt::format("static const uint8_t {}[{}] = {{", name, bytes.size());
  for (std::size_t i = 0; i < bytes.size(); ++i)
    fmt::format_to(std::back_inserter(text), "{}0x{:02x}{}", i % k_line == 0 ? "\n    " : " ", bytes[i],
                   i + 1 < bytes.size() ? "," : "");
  return text + "};\n";
}

/// The kinds that rounds of this study may ask, now or later.
std::string kinds_text(const Manifest& manifest) {
  std::string text;
  for (std::uint8_t k = 1; k <= k_question_last; ++k) {
    if (!may_ask(manifest, static_cast<QuestionKind>(k))) continue;
    text += (text.empty() ? "" : ", ") + std::string(analyzer::question_name(static_cast<QuestionKind>(k)));
  }
  return text;
}

Result<std::string> credential_text(const std::string& path) {
  const Result<std::string> text = read_file(path, k_credentials_max);
  if (!text) return text.error();
  std::string out;
  const auto first = [&out](const Credential& issued, std::size_t) -> Result<analyzer::Done> {
    if (!out.empty()) return analyzer::Done{};
    out = fmt::format(
        "/* The secret of one device: this header is for its image alone, and never for a repository. */\n"
        "static const sotto_credential study_credential = {{UINT64_C(0x{:016x}),\n    {{",
        issued.pseudonym);
    for (std::size_t i = 0; i < issued.key.size(); i += 2)
      out += fmt::format("0x{}{}", issued.key.substr(i, 2), i + 2 < issued.key.size() ? ", " : "}};\n\n");
    return analyzer::Done{};
  };
  const Result<bool> read = each_credential(text.value(), path, "header.bad_credentials", first);
  if (!read) return read.error();
  if (out.empty()) {
    return Error{"header.bad_credentials", "the file of credentials holds none", path,
                 "sotto enrol DIR --count 1 --out FILE"};
  }
  return out;
}

}  // namespace

Result<std::string> study_header(const std::string& directory, const std::string& credentials) {
  const Result<StudyDirectory> opened = open_study_directory(directory);
  if (!opened) return opened.error();
  const StudyDirectory& study = opened.value();
  const Result<Manifest> decoded = analyzer::read_manifest(study.manifest, directory + "/manifest.bin");
  if (!decoded) return decoded.error();
  const Manifest& manifest = decoded.value();
  std::string rounds, last;
  Needs most;
  for (std::size_t i = 0; i < study.rounds.size(); ++i) {
    const Result<Round> round = analyzer::read_round(study.rounds[i], study.round_files[i].string());
    if (!round) return round.error();
    const Result<Needs> needs = needs_of(manifest, round.value());
    if (!needs) return needs.error();
    const Needs& n = needs.value();
    most = {n.question, std::max(most.report, n.report), std::max(most.mapped, n.mapped),
            std::max(most.hooked, n.hooked)};
    rounds += fmt::format("/* Round {}: {}. A report of {} bytes. */\n#define STUDY_ROUND_{}_QUESTION {}\n",
                          round.value().number, analyzer::question_name(round.value().question), n.report,
                          round.value().number, n.question);
    if (RoundTimes times; round_times(round.value(), times) == Status::ok && times.closes != 0) {
      rounds += fmt::format(
          "/* Open {}. */\n#define STUDY_ROUND_{}_OPENS UINT64_C({})\n#define STUDY_ROUND_{}_CLOSES UINT64_C({})\n",
          analyzer::times_text(times), round.value().number, times.opens, round.value().number, times.closes);
    }
    rounds += array_text(fmt::format("study_round_{}", round.value().number), study.rounds[i]) + "\n";
  }
  std::string issued;
  if (!credentials.empty()) {
    Result<std::string> text = credential_text(credentials);
    if (!text) return text.error();
    issued = std::move(text).value();
  }
  return fmt::format(
      "/* SPDX-License-Identifier: Apache-2.0 */\n/* Copyright The Sotto Authors */\n"
      "/* Made by `sotto study --header`. Study {}; its rounds may ask: {}. */\n/* clang-format off */\n"
      "#ifndef STUDY_H\n#define STUDY_H\n\n#include \"sotto.h\"\n\n"
      "#define STUDY_FEATURES {}\n#define STUDY_NOMINAL_ROWS {}\n#define STUDY_SEALED {} /* reports need a credential "
      "*/\n"
      "#define STUDY_EPSILON UINT64_C({}) /* of one answer, in units of 10^-9 nats */\n"
      "/* The most that the rounds below need: bytes of a report, and of work space where the rows are in memory or "
      "come\n"
      " * from a read hook. Counted for 64 bits; less is enough on 32. */\n"
      "#define STUDY_REPORT_BYTES {}\n#define STUDY_WORK_BYTES {}\n#define STUDY_WORK_BYTES_READ "
      "{}\n\n{}\n{}{}#endif\n",
      analyzer::hex_text(manifest_digest(manifest)), kinds_text(manifest), manifest.features, manifest.nominal_rows,
      manifest.authenticated ? 1 : 0, manifest.epsilon, most.report, most.mapped, most.hooked,
      array_text("study_manifest", study.manifest), rounds, issued);
}

}  // namespace sotto::cli
