# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The reference of tickets gives the numbers of RFC 9474."""
import json
import pathlib
import unittest

from . import ticket

VECTOR = json.loads((pathlib.Path(__file__).parent / "rfc9474.json").read_text())


class TicketIsRfc9474(unittest.TestCase):
    def setUp(self):
        self.key = ticket.PublicKey(int(VECTOR["n"], 16), int(VECTOR["e"], 16))
        self.message = bytes.fromhex(VECTOR["msg_prefix"] + VECTOR["msg"])
        self.inverse = int(VECTOR["inv"], 16)

    def test_blinding_gives_the_blinded_message(self):
        blinded, inverse = self.key.blind(self.message, bytes.fromhex(VECTOR["salt"]), pow(self.inverse, -1, self.key.n))
        self.assertEqual((blinded.hex(), inverse), (VECTOR["blinded_msg"], self.inverse))

    def test_unblinding_gives_the_signature_and_another_message_does_not_hold(self):
        signature = self.key.unblind(self.message, bytes.fromhex(VECTOR["blind_sig"]), self.inverse)
        self.assertEqual(signature.hex(), VECTOR["sig"])
        self.assertFalse(self.key.holds(self.message + b"x", signature))
        self.assertFalse(self.key.holds(self.message, signature[:-1] + bytes([signature[-1] ^ 1])))
