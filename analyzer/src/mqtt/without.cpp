// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
#ifndef SOTTO_WITH_MQTT
#include "sotto/analyzer/mqtt/gateway.hpp"

// Where libmosquitto was not found.
namespace sotto::analyzer {

Result<std::unique_ptr<MqttGateway>> MqttGateway::open(MqttOptions options, MqttLog /*log*/) {
  return Error{"mqtt.not_built", "this program was built without libmosquitto", options.address,
               "install libmosquitto-dev and build it again"};
}

}  // namespace sotto::analyzer

#endif
