// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include <algorithm>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "forms.hpp"
#include "report_body.hpp"
#include "router.hpp"
#include "status.hpp"

// What devices send: reports and one-time tokens.
namespace sotto::analyzer {
namespace {

/// What a request to enrol brings.
Enrolment enrolment_of(const Request& request) {
  constexpr std::string_view k_bearer_word = "Bearer ";
  Enrolment with;
  if (const auto ticket = body_field(request, "ticket")) {
    const std::vector<std::uint8_t> bytes = bytes_of_hex(*ticket);
    with.ticket.emplace();
    if (bytes.size() == with.ticket->size()) {
      std::ranges::copy(bytes, with.ticket->begin());
      with.signature = bytes_of_hex(body_field(request, "signature").value_or(""));
    }
  } else if (request.authorization.starts_with(k_bearer_word)) {
    with.token = request.authorization.substr(k_bearer_word.size());
  } else if (const auto field = body_field(request, "token")) {
    with.token = *field;
  } else {
    with.token = request.body;
    while (!with.token.empty() && (with.token.back() == '\n' || with.token.back() == '\r')) with.token.pop_back();
  }
  return with;
}

Reply come_again(const Error& error) {
  return {503, "application/json", error_json(error), {{"Retry-After", "5"}}, {}};
}

}  // namespace

void Router::take_reports(const Request& request, StudyService& service, const Respond& respond) const {
  if (!request.content_type.empty() && !request.content_type.starts_with("application/octet-stream"))
    return respond({415, "text/plain", "reports are application/octet-stream\n", {}, {}});
  std::vector<std::uint8_t> body(request.body.begin(), request.body.end());
  const bool taken = take_body(service, std::move(body), [respond](bool is_readable, const Outcome& outcome) {
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
  service.enroll(enrolment_of(request), [this, respond](const Outcome& outcome) {
    if (!outcome.error) {
      const std::size_t space = outcome.text.find(' ');
      const nlohmann::json json = {{"pseudonym", outcome.text.substr(0, space)},
                                   {"key", outcome.text.substr(space + 1)}};
      return respond({200, "application/json", json.dump(), {{"Cache-Control", "no-store"}}, {}});
    }
    const std::string_view code = outcome.error->code;
    if (code.starts_with("io.") || code == "store.busy" || code == "serve.stopping")
      return respond(come_again(*outcome.error));
    const bool is_wrong = code == "enroll.unknown_token" || code == "enroll.bad_ticket";
    if (is_wrong && !rights_.note_failure())
      return respond({429, "text/plain", "too many wrong tokens\n", {{"Retry-After", "1"}}, {}});
    respond({is_wrong ? 401u : 409u, "application/json", error_json(*outcome.error), {}, {}});
  });
}

}  // namespace sotto::analyzer
