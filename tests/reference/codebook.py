# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Nibble-pair coordinates: one public byte gives A[low nibble] + B[high nibble]."""

A = (-65, -37, -28, -24, -16, -15, -12, -1, 1, 12, 15, 16, 24, 28, 37, 65)
B = (-41, -17, -15, -10, -9, -7, -4, -3, 3, 4, 7, 9, 10, 15, 17, 41)


def nibble_pair(byte):
    return A[byte & 15] + B[byte >> 4]
