// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "forms.hpp"
#include "router.hpp"
#include "sotto/analyzer/ingest/batch.hpp"
#include "sotto/bytes.hpp"
#include "sotto/wire/report.hpp"
#include "status.hpp"

// What devices send: reports and one-time tokens.
namespace sotto::analyzer {
namespace {

/// One report, or the reports of a batch, as a batch; empty where the body is neither.
std::vector<std::uint8_t> batch_of(const std::string& body, const Digest& study) {
  std::vector<std::uint8_t> batch(body.begin(), body.end());
  ReportHeader header;
  if (decode_header(batch, header) == Status::ok && header.study_prefix == load_u32(study.data())) {
    const std::vector<std::uint8_t> report = std::move(batch);
    batch = {};
    if (report.size() <= k_report_bytes_max) append_report(batch, report);
    return batch;
  }
  BatchReader reader(batch);
  while (reader.next()) {
  }
  return reader.torn() ? std::vector<std::uint8_t>() : batch;
}

Reply come_again(const Error& error) {
  return {503, "application/json", error_json(error), {{"Retry-After", "5"}}, {}};
}

}  // namespace

void Router::take_reports(const Request& request, StudyService& service, const Respond& respond) const {
  if (!request.content_type.empty() && !request.content_type.starts_with("application/octet-stream"))
    return respond({415, "text/plain", "reports are application/octet-stream\n", {}, {}});
  std::vector<std::uint8_t> batch = batch_of(request.body, service.digest_bytes());
  const bool is_readable = !batch.empty();
  // What is neither a report nor a batch is counted as one unreadable report.
  if (!is_readable) batch = {0xff, 0xff};
  const bool taken = service.submit(std::move(batch), [respond, is_readable](const Outcome& outcome) {
    if (outcome.error) return respond(come_again(*outcome.error));
    if (outcome.stored > 0)
      return respond(
          {is_readable ? 202u : 400u, "application/json", fmt::format("{{\"stored\":{}}}", outcome.stored), {}, {}});
    respond({is_readable ? 200u : 400u, "application/json", counts_text_json(outcome.counts), {}, {}});
  });
  if (taken) return;
  respond(come_again({"serve.busy", "too many reports wait for the disk; these were not stored", "",
                      "send them again after the time that Retry-After says"}));
}

void Router::enroll(const Request& request, StudyService& service, const Respond& respond) const {
  constexpr std::string_view k_bearer_word = "Bearer ";
  std::string token;
  if (request.authorization.starts_with(k_bearer_word)) {
    token = request.authorization.substr(k_bearer_word.size());
  } else if (const auto field = body_field(request, "token")) {
    token = *field;
  } else {
    token = request.body;
    while (!token.empty() && (token.back() == '\n' || token.back() == '\r')) token.pop_back();
  }
  service.enroll(std::move(token), [this, respond](const Outcome& outcome) {
    if (!outcome.error) {
      const std::size_t space = outcome.text.find(' ');
      const nlohmann::json json = {{"pseudonym", outcome.text.substr(0, space)},
                                   {"key", outcome.text.substr(space + 1)}};
      return respond({200, "application/json", json.dump(), {{"Cache-Control", "no-store"}}, {}});
    }
    const std::string_view code = outcome.error->code;
    if (code.starts_with("io.") || code == "store.busy" || code == "serve.stopping")
      return respond(come_again(*outcome.error));
    if (code == "enroll.unknown_token" && !rights_.note_failure())
      return respond({429, "text/plain", "too many wrong tokens\n", {{"Retry-After", "1"}}, {}});
    respond({code == "enroll.unknown_token" ? 401u : 409u, "application/json", error_json(*outcome.error), {}, {}});
  });
}

}  // namespace sotto::analyzer
