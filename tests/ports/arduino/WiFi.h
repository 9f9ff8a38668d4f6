/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: arduino-esp32 3, the parts that the sketch uses */
#pragma once
typedef enum { WIFI_OFF = 0, WIFI_STA = 1 } wifi_mode_t;
class StubWiFi {
 public:
  bool mode(wifi_mode_t mode);
  wifi_mode_t getMode();
};
extern StubWiFi WiFi;
