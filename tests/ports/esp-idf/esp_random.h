/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: ESP-IDF 5, components/esp_hw_support/include/esp_random.h */
#pragma once
#include <stddef.h>
void esp_fill_random(void* buf, size_t len);
