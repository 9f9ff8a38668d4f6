/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Zephyr 3.7, include/zephyr/drivers/entropy.h */
#pragma once
#include <zephyr/device.h>
int entropy_get_entropy(const struct device* dev, uint8_t* buffer, uint16_t length);
