# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The wire's own checks: RFC 8439, the worked example of WIRE.md, and decoders that refuse every cut."""
import unittest

from . import wire
from .refused import status_of
from .seal import aead_seal, poly1305

EXAMPLE = wire.manifest(collector=bytes(range(0xC0, 0xD0)), seed=bytes(range(32)))


class SealIsRfc8439(unittest.TestCase):
    def test_poly1305_of_section_2_5_2(self):
        key = bytes.fromhex("85d6be7857556d337f4452fe42d506a80103808afb0db2fd4abff6af4149f51b")
        self.assertEqual(poly1305(key, b"Cryptographic Forum Research Group").hex(), "a8061dc1305136c6c22b8baf0c0127a9")

    def test_aead_of_section_2_8_2(self):
        text = (b"Ladies and Gentlemen of the class of '99: If I could offer you only one tip for the future, sunscreen would be it.")
        sealed = aead_seal(bytes(range(0x80, 0xA0)), bytes.fromhex("070000004041424344454647"), text,
                           bytes.fromhex("50515253c0c1c2c3c4c5c6c7"))
        self.assertEqual(sealed[:8].hex(), "d31a8d34648e60db")
        self.assertEqual(sealed[-16:].hex(), "1ae10b594f09e26a7e902ecbd0600691")


class WorkedExample(unittest.TestCase):
    def test_manifest_and_round_have_the_digests_of_the_specification(self):
        self.assertEqual(len(EXAMPLE), 112)
        study = wire.digest(EXAMPLE)
        self.assertEqual(study.hex(), "ac43bb124578fb60ca19c8e6d2dc672cfeae4aa9dda5f895bd773285789cfee7")
        round_ = wire.round_(study)
        self.assertEqual(len(round_), 88)
        self.assertEqual(wire.digest(round_).hex(), "597ede114eee46daab45ca34df5953222a5da372e913bb0192733d82ce7d24f0")


class Decoders(unittest.TestCase):
    def test_every_cut_is_truncated(self):
        round_ = wire.round_(bytes(32), model=((1, 2),), pairs=((3, 4),))
        for data, decode in ((EXAMPLE, wire.decode_manifest), (round_, wire.decode_round)):
            self.assertEqual(status_of(decode, data), "ok")
            for n in range(len(data)):
                self.assertEqual(status_of(decode, data[:n]), "truncated")
