# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Public and private coins (sections 3 to 5)."""
import struct

from .chacha import chacha_block
from .refused import require

COHORT, MASKS_AND_BLOCKS, ROTATION_SIGNS, SLOT, CODEWORDS = range(5)
PROJECTION, FOURIER, SHARED_ROTATION = 16, 17, 18


def below(word, n):
    """Uniform in [0, n) from a function that gives words; n = 1 asks for none."""
    if n == 1:
        return 0
    while True:
        product = word() * n
        if product % 2**32 >= 2**32 % n:
            return product >> 32


class PublicCoins:
    """The stream of one purpose: everybody who knows the study seed can recompute it."""

    def __init__(self, study_seed, pseudonym, round_number, purpose):
        self.key = study_seed
        self.nonce = struct.pack("<QHBB", pseudonym, round_number, purpose, 0)
        self.counter, self.left = 0, b""

    def bytes(self, count):
        while len(self.left) < count:
            self.left += chacha_block(self.key, self.counter, self.nonce, 8)
            self.counter += 1
        taken, self.left = self.left[:count], self.left[count:]
        return taken

    def word(self):
        return int.from_bytes(self.bytes(4), "little")


class Public:
    """Who is asked, and when: gives the stream of any purpose."""

    def __init__(self, study_seed, pseudonym, round_number):
        self.identity = (study_seed, pseudonym, round_number)

    def coins(self, purpose):
        return PublicCoins(*self.identity, purpose)


def check_seed(seed, before):
    """Section 5. `before` is the last accepted seed, or None."""
    for i in range(len(seed) - 5):
        require(len(set(seed[i:i + 6])) > 1, "entropy_fault")
    ones = sum(byte.bit_count() for byte in seed)
    require(72 <= ones <= 184, "entropy_fault")
    require(before is None or seed[:8] != before[:8], "entropy_fault")


class PrivateCoins:
    """ChaCha20 with fast key erasure. After a refused seed no word is given until one is accepted."""

    def __init__(self):
        self.key, self.words, self.seed = bytes(32), [], None
        self.ready, self.drawn = False, 0

    def begin_report(self, seed):
        self.ready = False
        check_seed(seed, self.seed)
        self.ready, self.seed = True, seed
        self.stir(seed)

    def stir(self, words):
        """Every mixing is followed by a block, so that nothing which two of them share cancels."""
        self.key = bytes(a ^ b for a, b in zip(self.key, words))
        self.refill()

    def refill(self):
        block = chacha_block(self.key, 0, bytes(12), 20)
        self.key, self.words = block[:32], list(struct.unpack("<8I", block[32:]))

    def word(self):
        require(self.ready, "entropy_not_ready")
        if not self.words:
            self.refill()
        self.drawn += 1
        return self.words.pop(0)

    def word64(self):
        low = self.word()
        return low | self.word() << 32

    def below(self, n):
        return below(self.word, n)
