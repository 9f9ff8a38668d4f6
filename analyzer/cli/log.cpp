// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <memory>

#include <fmt/format.h>

#include "files.hpp"
#include "log_file.hpp"
#include "say.hpp"
#include "signing_key.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/epsilon.hpp"
#include "talk.hpp"
#include "verb.hpp"

// `sotto log`: shows, verifies and repairs the log of what a fleet was asked.
namespace sotto::cli {
namespace {

using analyzer::AskedEntry;
using analyzer::AskedLog;
using analyzer::Error;
using analyzer::Result;

struct LogOptions {
  std::string file, public_key, head;
  bool json = false;
};

int stop_log(const Error& error, bool json, const Json& beside = Json::object()) {
  return refuse(error, json, error.code.starts_with("io.") ? input_output : refused, beside);
}

Json entry_json(const AskedEntry& entry) {
  return {{"time", entry.time.empty() ? Json(nullptr) : Json(entry.time)},
          {"kind", entry.is_round ? "round" : "manifest"},
          {"name", entry.name},
          {"study", analyzer::hex_text(entry.study)},
          {"unit", entry.unit},
          {"epsilon_nano", entry.epsilon_nano},
          {"delta", entry.delta},
          {"answers", entry.answers},
          {"question", entry.question},
          {"round", entry.is_round ? Json(entry.round) : Json(nullptr)},
          {"digest", analyzer::hex_text(entry.digest)},
          {"hash", analyzer::hex_text(entry.hash)}};
}

Json log_json(const AskedLog& log) {
  Json faults = Json::array(), entries = Json::array();
  for (const analyzer::LogFault& fault : log.faults) faults.push_back({{"line", fault.line}, {"what", fault.what}});
  for (const AskedEntry& entry : log.entries) entries.push_back(entry_json(entry));
  return {{"public_key", analyzer::hex_text(log.key)},
          {"lines", log.lines},
          {"head", analyzer::hex_text(log.head)},
          {"faults", faults},
          {"entries", entries}};
}

Error first_fault(const AskedLog& log, const std::string& file) {
  const analyzer::LogFault& fault = log.faults.front();
  return {log.torn && log.faults.size() == 1 ? "log.torn" : "log.damaged",
          fmt::format("{}:{}: {}", file, fault.line, fault.what),
          log.faults.size() == 1 ? "" : fmt::format("{} lines have faults", log.faults.size()),
          log.torn ? "sotto log repair removes an incomplete last line; then sign its study again"
                   : "put back a copy that verifies; ask who could write this file"};
}

int show(const LogOptions& o) {
  const Result<std::string> text = read_file(o.file);
  if (!text) return stop_log(text.error(), o.json);
  const AskedLog log = analyzer::read_asked_log(text.value());
  if (!o.json) {
    for (const AskedEntry& entry : log.entries) {
      say("{:<20}  {:<9} {}  {}\n", entry.time.empty() ? "-" : entry.time,
          entry.is_round ? fmt::format("round {}", entry.round) : "manifest",
          analyzer::hex_text(std::span(entry.study).first<4>()), entry.name);
      say("{:<20}  asks {}, epsilon {}, delta {}, unit {}, {} answer{} of a device\n", "", entry.question,
          analyzer::nats_text(entry.epsilon_nano), analyzer::delta_text(entry.delta), entry.unit, entry.answers,
          entry.answers == 1 ? "" : "s");
    }
  }
  if (!log.faults.empty()) return stop_log(first_fault(log, o.file), o.json, log_json(log));
  if (o.json) print_json(log_json(log));
  return done;
}

/// Checks that the log contains a head that was recorded earlier. Without such a head, missing lines at the end go
/// unnoticed.
Result<analyzer::Done> check_head(const AskedLog& log, const std::string& head) {
  const auto is_it = [&head](const AskedEntry& entry) { return analyzer::hex_text(entry.hash) == head; };
  if (head.empty() || std::ranges::any_of(log.entries, is_it)) return analyzer::Done{};
  return Error{"log.head_missing", "no line has this hash: the log was truncated before it, or rewritten", head,
               "put back the log that had it; a head is the 64 hexadecimal digits that verify printed"};
}

int verify_log(const LogOptions& o) {
  const Result<std::string> text = read_file(o.file);
  if (!text) return stop_log(text.error(), o.json);
  const AskedLog log = analyzer::read_asked_log(text.value());
  const Json json = log_json(log);
  if (!o.json) {
    for (const analyzer::LogFault& fault : log.faults) say("line {:<6} {}\n", fault.line, fault.what);
  }
  if (!log.faults.empty()) return stop_log(first_fault(log, o.file), o.json, json);
  if (!o.public_key.empty()) {
    const Result<analyzer::IssuerKey> key = load_issuer_key(o.public_key);
    if (!key) return stop_log(key.error(), o.json);
    if (key.value() != log.key) {
      return stop_log({"log.other_key", "this log belongs to another key", analyzer::hex_text(log.key),
                       "ask the owner of the expected key for its log"},
                      o.json, json);
    }
  }
  if (const auto there = check_head(log, o.head); !there) return stop_log(there.error(), o.json, json);
  if (o.json) {
    print_json(json);
    return done;
  }
  say("log         {}: {} entries, each as it was written, in their order\n", o.file, log.entries.size());
  say("by          {}{}\n", analyzer::hex_text(log.key),
      o.public_key.empty() ? ": compare it with the key that you expect (--public-key)" : ": the expected key");
  say("head        {}\n", analyzer::hex_text(log.head));
  if (o.head.empty())
    say("Whether newer lines were cut off cannot be seen: keep the head, and give it next time (--head).\n");
  return done;
}

int repair(const LogOptions& o) {
  const Result<std::size_t> cut = repair_log(o.file);
  if (!cut) return stop_log(cut.error(), o.json);
  if (o.json) {
    print_json({{"file", o.file}, {"cut_bytes", cut.value()}});
  } else if (cut.value() == 0) {
    say("log         {}: its last line is whole, nothing to repair\n", o.file);
  } else {
    say("log         {}: took out {} bytes of a line without an end, kept in {}.torn\n", o.file, cut.value(), o.file);
    say("Sign its study again: what is not in the log yet is put there.\n");
  }
  return done;
}

}  // namespace

void add_log(CLI::App& app, Action& action) {
  CLI::App* verb = app.add_subcommand("log", "what a fleet was asked: show, verify, repair");
  verb->require_subcommand(1);
  const auto add = [verb, &action](const char* name, const char* what, int (*run)(const LogOptions&)) {
    auto o = std::make_shared<LogOptions>();
    CLI::App* sub = verb->add_subcommand(name, what);
    sub->add_option("LOG", o->file, "the log: KEY.log of the signing key")->required();
    sub->add_flag("--json", o->json, "one JSON object on stdout");
    sub->callback([o, run, &action] { action = [o, run] { return run(*o); }; });
    return std::pair{sub, o};
  };
  add("show", "every manifest and round that was signed", show);
  auto [sub, o] = add("verify", "that no line was changed, removed or moved", verify_log);
  sub->add_option("--public-key", o->public_key, "the key that must have signed it: a file, or 64 hexadecimal digits");
  sub->add_option("--head", o->head, "hash of a line that must be there, as an earlier verify printed it");
  add("repair", "remove an incomplete last line that an interrupted writer left", repair);
  verb->footer(
      "sotto sign writes the log. Each line holds the hash of the one before, its own hash, and a signature of that.");
}

}  // namespace sotto::cli
