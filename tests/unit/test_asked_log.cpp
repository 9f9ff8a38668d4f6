// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// The log of what a fleet was asked: whatever is done to it is seen, and named with its line.
#include "sotto/analyzer/asked/asked_log.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/compile/compile.hpp"
#include "sotto/analyzer/compile/read_study.hpp"

namespace sotto::analyzer {
namespace {

using Bytes = std::vector<std::uint8_t>;

SigningKey key_of(std::uint8_t first) { return SigningKey(SecretSeed{first}); }

CompiledStudy compiled(std::uint64_t seed) {
  const Result<Study> study =
      read_study("name = \"pumps\"\n[privacy]\nepsilon = 1.0\n[question]\nkind = \"vote\"\nfeatures = 4\n", "test");
  return compile_study(study.value(), repeatable_seed(seed)).value();
}

/// A writer that signs whatever it is given.
struct Writer {
  SigningKey key = key_of(1);
  std::string text = first_log_line(key.public_key());

  AskedEntry entry(const Bytes& body, const Bytes& manifest, const std::string& name = "pumps\x1b[2J \xc3\xa9") const {
    AskedEntry made = asked_entry(body, manifest).value();
    made.name = name;
    made.time = made.is_round ? "" : "2026-11-17T22:30:00Z";
    made.signature = key.sign(body);
    return made;
  }
  void put(AskedEntry made) {
    const AskedLog log = read_asked_log(text);
    text += log_line(made, log.lines, log.head, key);
  }
};

/// Studies with a round each, behind the line that names the key.
std::string log_of(std::uint64_t studies) {
  Writer writer;
  for (std::uint64_t seed = 1; seed <= studies; ++seed) {
    const CompiledStudy study = compiled(seed);
    writer.put(writer.entry(study.manifest, {}));
    writer.put(writer.entry(study.round, study.manifest));
  }
  return writer.text;
}

std::string five_lines() { return log_of(2); }

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    out.push_back(text.substr(at, end - at));
    at = end;
  }
  return out;
}

std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line;
  return out;
}

TEST(AskedLog, says_what_was_asked_and_by_whom) {
  const AskedLog log = read_asked_log(five_lines());
  EXPECT_TRUE(log.faults.empty());
  EXPECT_EQ(log.key, key_of(1).public_key());
  ASSERT_EQ(log.entries.size(), 4u);
  EXPECT_EQ(log.lines, 5u);
  EXPECT_EQ(log.head, log.entries.back().hash);
  const AskedEntry &manifest = log.entries[0], &round = log.entries[1];
  EXPECT_EQ(manifest.epsilon_nano, 1'000'000'000u);
  EXPECT_EQ(manifest.unit, "installation");
  EXPECT_EQ(manifest.question, "vote");
  EXPECT_EQ(round.round, 1u);
  EXPECT_EQ(round.study, manifest.digest);
  EXPECT_EQ(round.epsilon_nano, manifest.epsilon_nano);
  EXPECT_EQ(round.name, "pumps\x1b[2J \xc3\xa9");
  for (const char c : five_lines()) EXPECT_TRUE(c == '\n' || (c >= 32 && c < 127));  // nothing a terminal acts on
}

TEST(AskedLog, every_changed_byte_is_refused) {
  const std::string text = log_of(1);
  const std::size_t last_line = text.rfind('\n', text.size() - 2) + 1;
  for (std::size_t i = 0; i < text.size(); ++i) {
    for (const int flip : {1, 0x20, 0x80}) {
      std::string changed = text;
      changed[i] = static_cast<char>(changed[i] ^ flip);
      const AskedLog log = read_asked_log(changed);
      ASSERT_FALSE(log.faults.empty()) << "byte " << i << " with " << flip;
      // The line is named; what is before it stands.
      const std::size_t line = 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, i), '\n'));
      ASSERT_EQ(log.faults.front().line, line == 1 && log.faults.front().line != 1 ? 2 : line) << i;
      if (i >= last_line) {
        ASSERT_EQ(log.entries.size(), 1u) << i;
      }
    }
  }
}

TEST(AskedLog, every_missing_byte_is_refused_and_only_whole_lines_can_go_at_the_end) {
  const std::string text = five_lines();
  for (std::size_t i = 0; i < text.size(); i += 7) {
    std::string shorter = text;
    shorter.erase(i, 1);
    ASSERT_FALSE(read_asked_log(shorter).faults.empty()) << i;
  }
  for (std::size_t size = 1; size < text.size(); ++size) {
    const AskedLog log = read_asked_log(std::string_view(text).substr(0, size));
    ASSERT_EQ(log.torn, text[size - 1] != '\n') << size;
    ASSERT_EQ(log.faults.empty(), !log.torn) << size;
    ASSERT_LE(log.whole_bytes, size);
  }
  EXPECT_FALSE(read_asked_log("").faults.empty());
}

TEST(AskedLog, removed_repeated_and_moved_lines_are_named) {
  const std::vector<std::string> lines = lines_of(five_lines());
  for (std::size_t i = 1; i + 1 < lines.size(); ++i) {
    std::vector<std::string> fewer = lines, twice = lines, moved = lines;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    twice.insert(twice.begin() + static_cast<std::ptrdiff_t>(i), lines[i]);
    std::swap(moved[i], moved[i + 1]);
    EXPECT_EQ(read_asked_log(joined(fewer)).faults.at(0).line, i + 1);
    EXPECT_EQ(read_asked_log(joined(twice)).faults.at(0).line, i + 2);
    EXPECT_EQ(read_asked_log(joined(moved)).faults.at(0).line, i + 1);
  }
}

