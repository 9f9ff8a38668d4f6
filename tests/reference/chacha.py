# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The ChaCha block function (RFC 8439 layout: 32-bit counter, 96-bit nonce), with 8 or 20 rounds."""
import struct

CONSTANTS = struct.unpack("<4I", b"expand 32-byte k")
COLUMNS = ((0, 4, 8, 12), (1, 5, 9, 13), (2, 6, 10, 14), (3, 7, 11, 15))
DIAGONALS = ((0, 5, 10, 15), (1, 6, 11, 12), (2, 7, 8, 13), (3, 4, 9, 14))
MASK = 0xFFFFFFFF


def rotate_left(word, bits):
    return ((word << bits) | (word >> (32 - bits))) & MASK


def quarter_round(s, a, b, c, d):
    s[a] = (s[a] + s[b]) & MASK
    s[d] = rotate_left(s[d] ^ s[a], 16)
    s[c] = (s[c] + s[d]) & MASK
    s[b] = rotate_left(s[b] ^ s[c], 12)
    s[a] = (s[a] + s[b]) & MASK
    s[d] = rotate_left(s[d] ^ s[a], 8)
    s[c] = (s[c] + s[d]) & MASK
    s[b] = rotate_left(s[b] ^ s[c], 7)


def chacha_block(key, counter, nonce, rounds):
    """64 bytes of key stream."""
    start = [*CONSTANTS, *struct.unpack("<8I", key), counter, *struct.unpack("<3I", nonce)]
    state = list(start)
    for _ in range(rounds // 2):
        for group in (COLUMNS, DIAGONALS):
            for a, b, c, d in group:
                quarter_round(state, a, b, c, d)
    return struct.pack("<16I", *((x + y) & MASK for x, y in zip(state, start)))
