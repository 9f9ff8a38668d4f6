/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* Hooks for ESP-IDF 5.1 and later. Compiled against stub headers with its signatures (tests/ports); not run on a board.
 *
 * Flash: a data partition of its own in partitions.csv, two sectors of 4 KiB or more, outside the OTA slots:
 *     sotto, data, 0x40, , 0x2000,
 * An encrypted partition is refused: erased flash then decrypts to noise, and the ledger finds nothing blank. So the credential can be
 * read from a stolen device; where that matters, give the ledger an image key and the session an AEAD hook of the platform. */
#if defined(ESP_PLATFORM) /* an Arduino library compiles this file on other cores, too */
#include "sotto_esp_idf.h"

#include <esp_partition.h>
#include <esp_random.h>
#include <sdkconfig.h>
#if defined(CONFIG_SOTTO_BOOTLOADER_ENTROPY)
#include <bootloader_random.h>
#endif

enum { SUBTYPE = 0x40, UNIT = 16 };

static const esp_partition_t* partition;

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
  return esp_partition_erase_range(partition, (size_t)sector * partition->erase_size, partition->erase_size) == ESP_OK;
}

static bool flash_sync_hook(void* context) {
  (void)context; /* esp_partition_write() returns after the flash has finished */
  return true;
}

bool sotto_esp_idf_flash(sotto_flash* flash) {
  partition = esp_partition_find_first(ESP_PARTITION_TYPE_DATA, (esp_partition_subtype_t)SUBTYPE, "sotto");
  if (partition == NULL || partition->encrypted) return false;
  flash->context = NULL;
  flash->read = flash_read_hook;
  flash->program = flash_program_hook;
  flash->erase = flash_erase_hook;
  flash->sync = flash_sync_hook;
  flash->sector_bytes = partition->erase_size;
  flash->sectors = (uint16_t)(partition->size / partition->erase_size);
  flash->program_unit = UNIT;
  flash->erased = 0xff;
  return true;
}

static bool (*radio)(void);

#if defined(CONFIG_SOTTO_BOOTLOADER_ENTROPY)

static bool entropy_ready_hook(void* context) {
  (void)context;
  return radio == NULL || !radio(); /* the two sources exclude each other */
}

static bool entropy_read_hook(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  bootloader_random_enable();
  esp_fill_random(out, bytes);
  bootloader_random_disable();
  return radio == NULL || !radio();
}

#else

static bool entropy_ready_hook(void* context) {
  (void)context;
  return radio != NULL && radio();
}

static bool entropy_read_hook(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  if (radio == NULL || !radio()) return false;
  esp_fill_random(out, bytes);
  return radio(); /* it may have stopped meanwhile */
}

#endif

sotto_entropy sotto_esp_idf_entropy(bool (*radio_is_on)(void)) {
  const sotto_entropy entropy = {NULL, entropy_ready_hook, entropy_read_hook};
  radio = radio_is_on;
  return entropy;
}
#endif
