// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "router.hpp"

#include <charconv>

#include <fmt/format.h>

#include "forms.hpp"
#include "live_charts.hpp"
#include "over_mqtt.hpp"
#include "pages.hpp"
#include "sotto/analyzer/html/page.hpp"
#include "status.hpp"

namespace sotto::analyzer {
namespace {

constexpr std::string_view k_studies_path = "/v1/studies/", k_pages_path = "/studies/";

Reply plain(unsigned status, std::string text) { return {status, "text/plain", std::move(text) + "\n", {}, {}}; }

Reply not_found() { return plain(404, "there is no such page or study"); }

Reply wrong_method(std::string allowed) {
  Reply reply = plain(405, "this address takes " + allowed);
  reply.headers.emplace_back("Allow", std::move(allowed));
  return reply;
}

Reply page(std::string text, std::string_view policy = k_live_policy, unsigned status = 200) {
  return {
      status,
      "text/html; charset=utf-8",
      std::move(text),
      {{"Content-Security-Policy", std::string(policy)}, {"Cache-Control", "no-store"}, {"X-Frame-Options", "DENY"}},
      {}};
}

Reply moved(std::string where) {
  return {303, "text/plain", "", {{"Location", std::move(where)}, {"Cache-Control", "no-store"}}, {}};
}

Reply private_json(std::string text) {
  return {200, "application/json", std::move(text), {{"Cache-Control", "no-store"}}, {}};
}

}  // namespace

StudyService* Router::service(std::string_view digest) const {
  for (const auto& own : services_) {
    const std::string_view name = own->digest();
    if (digest == name || (digest.size() == 16 && digest == name.substr(0, 16))) return own.get();
  }
  return nullptr;
}

void Router::handle(const Request& request, const Respond& respond) const {
  const std::string_view path = request.path;
  if (path.starts_with(k_studies_path)) {
    const std::string_view rest = path.substr(k_studies_path.size());
    const std::size_t slash = rest.find('/');
    StudyService* const own = slash == std::string_view::npos ? nullptr : service(rest.substr(0, slash));
    if (own == nullptr) return respond(not_found());
    return study(request, *own, rest.substr(slash + 1), respond);
  }
  if (path == "/login" && request.method == "POST") return respond(login(request));
  if (path == "/logout") {
    if (request.method != "POST") return respond(wrong_method("POST"));
    if (!rights_.may_change(request, body_field(request, "csrf").value_or(""))) return respond(not_the_operator());
    rights_.logout(request);
    Reply reply = moved("/");
    reply.headers.emplace_back("Set-Cookie", rights_.ended_cookie());
    return respond(reply);
  }
  respond(own_page(request));
}

Reply Router::own_page(const Request& request) const {
  const std::string_view path = request.path;
  const bool is_known = path == "/healthz" || path == "/live.js" || path == "/style.css" || path == "/metrics" ||
                        path == "/" || path == "/login" || path.starts_with(k_pages_path);
  if (!is_known) return not_found();
  if (request.method != "GET") return wrong_method(path == "/login" ? "GET, POST" : "GET");
  if (path == "/healthz") return plain(200, "ok");
  if (path == "/live.js") return {200, "text/javascript; charset=utf-8", std::string(live_script()), {}, {}};
  if (path == "/style.css")
    return {200, "text/css; charset=utf-8", std::string(html::style_sheet()) + std::string(live_style()), {}, {}};
  if (path == "/login") return page(login_page(false));
  if (rights_.proof(request) == Rights::Proof::none)
    return path == "/metrics" ? not_the_operator() : page(login_page(false), k_live_policy, 401);
  if (path == "/metrics") {
    const std::string gateway = gateway_ == nullptr ? "" : mqtt_metrics(gateway_->counts());
    return {200, "text/plain; version=0.0.4", metrics_text(services_, counts_) + gateway, {}, {}};
  }
  if (path == "/") return page(studies_page(services_, rights_.form_secret(request)));
  return page_of(request, path.substr(k_pages_path.size()));
}

Reply Router::page_of(const Request& request, std::string_view rest) const {
  const std::size_t slash = rest.find('/');
  const StudyService* const own = service(rest.substr(0, slash));
  if (own == nullptr) return not_found();
  if (slash == std::string_view::npos) return page(study_page(*own, rights_.form_secret(request)));
  const std::shared_ptr<const StudyView> view = own->view();
  if (rest.substr(slash + 1) != "model" || !view->page) return not_found();
  return page(*view->page, k_model_policy);
}

Reply Router::not_the_operator() const {
  if (!rights_.note_failure()) {
    Reply reply = plain(429, "too many wrong tokens");
    reply.headers.emplace_back("Retry-After", "1");
    return reply;
  }
  Reply reply = plain(401, "this is for the operator: send Authorization: Bearer TOKEN, or log in");
  reply.headers.emplace_back("WWW-Authenticate", "Bearer");
  return reply;
}

Reply Router::login(const Request& request) const {
  const std::optional<std::string> cookie = rights_.login(body_field(request, "token").value_or(""));
  if (!cookie) return rights_.note_failure() ? page(login_page(true), k_live_policy, 401) : not_the_operator();
  Reply reply = moved("/");
  reply.headers.emplace_back("Set-Cookie", *cookie);
  return reply;
}

void Router::study(const Request& request, StudyService& service, std::string_view what, const Respond& respond) const {
  const bool is_get = request.method == "GET", is_post = request.method == "POST";
  if (what == "reports") return is_post ? take_reports(request, service, respond) : respond(wrong_method("POST"));
  if (what == "enroll") return is_post ? enroll(request, service, respond) : respond(wrong_method("POST"));
  if (what == "ticket-key") {
    if (!is_get) return respond(wrong_method("GET"));
    return respond(service.ticket_key().empty()
                       ? not_found()
                       : Reply{200, "application/x-pem-file", std::string(service.ticket_key()), {}, {}});
  }
  if (what == "manifest" || what == "round")
    return respond(is_get ? shown(request, service, what) : wrong_method("GET"));
  const bool is_shown = what == "status" || what == "events" || what == "model";
  const bool is_order = what == "close" || what == "extend" || what == "abandon";
  const bool is_name = what.starts_with("pseudonyms/");
  if (!is_shown && !is_order && !is_name) return respond(not_found());
  if (is_shown && !is_get) return respond(wrong_method("GET"));
  if (is_order && !is_post) return respond(wrong_method("POST"));
  if (is_name && request.method != "DELETE") return respond(wrong_method("DELETE"));
  if (is_shown) {
    if (rights_.proof(request) == Rights::Proof::none) return respond(not_the_operator());
    return respond(shown(request, service, what));
  }
  if (!rights_.may_change(request, body_field(request, "csrf").value_or(""))) return respond(not_the_operator());
  change(request, service, what, respond);
}

Reply Router::shown(const Request& request, const StudyService& service, std::string_view what) const {
  const std::shared_ptr<const StudyView> view = service.view();
  if (what == "status") return private_json(status_json(service));
  if (what == "model") return view->model ? private_json(*view->model) : plain(404, "the model is not ready");
  if (what == "events") {
    Reply reply;
    reply.events = [&service] { return fmt::format("data: {}\n\n", status_json(service)); };
    return reply;
  }
  const bool is_round = what == "round";
  if (is_round && !view->round) return {204, "", "", {{"Cache-Control", "no-cache"}}, {}};
  const std::vector<std::uint8_t>& bytes = is_round ? *view->round : service.manifest();
  const std::string tag = fmt::format("\"{}\"", is_round ? view->round_tag : service.digest());
  Reply reply{200, "application/octet-stream", std::string(bytes.begin(), bytes.end()), {}, {}};
  if (request.if_none_match == tag || request.if_none_match == "*") {
    reply.status = 304;
    reply.body.clear();
  }
  reply.headers = {{"ETag", tag}, {"Cache-Control", is_round ? "public, no-cache" : "public, max-age=86400"}};
  return reply;
}

void Router::change(const Request& request, StudyService& service, std::string_view what,
                    const Respond& respond) const {
  const bool wants_page = is_form(request) && rights_.proof(request) == Rights::Proof::cookie;
  const std::string back = std::string(k_pages_path) + service.digest();
  const Answer answer = [respond, wants_page, back, &service](const Outcome& outcome) {
    if (!outcome.error) return respond(wants_page ? moved(back) : private_json(status_json(service)));
    const std::string_view code = outcome.error->code;
    const unsigned status =
        code == "store.no_pseudonym"                                                                              ? 404
        : code.starts_with("io.") || code.starts_with("log.") || code == "store.busy" || code == "serve.stopping" ? 503
                                                                                                                  : 409;
    Reply reply{status, "application/json", error_json(*outcome.error), {}, {}};
    if (status == 503) reply.headers.emplace_back("Retry-After", "5");
    respond(reply);
  };
  const auto number = [](std::string_view text, int base, std::uint64_t& out) {
    const auto [end, status] = std::from_chars(text.data(), text.data() + text.size(), out, base);
    return status == std::errc() && end == text.data() + text.size();
  };
  std::uint64_t value = 0;
  if (what == "close") return service.close(answer);
  if (what == "abandon") return service.abandon(answer);
  if (what == "extend") {
    constexpr std::uint64_t k_seconds_max = std::uint64_t{10} * 365 * 86400;
    const std::string seconds = body_field(request, "seconds").value_or("");
    if (!number(seconds, 10, value) || value < 1 || value > k_seconds_max)
      return respond(plain(400, "say by how much, such as {\"seconds\": 3600}"));
    return service.extend(value, answer);
  }
  const std::string_view name = what.substr(what.find('/') + 1);
  if (name.size() != 16 || !number(name, 16, value))
    return respond(plain(400, "a pseudonym has 16 hexadecimal digits"));
  service.forget(value, answer);
}

}  // namespace sotto::analyzer
