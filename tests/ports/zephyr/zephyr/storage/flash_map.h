/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Zephyr 3.7, include/zephyr/storage/flash_map.h */
#pragma once
#include <zephyr/device.h>
struct flash_area {
  uint8_t fa_id;
  uint8_t fa_device_id;
  uint16_t pad16;
  off_t fa_off;
  size_t fa_size;
  const struct device* fa_dev;
};
#define FIXED_PARTITION_ID(label) ((uint8_t)sizeof(#label))
int flash_area_open(uint8_t id, const struct flash_area** fa);
void flash_area_close(const struct flash_area* fa);
int flash_area_read(const struct flash_area* fa, off_t off, void* dst, size_t len);
int flash_area_write(const struct flash_area* fa, off_t off, const void* src, size_t len);
int flash_area_erase(const struct flash_area* fa, off_t off, size_t len);
uint32_t flash_area_align(const struct flash_area* fa);
uint8_t flash_area_erased_val(const struct flash_area* fa);
