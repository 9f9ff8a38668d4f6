/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Arduino core, the parts that the sketch uses */
#pragma once
#include <stddef.h>
#include <stdint.h>
class Print {
 public:
  size_t print(const char* text);
  size_t println(const char* text);
};
class StubSerial : public Print {
 public:
  void begin(unsigned long baud);
};
extern StubSerial Serial;
void delay(uint32_t milliseconds);
void setup();
void loop();
