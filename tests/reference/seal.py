# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Keys and sealed reports (WIRE.md, section 4): HMAC-SHA-256, Poly1305 and ChaCha20-Poly1305 (RFC 8439) in whole numbers."""
import hashlib
import hmac

from .chacha import chacha_block


def derive_key(master, study_digest, pseudonym):
    return hmac.new(master, b"sotto-key-1" + study_digest + pseudonym.to_bytes(8, "little"), hashlib.sha256).digest()


def poly1305(key, text):
    r = int.from_bytes(key[:16], "little") & 0x0FFFFFFC0FFFFFFC0FFFFFFC0FFFFFFF
    total = 0
    for at in range(0, len(text), 16):
        total = (total + int.from_bytes(text[at:at + 16] + b"\1", "little")) * r % (2**130 - 5)
    return ((total + int.from_bytes(key[16:], "little")) % 2**128).to_bytes(16, "little")


def padded(text):
    return text + bytes(-len(text) % 16)


def aead_seal(key, nonce, text, associated):
    """Ciphertext and tag."""
    stream = b"".join(chacha_block(key, 1 + i, nonce, 20) for i in range((len(text) + 63) // 64))
    sealed = bytes(a ^ b for a, b in zip(text, stream))
    lengths = len(associated).to_bytes(8, "little") + len(sealed).to_bytes(8, "little")
    tag = poly1305(chacha_block(key, 0, nonce, 20)[:32], padded(associated) + padded(sealed) + lengths)
    return sealed + tag


def seal_report(key, study_digest, round_digest, header, payload):
    """The whole report: header, encrypted payload, tag."""
    associated = b"sotto-ad-1" + study_digest + round_digest + header
    return header + aead_seal(key, header[:8] + bytes(4), payload, associated)