/// Two continuations of one log, both by its owner: a line of one behind a line of the other has the right number and the wrong past.
TEST(AskedLog, lines_of_two_continuations_do_not_fit) {
  Writer one, two;
  for (const std::uint64_t seed : {1, 2, 3}) one.put(one.entry(compiled(seed).manifest, {}));
  for (const std::uint64_t seed : {1, 4, 5}) two.put(two.entry(compiled(seed).manifest, {}));
  const std::vector<std::string> first = lines_of(one.text), second = lines_of(two.text);
  EXPECT_EQ(first[1], second[1]);
  EXPECT_TRUE(read_asked_log(joined({first[0], first[1], second[2]})).faults.empty());
  const AskedLog spliced = read_asked_log(joined({first[0], first[1], first[2], second[3]}));
  ASSERT_EQ(spliced.faults.size(), 1u);
  EXPECT_EQ(spliced.faults[0].line, 4u);
  EXPECT_NE(spliced.faults[0].what.find("does not follow"), std::string::npos);
}

/// Whoever can write the file but has no key can make every hash fit; the signatures he cannot.
TEST(AskedLog, another_key_cannot_continue_or_rewrite_it) {
  Writer other;
  other.key = key_of(2);
  other.text = lines_of(five_lines())[0] + lines_of(five_lines())[1];
  const CompiledStudy study = compiled(3);
  other.put(other.entry(study.manifest, {}));
  const AskedLog log = read_asked_log(other.text);
  ASSERT_EQ(log.faults.size(), 1u);
  EXPECT_EQ(log.faults[0].line, 3u);
  EXPECT_NE(log.faults[0].what.find("not signed by the log's key"), std::string::npos);
}

TEST(AskedLog, an_owner_who_lies_is_named_too) {
  const CompiledStudy study = compiled(1), other = compiled(2);
  const auto fault_of = [](Writer& writer, AskedEntry entry) {
    writer.put(std::move(entry));
    const AskedLog log = read_asked_log(writer.text);
    return log.faults.empty() ? std::string() : log.faults[0].what;
  };
  Writer less;  // an epsilon that is not the body's
  AskedEntry small = less.entry(study.manifest, {});
  small.epsilon_nano = 1;
  EXPECT_NE(fault_of(less, small).find("something else than its body"), std::string::npos);
  Writer unsigned_one;
  AskedEntry bare = unsigned_one.entry(study.manifest, {});
  bare.signature = {};
  EXPECT_NE(fault_of(unsigned_one, bare).find("not one of its body"), std::string::npos);
  Writer no_study;  // a round of a study that is not in the log
  EXPECT_FALSE(fault_of(no_study, no_study.entry(study.round, study.manifest)).empty());
  Writer twice;
  twice.put(twice.entry(study.manifest, {}));
  EXPECT_NE(fault_of(twice, twice.entry(study.manifest, {})).find("asked in a line before"), std::string::npos);
  Writer timed;
  AskedEntry late = timed.entry(study.manifest, {});
  late.time = "yesterday";
  EXPECT_NE(fault_of(timed, late).find("time"), std::string::npos);
}

TEST(AskedLog, one_number_for_two_rounds_is_refused) {
  const CompiledStudy study = compiled(1);
  Writer writer;
  writer.put(writer.entry(study.manifest, {}));
  writer.put(writer.entry(study.round, study.manifest));
  Bytes other = study.round;
  other[60] = static_cast<std::uint8_t>(other[60] ^ 1);  // a parameter: still a round
  const AskedEntry again = writer.entry(other, study.manifest);
  const Result<bool> known = already_asked(read_asked_log(writer.text), again);
  ASSERT_FALSE(known);
  EXPECT_EQ(known.error().code, "log.asked_otherwise");
  writer.put(again);
  EXPECT_EQ(read_asked_log(writer.text).faults.at(0).line, 4u);
  EXPECT_TRUE(already_asked(read_asked_log(writer.text), writer.entry(study.round, study.manifest)).value());
}

TEST(AskedLog, a_foreign_round_and_other_bytes_are_no_entry) {
  const CompiledStudy study = compiled(1), other = compiled(2);
  EXPECT_EQ(asked_entry(study.round, other.manifest).error().code, "log.foreign_round");
  EXPECT_FALSE(asked_entry(Bytes{1, 2, 3}, {}));
  EXPECT_FALSE(asked_entry({}, {}));
}

TEST(SigningKey, signs_the_body_and_the_trailer_leaves_the_digest_alone) {
  const CompiledStudy study = compiled(1);
  const SigningKey key = key_of(9);
  const Bytes with = with_trailer(study.manifest, key.sign(study.manifest));
  const Result<Manifest> before = read_manifest(study.manifest, "a"), after = read_manifest(with, "b");
  ASSERT_TRUE(after);
  EXPECT_EQ(manifest_digest(before.value()), manifest_digest(after.value()));
  EXPECT_TRUE(signature_holds(key.public_key(), after.value().bytes.body, after.value().bytes.signature));
  EXPECT_FALSE(signature_holds(key_of(8).public_key(), after.value().bytes.body, after.value().bytes.signature));
  EXPECT_FALSE(signature_holds(key.public_key(), after.value().bytes.body, {}));
}

}  // namespace
}  // namespace sotto::analyzer
