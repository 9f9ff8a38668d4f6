/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* SKETCH for Zephyr 3.x, written from its documentation: not compiled here, not run on a board. Review it before you use it.
 *
 * Flash: a fixed partition `sotto_partition` of two erase blocks or more, in no image slot, so that an update keeps it:
 *     &flash0 { partitions { sotto_partition: partition@fe000 { label = "sotto"; reg = <0xfe000 0x2000>; }; }; };
 * Entropy: CONFIG_ENTROPY_GENERATOR and a driver whose node is `zephyr,entropy`. A board without one falls back to
 * CONFIG_TEST_RANDOM_GENERATOR, which is not random: this file does not compile then. sys_csrand_get() may be used instead where it
 * is seeded from that driver; sys_rand_get() may not. */
#include <zephyr/device.h>
#include <zephyr/drivers/entropy.h>
#include <zephyr/drivers/flash.h>
#include <zephyr/storage/flash_map.h>

#include "sotto.h"

#if defined(CONFIG_TEST_RANDOM_GENERATOR)
#error "CONFIG_TEST_RANDOM_GENERATOR is not an entropy source"
#endif

#define SECTOR_BYTES 4096 /* of the flash's page layout; check flash_area_get_sectors() */

static const struct flash_area* area;

static bool flash_read_hook(void* context, uint32_t address, uint8_t* out, uint32_t bytes) {
  (void)context;
  return flash_area_read(area, (off_t)address, out, bytes) == 0;
}
static bool flash_program_hook(void* context, uint32_t address, const uint8_t* data, uint32_t bytes) {
  (void)context;
  return flash_area_write(area, (off_t)address, data, bytes) == 0;
}
static bool flash_erase_hook(void* context, uint32_t sector) {
  (void)context;
  return flash_area_erase(area, (off_t)sector * SECTOR_BYTES, SECTOR_BYTES) == 0;
}
static bool flash_sync_hook(void* context) {
  (void)context; /* flash_area_write() returns when the data is in the flash; a driver that queues must flush here */
  return true;
}

bool sotto_zephyr_flash(sotto_flash* flash) {
  if (flash_area_open(FIXED_PARTITION_ID(sotto_partition), &area) != 0) return false;
  *flash = (sotto_flash){NULL,
                         flash_read_hook,
                         flash_program_hook,
                         flash_erase_hook,
                         flash_sync_hook,
                         SECTOR_BYTES,
                         (uint16_t)(area->fa_size / SECTOR_BYTES),
                         (uint8_t)flash_area_align(area), /* 32 at most */
                         flash_area_erased_val(area)};
  return true;
}

static const struct device* const rng = DEVICE_DT_GET(DT_CHOSEN(zephyr_entropy));

static bool entropy_ready_hook(void* context) {
  (void)context;
  return device_is_ready(rng);
}
static bool entropy_read_hook(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  return entropy_get_entropy(rng, out, (uint16_t)bytes) == 0;
}

sotto_entropy sotto_zephyr_entropy(void) {
  const sotto_entropy entropy = {NULL, entropy_ready_hook, entropy_read_hook};
  return entropy;
}
