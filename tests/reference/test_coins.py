# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""ChaCha against RFC 8439, the coins built on it, and the health test."""
import unittest

from .chacha import chacha_block, quarter_round
from .coins import PrivateCoins, PublicCoins, below
from .refused import Refused, status_of
from .vector_parts import with_ones
from .vector_seeds import seed

RFC_KEY = bytes(range(32))


class Words:
    def __init__(self, *words):
        self.words = list(words)

    def __call__(self):
        return self.words.pop(0)


class ChachaIsRfc8439(unittest.TestCase):
    def test_quarter_round_of_section_2_1_1(self):
        state = [0x11111111, 0x01020304, 0x9B8D6F43, 0x01234567]
        quarter_round(state, 0, 1, 2, 3)
        self.assertEqual(state, [0xEA2A92F4, 0xCB1CF8CE, 0x4581472E, 0x5881C4BB])

    def test_block_of_section_2_3_2(self):
        block = chacha_block(RFC_KEY, 1, bytes.fromhex("000000090000004a00000000"), 20)
        self.assertEqual(block.hex(), "10f1e7e4d13b5915500fdd1fa32071c4c7d1f4c733c068030422aa9ac3d46c4e"
                                      "d2826446079faa0914c2d705d98b02a2b5129cd1de164eb9cbd083e8a2503c4e")

    def test_block_of_appendix_a_1_with_the_zero_key(self):
        block = chacha_block(bytes(32), 0, bytes(12), 20)
        self.assertEqual(block.hex(), "76b8e0ada0f13d90405d6ae55386bd28bdd219b8a08ded1aa836efcc8b770dc7"
                                      "da41597c5157488d7724e03fb8d84a376a43b8f41518a11cc387b669b2ee6586")

    def test_eight_rounds_of_the_zero_key(self):
        block = chacha_block(bytes(32), 0, bytes(12), 8)
        self.assertTrue(block.hex().startswith("3e00ef2f895f40d67f5bb8e81f09a5a12c840ec3ce9a7f3b181be188ef711a1e"))


class Below(unittest.TestCase):
    def test_one_draws_nothing(self):
        self.assertEqual(below(Words(), 1), 0)

    def test_small_words_are_drawn_again(self):
        self.assertEqual(below(Words(0, 2**32 - 1), 3), 2)  # 2^32 mod 3 = 1: the word 0 is refused
        self.assertEqual(below(Words(0), 4), 0)

    def test_every_result_is_equally_likely_in_a_small_copy(self):
        for n in range(2, 40):
            counts = [0] * n
            for word in range(256):
                if word * n % 256 >= 256 % n:
                    counts[word * n >> 8] += 1
            self.assertEqual(set(counts), {256 // n})


class Coins(unittest.TestCase):
    def test_public_stream_is_the_concatenation_of_blocks(self):
        study = seed("study", 0)
        coins = PublicCoins(study, 0x0123456789ABCDEF, 0x0102, 4)
        nonce = bytes.fromhex("efcdab8967452301" "0201" "04" "00")
        blocks = chacha_block(study, 0, nonce, 8) + chacha_block(study, 1, nonce, 8)
        self.assertEqual(b"".join(coins.word().to_bytes(4, "little") for _ in range(20)), blocks[:80])

    def test_private_key_is_replaced_by_each_block(self):
        coins, entropy = PrivateCoins(), seed("entropy", 0)
        coins.begin_report(entropy)
        first = chacha_block(entropy, 0, bytes(12), 20)
        second = chacha_block(first[:32], 0, bytes(12), 20)
        given = b"".join(coins.word().to_bytes(4, "little") for _ in range(10))
        self.assertEqual(given, first[32:] + second[32:40])

    def test_a_new_seed_is_mixed_in_and_drops_words(self):
        coins, a, b = PrivateCoins(), seed("entropy", 0), seed("entropy", 1)
        coins.begin_report(a)
        coins.word()
        key = chacha_block(a, 0, bytes(12), 20)[:32]
        coins.begin_report(b)
        mixed = bytes(x ^ y for x, y in zip(key, b))
        self.assertEqual(coins.word(), int.from_bytes(chacha_block(mixed, 0, bytes(12), 20)[32:36], "little"))

    def test_what_two_seeds_share_does_not_cancel(self):
        a = seed("entropy", 0)
        coins = PrivateCoins()
        coins.begin_report(a)
        coins.begin_report(bytes([a[0] ^ 1]) + a[1:])
        difference = b"\x01" + bytes(31)  # the key if there were no block in between
        cancelled = int.from_bytes(chacha_block(difference, 0, bytes(12), 20)[32:36], "little")
        self.assertNotEqual(coins.word(), cancelled)

    def test_stirring_is_mixing_without_a_health_test(self):
        coins, twin, a, b = PrivateCoins(), PrivateCoins(), seed("entropy", 0), seed("entropy", 1)
        for each in (coins, twin):
            each.begin_report(a)
        coins.stir(b)
        twin.begin_report(b)
        self.assertEqual(coins.word(), twin.word())
        coins.stir(bytes(32))
        self.assertNotEqual(coins.word(), twin.word())

    def test_no_word_without_an_accepted_seed(self):
        coins = PrivateCoins()
        self.assertEqual(status_of(coins.word), "entropy_not_ready")
        coins.begin_report(seed("entropy", 0))
        with self.assertRaises(Refused):
            coins.begin_report(bytes(32))
        self.assertEqual(status_of(coins.word), "entropy_not_ready")

    def test_bit_counts_at_the_limits(self):
        for ones in (71, 72, 128, 184, 185):
            made = with_ones(ones)
            self.assertEqual(sum(byte.bit_count() for byte in made), ones)
            self.assertEqual(status_of(PrivateCoins().begin_report, made), "ok" if 72 <= ones <= 184 else "entropy_fault")
