/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: ESP-IDF 5, components/bootloader_support/include/bootloader_random.h */
#pragma once
void bootloader_random_enable(void);
void bootloader_random_disable(void);
