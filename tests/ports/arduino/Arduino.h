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
#define LOW 0x0
#define INPUT_PULLUP 0x05
void pinMode(uint8_t pin, uint8_t mode);
int digitalRead(uint8_t pin);
void delay(uint32_t milliseconds);
void setup();
void loop();
