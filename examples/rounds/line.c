/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#include "line.h"

#include "port.h"

enum { MARK = 0xa5 };

static uint16_t put(uint8_t byte, uint16_t sum) {
  port_serial_put(byte);
  return (uint16_t)(sum + byte);
}

void send_frame(uint8_t kind, const uint8_t* head, uint16_t head_size, const uint8_t* body, uint16_t body_size) {
  const uint16_t size = (uint16_t)(head_size + body_size);
  uint16_t sum = 0, i;
  port_serial_put(MARK);
  sum = put(kind, sum);
  sum = put((uint8_t)size, sum);
  sum = put((uint8_t)(size >> 8), sum);
  for (i = 0; i < head_size; ++i) sum = put(head[i], sum);
  for (i = 0; i < body_size; ++i) sum = put(body[i], sum);
  port_serial_put((uint8_t)sum);
  port_serial_put((uint8_t)(sum >> 8));
}

void receive_frame(Frame* out) {
  for (;;) {
    uint16_t sum, i, told;
    uint8_t low;
    if (port_serial_get() != MARK) continue;
    out->kind = port_serial_get();
    low = port_serial_get();
    out->size = (uint16_t)(low | port_serial_get() << 8);
    if (out->size > sizeof out->bytes) continue;
    sum = (uint16_t)(out->kind + (out->size & 0xff) + (out->size >> 8));
    for (i = 0; i < out->size; ++i) {
      out->bytes[i] = port_serial_get();
      sum = (uint16_t)(sum + out->bytes[i]);
    }
    low = port_serial_get();
    told = (uint16_t)(low | port_serial_get() << 8);
    if (told == sum) return;
  }
}
