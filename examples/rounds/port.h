/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef PORT_H
#define PORT_H

#include "sotto.h"

/* What a board must bring. port_qemu.c has it for the emulated boards; write one file like it for yours. */

/* A serial line of bytes to the gateway. */
void port_serial_begin(void);
void port_serial_put(uint8_t byte);
uint8_t port_serial_get(void); /* waits */

/* Flash that only the ledger uses, and the hardware's random bits. */
bool port_flash(sotto_flash* flash);
sotto_entropy port_entropy(void);

/* What the factory wrote into this one device: its credential, the study and the samples, in memory-mapped flash. */
typedef struct {
  uint32_t magic; /* PROVISION_MAGIC */
  uint32_t manifest_bytes, rows, features;
  sotto_credential credential;
  const uint8_t* manifest;
  const int16_t* samples; /* rows of features and the target */
} Provision;
#define PROVISION_MAGIC 0x50544f53u /* "SOTP" */
bool port_provision(Provision* out);

#endif
