/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
#ifndef SOTTO_ESP_IDF_H
#define SOTTO_ESP_IDF_H

#include "sotto.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The data partition "sotto" (subtype 0x40). False: there is none, or it is encrypted. NVS is not used. */
bool sotto_esp_idf_flash(sotto_flash* flash);

/* The hardware's generator. `radio_is_on` says whether Wi-Fi or Bluetooth runs at this moment, and must tell the truth: without the
 * radio the generator is not random, and the hook is not ready. It may be NULL with CONFIG_SOTTO_BOOTLOADER_ENTROPY. */
sotto_entropy sotto_esp_idf_entropy(bool (*radio_is_on)(void));

#ifdef __cplusplus
}
#endif

#endif
