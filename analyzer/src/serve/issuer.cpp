// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/serve/issuer.hpp"

#include <mutex>

#include <nlohmann/json.hpp>

#include "clock.hpp"
#include "failure_limit.hpp"
#include "forms.hpp"
#include "http_server.hpp"
#include "sotto/analyzer/channel/describe.hpp"
#include "sotto/analyzer/serve/desk.hpp"
#include "status.hpp"

namespace sotto::analyzer {
namespace {

Reply words(unsigned status, const char* text) { return {status, "text/plain", std::string(text) + "\n", {}, {}}; }

Reply only(const char* method) {
  Reply reply = words(405, "this address takes another method");
  reply.headers.emplace_back("Allow", method);
  return reply;
}

/// Answers what devices ask of an issuer.
class Issuer {
 public:
  Issuer(const Digest& study, std::unique_ptr<Desk> desk, const TicketKey& key, const ServerOptions& options)
      : path_("/v1/studies/" + hex_text(study)), desk_(std::move(desk)), key_(key), options_(options) {}

  Reply answer(const Request& request) {
    const bool is_get = request.method == "GET";
    if (request.path == "/healthz") return is_get ? words(200, "ok") : only("GET");
    if (request.path == path_ + "/ticket-key")
      return is_get ? Reply{200, "application/x-pem-file", key_.check().pem(), {}, {}} : only("GET");
    if (request.path != path_ + "/tickets") return words(404, "there is no such page or study");
    return request.method == "POST" ? sign(request) : only("POST");
  }

 private:
  Reply sign(const Request& request) {
    const std::vector<std::uint8_t> blinded = bytes_of_hex(body_field(request, "blinded").value_or(""));
    // Signed before the token is spent, because what cannot be signed must cost none; told afterwards.
    const Result<std::vector<std::uint8_t>> signature = key_.sign(blinded);
    if (!signature) return {400, "application/json", error_json(signature.error()), {}, {}};
    Digest hash;
    sha256(blinded, hash);
    const std::lock_guard hold(lock_);
    if (const auto spent = desk_->spend(body_field(request, "token").value_or(""), hash); !spent)
      return refused(spent.error());
    log("ticket");
    const nlohmann::json json = {{"signature", hex_text(signature.value())}};
    return {200, "application/json", json.dump(), {{"Cache-Control", "no-store"}}, {}};
  }

  Reply refused(const Error& error) {
    const bool is_wrong = error.code == "enroll.unknown_token";  // not logged: anybody could fill the disk with it
    if (error.code.starts_with("io.") || error.code == "store.busy")
      return {503, "application/json", error_json(error), {{"Retry-After", "5"}}, {}};
    if (!is_wrong) log(error.code);
    if (is_wrong && !failures_.note()) {
      Reply reply = words(429, "too many wrong tokens");
      reply.headers.emplace_back("Retry-After", "1");
      return reply;
    }
    return {is_wrong ? 401u : 409u, "application/json", error_json(error), {}, {}};
  }

  void log(std::string_view event) const {
    const nlohmann::json line = {{"at", seconds_now()}, {"event", event}};
    options_.log(line.dump());
  }

  std::string path_;
  std::mutex lock_;  // guards the desk and the log
  std::unique_ptr<Desk> desk_;
  const TicketKey& key_;
  const ServerOptions& options_;
  FailureLimit failures_;
};

}  // namespace

Result<Done> issue_tickets(const Digest& study, const std::filesystem::path& file, const TicketKey& key,
                           const ServerOptions& options) {
  const ListenOptions where{options.address, options.port, options.certificate, options.key};
  if (const auto safe = is_safe(where); !safe) return safe;
  HttpCounts counts;
  Result<std::unique_ptr<HttpServer>> server = HttpServer::open(where, counts);
  if (!server) return server.error();
  Result<std::unique_ptr<Desk>> desk = Desk::open(file);
  if (!desk) return desk.error();
  Issuer issuer(study, std::move(desk).value(), key, options);
  if (const auto listening = server.value()->listen(); !listening) return listening;
  options.ready(url_of(where, server.value()->port()));
  server.value()->run([&issuer](const Request& request, const Respond& respond) { respond(issuer.answer(request)); },
                      [] {});
  return Done{};
}

}  // namespace sotto::analyzer
