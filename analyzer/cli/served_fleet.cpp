// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "served_fleet.hpp"

#include <atomic>
#include <charconv>
#include <chrono>
#include <mutex>
#include <random>
#include <thread>

#include <fmt/format.h>

#include "json.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/channel/wire_objects.hpp"
#include "sotto/analyzer/ingest/batch.hpp"

namespace sotto::cli {

using analyzer::Done;
using analyzer::Error;
using analyzer::Result;

namespace {

constexpr int k_tries = 10;
constexpr double k_first_pause = 0.05, k_longest_pause = 5;

bool must_be_sent_again(unsigned status) { return status == 0 || status == 429 || status >= 500; }

/// Hexadecimal digits of a credential; false for anything else.
bool read_credential(const Json& json, sotto::Credential& out) {
  const auto text = [&json](const char* field) {
    const auto at = json.find(field);
    return at != json.end() && at->is_string() ? at->get<std::string>() : std::string();
  };
  const std::string name = text("pseudonym"), key = text("key");
  if (name.size() != 16 || key.size() != 2 * out.key.size()) return false;
  const auto digits = [](const char* at, const char* end, auto& value) {
    const auto [stop, status] = std::from_chars(at, end, value, 16);
    return status == std::errc() && stop == end;
  };
  bool is_good = digits(name.data(), name.data() + name.size(), out.pseudonym);
  for (std::size_t i = 0; i < out.key.size(); ++i)
    is_good = is_good && digits(key.data() + 2 * i, key.data() + 2 * i + 2, out.key[i]);
  return is_good;
}

/// How often this reason is named for the one report that was sent: 0 or 1; nothing if the reply is no such count.
std::optional<std::uint64_t> count_of(const Json& reasons, const char* reason) {
  const auto at = reasons.find(reason);
  if (at == reasons.end()) return 0;
  if (!at->is_number_unsigned() || at->get<std::uint64_t>() > 1) return std::nullopt;
  return at->get<std::uint64_t>();
}

}  // namespace

void Posted::add(Posted&& more) {
  reports += more.reports;
  accepted += more.accepted;
  duplicates += more.duplicates;
  refused += more.refused;
  stored += more.stored;
  sent_again += more.sent_again;
  seconds.insert(seconds.end(), more.seconds.begin(), more.seconds.end());
}

Error ServedFleet::no_answer(std::string_view what, unsigned status) const {
  return {"fleet.no_answer", fmt::format("the server does not answer with {}", what),
          status == 0 ? fmt::format("{}:{}: no connection", address_.host, address_.port)
                      : fmt::format("{}:{}: status {}", address_.host, address_.port, status),
          "start sotto serve, and name the address that it prints"};
}

/// A pause grows and differs from device to device, so that a server that comes back is not met by all at once.
HttpReply ServedFleet::insist(HttpLine& line, std::string_view method, std::string_view what, std::string_view body,
                              std::uint64_t& again) const {
  const std::string path = fmt::format("{}/{}", address_.path, what);
  double pause = k_first_pause;
  for (int i = 1;; ++i) {
    HttpReply reply = line.ask(method, path, body);
    if (!must_be_sent_again(reply.status) || i == k_tries) return reply;
    ++again;
    thread_local std::minstd_rand draw{std::random_device{}()};
    const double share = std::uniform_real_distribution<>(0.5, 1.5)(draw);
    std::this_thread::sleep_for(std::chrono::duration<double>(pause * share));
    pause = std::min(2 * pause, k_longest_pause);
  }
}

Result<std::vector<std::uint8_t>> ServedFleet::manifest() const {
  HttpLine own = line();
  std::uint64_t again = 0;
  const HttpReply reply = insist(own, "GET", "manifest", {}, again);
  if (reply.status != 200) return no_answer("the manifest", reply.status);
  std::vector<std::uint8_t> bytes(reply.body.begin(), reply.body.end());
  const Result<Manifest> read = analyzer::read_manifest(bytes, "the served manifest");
  if (!read) return read.error();
  if (const std::string digest = analyzer::hex_text(manifest_digest(read.value())); digest != address_.digest())
    return Error{"fleet.other_study", "the manifest is not that of the address", digest, "name the study's own digest"};
  return bytes;
}

Result<std::optional<std::vector<std::uint8_t>>> ServedFleet::round() const {
  HttpLine own = line();
  std::uint64_t again = 0;
  const HttpReply reply = insist(own, "GET", "round", {}, again);
  if (reply.status == 204) return std::optional<std::vector<std::uint8_t>>{};
  if (reply.status != 200) return no_answer("a round", reply.status);
  return std::optional(std::vector<std::uint8_t>(reply.body.begin(), reply.body.end()));
}

/// Runs `work` on as many threads as there are connections, until each is done or one refuses.
template <class Work>
Result<Done> ServedFleet::on_all_lines(const Work& work) const {
  std::mutex lock;
  std::optional<Error> refused;
  {
    std::vector<std::jthread> threads;
    for (std::uint32_t i = 0; i < lines_; ++i) {
      threads.emplace_back([&] {
        HttpLine own = line();
        const Result<Done> done = work(own, lock);
        const std::lock_guard hold(lock);
        if (!done && !refused) refused = done.error();
      });
    }
  }
  if (refused) return *refused;
  return Done{};
}

Result<std::vector<sotto::Credential>> ServedFleet::enrol(const std::vector<std::string>& tokens) const {
  std::vector<sotto::Credential> out(tokens.size());
  std::atomic<std::size_t> next = 0;
  const auto enrolled = on_all_lines([&](HttpLine& line, std::mutex&) -> Result<Done> {
    for (;;) {
      const std::size_t i = next++;
      if (i >= tokens.size()) return Done{};
      // Asked once: a token whose answer was lost is used up.
      const HttpReply reply = line.ask("POST", address_.path + "/enroll", tokens[i]);
      const Json json = Json::parse(reply.body, nullptr, false);
      if (reply.status == 200 && json.is_object() && read_credential(json, out[i])) continue;
      next = tokens.size();
      if (reply.status == 0) return no_answer("a credential", reply.status);
      return Error{"fleet.not_enrolled", "the server gives no credential for a token",
                   fmt::format("token {}: status {}", i + 1, reply.status),
                   "draw tokens with sotto tokens, for this study"};
    }
  });
  if (!enrolled) return enrolled.error();
  return out;
}

Result<Posted> ServedFleet::answer(const analyzer::SessionFleet& fleet, const std::vector<std::uint8_t>& round) const {
  Posted sum;
  std::atomic<std::uint64_t> next = 0;
  const auto answered = on_all_lines([&](HttpLine& line, std::mutex& lock) -> Result<Done> {
    analyzer::SessionFleet::Player player(fleet);
    Posted own;
    const auto stop = [&](Error error) -> Result<Done> {
      next = fleet.devices();
      return error;
    };
    std::vector<std::uint8_t> batch;
    for (;;) {
      const std::uint64_t device = next++;
      if (device >= fleet.devices()) break;
      batch.clear();
      if (const auto done = player.answer(round, device, device + 1, batch); !done) return stop(done.error());
      analyzer::BatchReader reader(batch);
      const auto report = reader.next();
      if (!report) continue;  // the round asks another cohort
      const std::string_view body(reinterpret_cast<const char*>(report->data()), report->size());
      const auto begin = std::chrono::steady_clock::now();
      const HttpReply reply = insist(line, "POST", "reports", body, own.sent_again);
      if (reply.status != 200 && reply.status != 202) return stop(no_answer("an acknowledgement", reply.status));
      own.seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
      const Json json = Json::parse(reply.body, nullptr, false);
      if (reply.status == 202) {  // a cluster stores, and judges later
        const auto stored = json.is_object() ? json.find("stored") : json.end();
        if (!json.is_object() || stored == json.end() || *stored != 1)
          return stop(no_answer("an acknowledgement of one report", reply.status));
        ++own.reports;
        ++own.stored;
        continue;
      }
      if (!json.is_object() || !json.contains("by_reason") || !json["by_reason"].is_object())
        return stop(no_answer("an acknowledgement", reply.status));
      const std::optional<std::uint64_t> accepted = count_of(json["by_reason"], "accepted"),
                                         duplicates = count_of(json["by_reason"], "duplicate");
      if (!accepted || !duplicates || *accepted + *duplicates > 1)
        return stop(no_answer("an acknowledgement of one report", reply.status));
      ++own.reports;
      own.accepted += *accepted;
      own.duplicates += *duplicates;
      own.refused += 1 - *accepted - *duplicates;
    }
    const std::lock_guard hold(lock);
    sum.add(std::move(own));
    return Done{};
  });
  if (!answered) return answered.error();
  return sum;
}

}  // namespace sotto::cli
