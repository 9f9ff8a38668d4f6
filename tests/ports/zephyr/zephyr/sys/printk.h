/* SPDX-License-Identifier: Apache-2.0 */
/* Copyright The Sotto Authors */
/* Stub: Zephyr 3.7, include/zephyr/sys/printk.h */
#pragma once
__attribute__((format(printf, 1, 2))) void printk(const char* fmt, ...);
