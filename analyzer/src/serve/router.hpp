// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#pragma once

#include <memory>
#include <vector>

#include "http_server.hpp"
#include "message.hpp"
#include "rights.hpp"
#include "sotto/analyzer/mqtt/gateway.hpp"
#include "study_service.hpp"

// Which request does what, and who may.
namespace sotto::analyzer {

class Router {
 public:
  /// `gateway` may be null: there is none.
  Router(const std::vector<std::unique_ptr<StudyService>>& services, Rights& rights, const HttpCounts& counts,
         const MqttGateway* gateway)
      : services_(services), rights_(rights), counts_(counts), gateway_(gateway) {}
  void handle(const Request& request, const Respond& respond) const;

 private:
  [[nodiscard]] StudyService* service(std::string_view digest) const;
  [[nodiscard]] Reply own_page(const Request& request) const;
  [[nodiscard]] Reply page_of(const Request& request, std::string_view rest) const;
  void study(const Request& request, StudyService& service, std::string_view what, const Respond& respond) const;
  [[nodiscard]] Reply shown(const Request& request, const StudyService& service, std::string_view what) const;
  void take_reports(const Request& request, StudyService& service, const Respond& respond) const;
  void enroll(const Request& request, StudyService& service, const Respond& respond) const;
  void change(const Request& request, StudyService& service, std::string_view what, const Respond& respond) const;
  [[nodiscard]] Reply not_the_operator() const;
  [[nodiscard]] Reply login(const Request& request) const;

  const std::vector<std::unique_ptr<StudyService>>& services_;
  Rights& rights_;
  const HttpCounts& counts_;
  const MqttGateway* gateway_;
};

}  // namespace sotto::analyzer
