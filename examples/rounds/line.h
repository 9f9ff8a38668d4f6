/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef LINE_H
#define LINE_H

#include <stdbool.h>
#include <stdint.h>

/* Frames on the serial line: 0xa5, a kind, the length (2 bytes, little-endian), so many bytes, and their sum (2 bytes) over kind, length
 * and bytes. What does not add up is thrown away up to the next 0xa5 that does. */
enum {
  /* from the device */
  FRAME_HELLO = 'H',  /* consent (1 byte): after every boot */
  FRAME_FETCH = 'F',  /* the last round that was dealt with (2 bytes): is there a later one? */
  FRAME_WAIT = 'W',   /* slot (4 bytes): a part of the sending window; wake me then */
  FRAME_REPORT = 'R', /* number of the round (2 bytes), report */
  FRAME_LOG = 'L',    /* text */
  /* from the gateway */
  FRAME_CONSENT = 'C', /* the owner's decision (1 byte), in answer to a hello, when there is one */
  FRAME_GO = 'G',      /* nothing to say; the slot has come */
  FRAME_ROUND = 'M',   /* a round */
  FRAME_NONE = 'N',    /* no round now: sleep */
  FRAME_TAKEN = 'A',   /* the server has the report */
  FRAME_AGAIN = 'X'    /* not now: send it again */
};

typedef struct {
  uint8_t kind;
  uint16_t size;
  uint8_t bytes[1088]; /* the longest round, 1 KiB */
} Frame;

void send_frame(uint8_t kind, const uint8_t* head, uint16_t head_size, const uint8_t* body, uint16_t body_size);
void receive_frame(Frame* out);

#endif
