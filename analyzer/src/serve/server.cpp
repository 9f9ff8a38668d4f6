// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#include "sotto/analyzer/serve/server.hpp"

#include <mutex>

#include <nlohmann/json.hpp>

#include "clock.hpp"
#include "cluster_service.hpp"
#include "http_server.hpp"
#include "over_mqtt.hpp"
#include "router.hpp"

namespace sotto::analyzer {

Result<Done> serve(std::vector<ServedStudy> studies, const ServerOptions& options) {
  const ListenOptions where{options.address, options.port, options.certificate, options.key};
  if (const auto safe = is_safe(where); !safe) return safe;
  std::mutex log_lock;
  const LogLine log = [&](std::string_view event, const std::string& study, std::string_view more) {
    const nlohmann::json line = {
        {"at", seconds_now()}, {"event", event}, {"study", study.substr(0, 16)}, {"detail", more}};
    const std::lock_guard hold(log_lock);
    options.log(line.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace));
  };
  // The address first: a server that cannot be reached must not open a round, whose time would run.
  HttpCounts counts;
  Result<std::unique_ptr<HttpServer>> server = HttpServer::open(where, counts);
  if (!server) return server.error();
  std::vector<std::unique_ptr<StudyService>> services;
  std::unique_ptr<MqttGateway> gateway;
  if (options.mqtt) {
    Result<std::unique_ptr<MqttGateway>> opened = MqttGateway::open(*options.mqtt, log);
    if (!opened) return opened.error();
    gateway = std::move(opened).value();
  }
  for (ServedStudy& study : studies) {
    Result<std::unique_ptr<StudyService>> opened =
        study.log ? ClusterService::open(std::move(study), log) : StudyService::open(std::move(study), log);
    if (!opened) return opened.error();
    services.push_back(std::move(opened).value());
  }
  Rights rights(options.operator_hash, !options.certificate.empty());
  const Router router(services, rights, counts, gateway.get());
  if (const auto listening = server.value()->listen(); !listening) return listening.error();
  if (gateway) {
    if (const auto started = gateway->start(mqtt_studies(services)); !started) return started.error();
  }
  const std::string url = url_of(where, server.value()->port());
  for (const auto& service : services) log("serving", service->digest(), url + "/v1/studies/" + service->digest());
  options.ready(url);
  server.value()->run([&router](const Request& request, const Respond& respond) { router.handle(request, respond); },
                      [&services, &gateway] {
                        if (gateway) gateway->stop();
                        for (const auto& service : services) service->stop();
                      });
  return Done{};
}

}  // namespace sotto::analyzer
