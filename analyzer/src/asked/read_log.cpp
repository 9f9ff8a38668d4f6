// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "line_text.hpp"
#include "sotto/analyzer/channel/describe.hpp"

// Reads and checks a log line by line.
namespace sotto::analyzer {
namespace {

/// The longest line that is read: a manifest of 64 KiB in hexadecimal, and its fields.
constexpr std::size_t k_line_max_bytes = 3 * 65536;

template <std::size_t n>
bool read_hex(const LogJson& json, const char* field, std::array<std::uint8_t, n>& out) {
  const auto found = json.find(field);
  if (found == json.end() || !found->is_string()) return false;
  const auto bytes = unhex(found->get_ref<const std::string&>());
  if (!bytes || bytes->size() != n) return false;
  std::ranges::copy(*bytes, out.begin());
  return true;
}

bool read_text(const LogJson& json, const char* field, std::string& out) {
  const auto found = json.find(field);
  if (found == json.end() || !found->is_string()) return false;
  out = found->get<std::string>();
  return true;
}

bool is_time(const std::string& text) {
  constexpr std::string_view k_form = "dddd-dd-ddTdd:dd:ddZ";
  return text.size() == k_form.size() && std::equal(text.begin(), text.end(), k_form.begin(), [](char c, char form) {
           return form == 'd' ? c >= '0' && c <= '9' : c == form;
         });
}

class LogReader {
 public:
  explicit LogReader(AskedLog& log) : log_(log) {}

  /// Reads one line, given without its line feed.
  void line(std::string_view text) {
    ++log_.lines;
    if (log_.lines == 1) return first(text);
    if (!trusted_) return;  // without a key no later line can be checked
    const std::string fault = entry(text);
    if (!fault.empty()) log_.faults.push_back({log_.lines, fault});
  }

 private:
  void first(std::string_view text) {
    const LogJson json = LogJson::parse(text.substr(0, k_line_max_bytes), nullptr, false);
    trusted_ = json.is_object() && read_hex(json, "public_key", log_.key) &&
               first_log_line(log_.key) == std::string(text) + "\n";
    if (!trusted_)
      log_.faults.push_back({1, "this is not the first line of a log: it names no key in the required form"});
    log_.head = line_hash(text);
  }

  /// The defect of a line, or an empty text.
  std::string entry(std::string_view text) {
    if (text.size() > k_line_max_bytes) return "no line of a log is that long";
    const LogJson json = LogJson::parse(text, nullptr, false);
    Digest previous{}, hash{};
    Signature seal{}, signature{};
    std::string body_text, name, time, kind;
    if (!json.is_object() || !read_hex(json, "previous", previous) || !read_hex(json, "hash", hash) ||
        !read_hex(json, "seal", seal) || !read_hex(json, "signature", signature) ||
        !read_text(json, "body", body_text) || !read_text(json, "name", name) || !read_text(json, "kind", kind))
      return "it was changed: this is not an entry of a log";
    const bool has_time = read_text(json, "time", time);
    const bool follows = previous == log_.head;
    log_.head = hash;  // the next line must follow this hash even if this line has a defect
    const std::size_t hashed = text.rfind(R"(,"hash":")");
    if (hashed == std::string_view::npos || line_hash(text.substr(0, hashed)) != hash)
      return "it was changed: its hash differs";
    if (!signature_holds(log_.key, sealed_text(hash), seal)) return "its hash is not signed by the log's key";
    if (!follows) return "it does not follow the line before it: lines between them are missing, or stand elsewhere";
    const auto body = unhex(body_text);
    if (!body || (has_time && !is_time(time))) return "its body or its time is not written as a log writes it";
    Result<AskedEntry> asked = asked_entry(*body, manifest_for(*body));
    if (!asked) return fmt::format("it asks nothing: {}", asked.error().message());
    AskedEntry& made = asked.value();
    made.name = name;
    made.time = time;
    made.signature = signature;
    made.hash = hash;
    if (finished_line(hashed_text(made, log_.lines, previous), hash, seal) != std::string(text) + "\n")
      return "it says something else than its body";
    if (!signature_holds(log_.key, made.body, signature))
      return "the signature is not one of its body by the log's key";
    const Result<bool> before = already_asked(log_, made);
    if (!before) return before.error().message();
    if (before.value()) return "the same was asked in a line before";
    if (!made.is_round) manifests_[made.study] = made.body;
    log_.entries.push_back(std::move(made));
    return {};
  }

  /// The manifest of the study that a round names, from an earlier line; empty if there is none, which no decoder
  /// accepts.
  std::span<const std::uint8_t> manifest_for(std::span<const std::uint8_t> body) const {
    Round round;
    if (decode_round(body, round) != Status::ok) return {};
    const auto found = manifests_.find(round.study);
    return found == manifests_.end() ? std::span<const std::uint8_t>{} : found->second;
  }

  AskedLog& log_;
  std::map<Digest, std::vector<std::uint8_t>> manifests_;
  bool trusted_ = false;
};

}  // namespace

AskedLog read_asked_log(std::string_view text) {
  AskedLog log;
  LogReader reader(log);
  while (!text.empty()) {
    const std::size_t end = text.find('\n');
    if (end == std::string_view::npos) {
      log.torn = true;
      log.faults.push_back({log.lines + 1, "it is cut off: the writer was interrupted, or the file was cut"});
      return log;
    }
    reader.line(text.substr(0, end));
    log.whole_bytes += end + 1;
    text.remove_prefix(end + 1);
  }
  if (log.lines == 0) log.faults.push_back({1, "the file is empty: the line that names the key is missing"});
  return log;
}

}  // namespace sotto::analyzer
