/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: ESP-IDF 5, components/esp_common/include/esp_err.h */
#pragma once
typedef int esp_err_t;
#define ESP_OK 0
