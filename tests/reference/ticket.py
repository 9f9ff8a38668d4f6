# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Tickets of enrolment from RFC 9474 alone (RSABSSA-SHA384-PSS-Randomized), as a device makes them: in plain integers."""

import base64
import hashlib
import secrets

HASH, SALT, TICKET = 48, 48, 32


def mgf1(seed, size):
    blocks = b"".join(hashlib.sha384(seed + counter.to_bytes(4, "big")).digest() for counter in range(-(-size // HASH)))
    return blocks[:size]


def pss_encode(message, bits, salt):
    """EMSA-PSS-ENCODE of RFC 8017, section 9.1.1, with SHA-384."""
    size = -(-bits // 8)
    digest = hashlib.sha384(bytes(8) + hashlib.sha384(message).digest() + salt).digest()
    block = bytes(size - len(salt) - HASH - 2) + b"\x01" + salt
    masked = bytearray(a ^ b for a, b in zip(block, mgf1(digest, len(block))))
    masked[0] &= 0xFF >> (8 * size - bits)
    return bytes(masked) + digest + b"\xbc"


def pss_holds(message, encoded, bits):
    """EMSA-PSS-VERIFY of RFC 8017, section 9.1.2."""
    masked, digest = encoded[:-HASH - 1], encoded[-HASH - 1:-1]
    if encoded[-1:] != b"\xbc" or masked[0] & ~(0xFF >> (8 * len(encoded) - bits)) & 0xFF:
        return False
    block = bytearray(a ^ b for a, b in zip(masked, mgf1(digest, len(masked))))
    block[0] &= 0xFF >> (8 * len(encoded) - bits)
    return pss_encode(message, bits, bytes(block[-SALT:])) == encoded


class PublicKey:
    def __init__(self, n, e=65537):
        self.n, self.e, self.bits = n, e, n.bit_length()
        self.size = -(-self.bits // 8)

    @classmethod
    def from_pem(cls, text):
        """Of a SubjectPublicKeyInfo with an RSA key: the two integers at its end."""
        der = base64.b64decode("".join(line for line in text.split("\n") if "---" not in line))

        def element(at):
            size, head = der[at + 1], 2
            if size & 0x80:
                head, size = 2 + (size & 0x7F), int.from_bytes(der[at + 2:at + 2 + (size & 0x7F)], "big")
            return at + head, size

        outer, _ = element(0)
        algorithm, size = element(outer)
        bits, _ = element(algorithm + size)
        numbers, _ = element(bits + 1)
        first, size = element(numbers)
        second, last = element(first + size)
        return cls(int.from_bytes(der[first:first + size], "big"), int.from_bytes(der[second:second + last], "big"))

    def blind(self, message, salt=None, r=None):
        """What the issuer signs, and what takes the blinding off."""
        encoded = int.from_bytes(pss_encode(message, self.bits - 1, salt or secrets.token_bytes(SALT)), "big")
        r = r or secrets.randbelow(self.n - 2) + 2
        return (encoded * pow(r, self.e, self.n) % self.n).to_bytes(self.size, "big"), pow(r, -1, self.n)

    def unblind(self, message, signed, inverse):
        """The signature; an AssertionError where it does not hold."""
        signature = (int.from_bytes(signed, "big") * inverse % self.n).to_bytes(self.size, "big")
        assert self.holds(message, signature)
        return signature

    def holds(self, message, signature):
        opened = pow(int.from_bytes(signature, "big"), self.e, self.n).to_bytes(self.size, "big")
        return len(signature) == self.size and pss_holds(message, opened, self.bits - 1)


def message_of(ticket, study):
    return ticket + b"sotto-ticket-1" + study
