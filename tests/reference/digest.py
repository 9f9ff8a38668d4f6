# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The digest of a spec (section 9)."""
import hashlib
import struct

TAG = b"sotto-spec-1"


def digest_of(stem_number, epsilon_nano, fields, threshold, delta=None):
    text = TAG + struct.pack("<BQ", stem_number, epsilon_nano)
    text += b"".join(struct.pack("<I", field) for field in fields) + struct.pack("<I", threshold)
    if delta is not None:
        text += struct.pack("<Q", delta)
    return hashlib.sha256(text).hexdigest()
