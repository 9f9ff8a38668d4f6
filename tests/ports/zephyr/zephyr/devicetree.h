/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Zephyr 3.7, include/zephyr/devicetree.h */
#pragma once
#include <zephyr/device.h>
/* The chosen node: here a device of that name. */
#define DT_CHOSEN(prop) stub_chosen_##prop
extern const struct device stub_chosen_zephyr_entropy;
