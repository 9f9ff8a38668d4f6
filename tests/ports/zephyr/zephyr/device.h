/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Zephyr 3.7, include/zephyr/device.h */
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

struct device {
  const char* name;
};
bool device_is_ready(const struct device* dev);
#define DEVICE_DT_GET(node_id) (&node_id)
