// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/serve/server.hpp"

#include <mutex>

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "clock.hpp"
#include "cluster_service.hpp"
#include "http_server.hpp"
#include "router.hpp"

namespace sotto::analyzer {
namespace {

bool is_loopback(std::string_view address) { return address.starts_with("127.") || address == "::1"; }

}  // namespace

Result<Done> serve(std::vector<ServedStudy> studies, const ServerOptions& options) {
  if (!is_loopback(options.address) && options.certificate.empty()) {
    return Error{"serve.needs_tls", "an address that other machines reach needs TLS", options.address,
                 "add --tls-cert and --tls-key, or listen on 127.0.0.1 behind a proxy that has them"};
  }
  std::mutex log_lock;
  const LogLine log = [&](std::string_view event, const std::string& study, std::string_view more) {
    const nlohmann::json line = {
        {"at", seconds_now()}, {"event", event}, {"study", study.substr(0, 16)}, {"detail", more}};
    const std::lock_guard hold(log_lock);
    options.log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  };
  // The address first: a server that cannot be reached must not open a round, whose time would run.
  HttpCounts counts;
  Result<std::unique_ptr<HttpServer>> server =
      HttpServer::open({options.address, options.port, options.certificate, options.key}, counts);
  if (!server) return server.error();
  std::vector<std::unique_ptr<StudyService>> services;
  for (ServedStudy& study : studies) {
    Result<std::unique_ptr<StudyService>> opened =
        study.log ? ClusterService::open(std::move(study), log) : StudyService::open(std::move(study), log);
    if (!opened) return opened.error();
    services.push_back(std::move(opened).value());
  }
  Rights rights(options.operator_hash, !options.certificate.empty());
  const Router router(services, rights, counts);
  if (const auto listening = server.value()->listen(); !listening) return listening.error();
  options.ready(
      fmt::format("{}://{}:{}", options.certificate.empty() ? "http" : "https",
                  options.address.find(':') == std::string::npos ? options.address : "[" + options.address + "]",
                  server.value()->port()));
  server.value()->run([&router](const Request& request, const Respond& respond) { router.handle(request, respond); },
                      [&services] {
                        for (const auto& service : services) service->stop();
                      });
  return Done{};
}

}  // namespace sotto::analyzer
