// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "from_server.hpp"

#include <sys/stat.h>

#include <cstdio>

#include "http_client.hpp"
#include "sotto/wire/round.hpp"
#include "tickets.hpp"

namespace fs = std::filesystem;

namespace {

constexpr const char* k_octets = "application/octet-stream";

std::string hex_of(const sotto::Digest& digest) {
  std::string out;
  for (const std::uint8_t byte : digest) {
    out += "0123456789abcdef"[byte >> 4];
    out += "0123456789abcdef"[byte & 15];
  }
  return out;
}

/// Whether a count of the server's JSON is above 0.
bool counts(const std::string& json, const std::string& reason) {
  const std::string key = "\"" + reason + "\":";
  const std::size_t at = json.find(key);
  return at != std::string::npos && json[at + key.size()] != '0';
}

/// Whether this is the server's JSON about one report.
bool has_count_of_one(const std::string& json) {
  return json.find("\"by_reason\":{") != std::string::npos && json.find("\"count\":1,") != std::string::npos;
}

}  // namespace

std::string json_text(const std::string& json, const std::string& name) {
  const std::string key = "\"" + name + "\":\"";
  const std::size_t at = json.find(key);
  if (at == std::string::npos) return "";
  return json.substr(at + key.size(), json.find('"', at + key.size()) - at - key.size());
}

void keep_manifest(const AgentOptions& options, const std::string& body, const std::string& digest,
                   const std::string& where) {
  const Bytes bytes(body.begin(), body.end());
  sotto::Manifest study;
  const bool is_manifest = sotto::decode_manifest(bytes, study) == sotto::Status::ok;
  if (!is_manifest || digest != hex_of(sotto::manifest_digest(study)))
    throw Unusable(where + ": this is not the study of the digest that the address ends with");
  write_whole(options.home / "manifest.bin", body);
}

bool keep_round(const AgentOptions& options, const std::string& body) {
  const Bytes bytes(body.begin(), body.end());
  sotto::Round round;
  if (sotto::decode_round(bytes, round) != sotto::Status::ok) return false;
  const fs::path path = options.home / "inbox" / ("round-" + std::to_string(round.number) + ".bin");
  // The window of sending counts from the arrival: a round that is there is left alone.
  if (!fs::exists(path) || read_bytes(path) != bytes) write_whole(path, body);
  return true;
}

bool fetch_study(const AgentOptions& options) {
  const fs::path manifest = options.home / "manifest.bin", credential = options.home / "credential";
  fs::create_directories(options.home);
  if (!fs::exists(manifest)) {
    const HttpAnswer answer = http_insist("GET", options.server + "/manifest", "", "", options.tries);
    if (answer.status != 200) throw Unusable(options.server + "/manifest: status " + std::to_string(answer.status));
    keep_manifest(options, answer.body, options.server.substr(options.server.rfind('/') + 1),
                  options.server + "/manifest");
  }
  if (fs::exists(credential) || options.token.empty()) return true;
  if (!options.tickets.empty()) {
    const std::optional<std::string> got = enrol_by_ticket(options);
    if (!got) return false;
    const mode_t umask_before = ::umask(077);
    write_whole(credential, *got);
    ::umask(umask_before);
    fs::remove(options.home / "ticket");
    return true;
  }
  const HttpAnswer answer = http_insist("POST", options.server + "/enroll", "application/json",
                                        "{\"token\": \"" + options.token + "\"}", options.tries);
  if (answer.status != 200)
    throw Unusable(options.server + "/enroll: status " + std::to_string(answer.status) + ", " +
                   json_text(answer.body, "what"));
  const mode_t before = ::umask(077);  // the key is the device's own
  write_whole(credential, json_text(answer.body, "pseudonym") + " " + json_text(answer.body, "key") + "\n");
  ::umask(before);
  return true;
}

bool fetch_round(const AgentOptions& options) {
  const HttpAnswer answer = http_insist("GET", options.server + "/round", "", "", options.tries);
  if (answer.status == 204) return true;
  if (answer.status == 200 && keep_round(options, answer.body)) return true;
  std::fprintf(stderr, "sotto-device: %s/round: status %d; the next start tries again\n", options.server.c_str(),
               answer.status);
  return false;
}

// A proxy or the page of a wireless network answers 200 as well: only who names the fate of this one report has read it.
bool post_report(const AgentOptions& options, const std::string& report) {
  const HttpAnswer answer = http_insist("POST", options.server + "/reports", k_octets, report, options.tries);
  if (answer.status == 202 && counts(answer.body, "stored")) return true;  // a cluster, which judges later
  if (answer.status != 200 || !has_count_of_one(answer.body)) return false;
  if (!counts(answer.body, "accepted") && !counts(answer.body, "duplicate"))
    std::fprintf(stderr, "sotto-device: the server does not count the report: %s\n", answer.body.c_str());
  return true;
}
