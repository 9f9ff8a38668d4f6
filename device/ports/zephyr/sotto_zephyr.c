/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */

/* Hooks for Zephyr 3.7. Compiled against stub headers with its signatures (tests/ports); not run on a board.
 *
 * Flash: a fixed partition `sotto_partition` of two erase pages or more, in no image slot, so that an update keeps it:
 *     &flash0 { partitions { sotto_partition: partition@fe000 { label = "sotto"; reg = <0xfe000 0x2000>; }; }; };
 * Entropy: a driver whose node is `zephyr,entropy`. sys_csrand_get() may take its place where it is seeded from that driver;
 * sys_rand_get() may not. */
#include "sotto_zephyr.h"

#include <zephyr/device.h>
#include <zephyr/devicetree.h>
#include <zephyr/drivers/entropy.h>
#include <zephyr/drivers/flash.h>
#include <zephyr/storage/flash_map.h>

/* The test generators, and drivers that say of themselves that they are pseudo-random. */
#if defined(CONFIG_TEST_RANDOM_GENERATOR) || defined(CONFIG_TIMER_RANDOM_GENERATOR) ||      \
    defined(CONFIG_FAKE_ENTROPY_NATIVE_POSIX) || defined(CONFIG_FAKE_ENTROPY_NATIVE_SIM) || \
    defined(CONFIG_FAKE_ENTROPY_NRF_PRNG) || defined(CONFIG_ENTROPY_PSEUDO_STM32) ||        \
    defined(CONFIG_ENTROPY_LITEX_RNG) || defined(CONFIG_ENTROPY_AESC_PRNG)
#if !defined(CONFIG_SOTTO_ALLOW_FAKE_ENTROPY)
#error "this board's generator is not random; CONFIG_SOTTO_ALLOW_FAKE_ENTROPY=y accepts it for emulated boards"
#endif
#endif

static const struct flash_area* area;
static uint32_t page_bytes;

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
  return flash_area_erase(area, (off_t)(sector * page_bytes), page_bytes) == 0;
}

static bool flash_sync_hook(void* context) {
  (void)context; /* flash_area_write() returns when the data is in the flash; a driver that queues must flush here */
  return true;
}

bool sotto_zephyr_flash(sotto_flash* flash) {
  struct flash_pages_info first, last;
  if (flash_area_open(FIXED_PARTITION_ID(sotto_partition), &area) != 0) return false;
  /* All pages of the partition must have one size, and begin where the partition does. */
  if (flash_get_page_info_by_offs(area->fa_dev, area->fa_off, &first) != 0 ||
      flash_get_page_info_by_offs(area->fa_dev, area->fa_off + (off_t)area->fa_size - 1, &last) != 0)
    return false;
  if (first.start_offset != area->fa_off || first.size != last.size || area->fa_size % first.size != 0 ||
      flash_area_align(area) > 32)
    return false;
  page_bytes = (uint32_t)first.size;
  flash->context = NULL;
  flash->read = flash_read_hook;
  flash->program = flash_program_hook;
  flash->erase = flash_erase_hook;
  flash->sync = flash_sync_hook;
  flash->sector_bytes = page_bytes;
  flash->sectors = (uint16_t)(area->fa_size / first.size);
  flash->program_unit = (uint8_t)flash_area_align(area);
  flash->erased = flash_area_erased_val(area);
  return true;
}

static const struct device* const rng = DEVICE_DT_GET(DT_CHOSEN(zephyr_entropy));

static bool entropy_ready_hook(void* context) {
  (void)context;
  return device_is_ready(rng);
}

static bool entropy_read_hook(void* context, uint8_t* out, size_t bytes) {
  (void)context;
  return bytes <= UINT16_MAX && entropy_get_entropy(rng, out, (uint16_t)bytes) == 0;
}

sotto_entropy sotto_zephyr_entropy(void) {
  const sotto_entropy entropy = {NULL, entropy_ready_hook, entropy_read_hook};
  return entropy;
}

size_t sotto_zephyr_questions(const sotto_question** out) {
  size_t count = 0;
#if defined(CONFIG_SOTTO_QUESTION_VOTE)
  out[count++] = sotto_vote_screen();
#endif
#if defined(CONFIG_SOTTO_QUESTION_VALUE)
  out[count++] = sotto_value();
#endif
#if defined(CONFIG_SOTTO_QUESTION_DIRECTION)
  out[count++] = sotto_direction();
#endif
  return count;
}
