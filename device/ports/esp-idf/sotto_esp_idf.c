/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* SKETCH for ESP-IDF 5.x, written from its documentation: not compiled here, not run on a board. Review it before you use it.
 *
 * Flash: a data partition of its own in partitions.csv, two sectors of 4 KiB or more, outside the OTA slots:
 *     sotto, data, 0x40, , 0x2000,
 * The partition must not carry the `encrypted` flag: erased flash then decrypts to noise, and the ledger finds nothing blank. So the
 * credential can be read from a stolen device; where that matters, give it to the ledger sealed by the platform (AeadHook).
 * Entropy: esp_fill_random() is a true random source only while RF (Wi-Fi or Bluetooth) is on, or between bootloader_random_enable()
 * and bootloader_random_disable(). Otherwise it is a pseudo-random generator: `radio_is_on` must tell the truth. */
#include <esp_partition.h>
#include <esp_random.h>

#include "sotto.h"

#define SECTOR_BYTES 4096

static const esp_partition_t* partition;
extern bool radio_is_on(void); /* the firmware's: RF started, or bootloader_random_enable() in effect */

static bool flash_read_hook(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  (void)context;
  return esp_partition_read(partition, address, out, bytes) == ESP_OK;
}
static bool flash_program_hook(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  (void)context;
  return esp_partition_write(partition, address, data, bytes) == ESP_OK;
}
static bool flash_erase_hook(void* context, uint32_t sector) {
  (void)context;
  return esp_partition_erase_range(partition, (size_t)sector * SECTOR_BYTES, SECTOR_BYTES) == ESP_OK;
}
static bool flash_sync_hook(void* context) {
  (void)context; /* esp_partition_write() returns after the flash has finished */
  return true;
}

bool sotto_esp_idf_flash(sotto_flash* flash) {
  partition = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, (esp_partition_subtype_t)0x40, "sotto");
  if (partition == NULL) return false;
  *flash = (sotto_flash){NULL,
                         flash_read_hook,
                         flash_program_hook,
                         flash_erase_hook,
                         flash_sync_hook,
                         SECTOR_BYTES,
                         (uint16_t)(partition->size / SECTOR_BYTES),
                         16,
                         0xff};
  return true;
}

static bool entropy_ready_hook(void* context) {
  (void)context;
  return radio_is_on();
}
static bool entropy_read_hook(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  esp_fill_random(out, bytes);
  return radio_is_on(); /* it may have stopped meanwhile */
}

sotto_entropy sotto_esp_idf_entropy(void) {
  const sotto_entropy entropy = {NULL, entropy_ready_hook, entropy_read_hook};
  return entropy;
}
