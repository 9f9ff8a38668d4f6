# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Manifest, round and report (WIRE.md): encoders, and decoders that give fields or the name of a refusal."""
import hashlib
import struct

from .refused import require

MANIFEST, ROUND = b"SOTM", b"SOTR"
MANIFEST_FIXED, ROUND_FIXED, SCALE, MODEL, PAIR, TIMES = 84, 88, 13, 6, 8, 16
EVERY_COHORT = 255


def digest(body):
    return hashlib.sha256(body).digest()


def scale(offset=0, multiplier=1, shift=0):
    return struct.pack("<qiB", offset, multiplier, shift)


def manifest(sealed=True, one_scale=True, units=0, unit=0, features=8, rows=20, answers=1, deviation=8192, epsilon=2 * 10**9, delta=0,
             questions=2, collector=bytes(16), seed=bytes(32), weights=(1,), scales=(scale(), scale()), signature=b""):
    flags = (1 if sealed else 0) | (2 if one_scale else 0) | units << 2
    body = MANIFEST + struct.pack("<BBBBHHHHQQHH", 1, flags, unit, len(weights), features, rows, answers, deviation, epsilon, delta,
                                  questions, 0)
    body += collector + seed + b"".join(struct.pack("<H", w) for w in weights) + b"".join(scales)
    return body + trailer(signature)


def round_(study, number=1, question=1, cohort=EVERY_COHORT, recipe=0, stem=11, link=0, spec=(8, 1, 0, 2062228774),
           parameters=(0,) * 6, model=(), pairs=(), times=(), signature=b""):
    body = ROUND + struct.pack("<BBH", 1, question, number) + study + struct.pack("<BBBB", cohort, recipe, stem, link)
    body += struct.pack("<4I6IBBH", *spec, *parameters, len(model), len(pairs), 1 if times else 0)
    body += b"".join(struct.pack("<Hi", *entry) for entry in model) + b"".join(struct.pack("<ii", *pair) for pair in pairs)
    body += struct.pack("<QQ", *times) if times else b""
    return body + trailer(signature)


def header(study_digest, pseudonym, question=1, sealed=True, number=1):
    return struct.pack("<BBH", 16 | question, 1 if sealed else 0, number) + study_digest[:4] + pseudonym.to_bytes(8, "little")


def trailer(signature):
    return bytes([len(signature)]) + signature if signature else b""


def check_frame(data, magic, least, most):
    require(len(data) <= most, "too_large")
    require(len(data) >= 5, "truncated")
    require(data[:4] == magic, "bad_magic")
    require(data[4] == 1, "unsupported_version")
    require(len(data) >= least, "truncated")


def split_signature(data, size):
    require(len(data) >= size, "truncated")
    rest = data[size:]
    if rest:
        require(1 <= rest[0] <= 96, "trailing_bytes")
        require(len(rest) - 1 >= rest[0], "truncated")
        require(len(rest) - 1 == rest[0], "trailing_bytes")
    return data[:size]


def decode_manifest(data):
    """The body, when the bytes are a manifest."""
    check_frame(data, MANIFEST, MANIFEST_FIXED, 65536)
    flags, unit, cohorts, features, rows, answers, deviation, epsilon, _, questions, reserved = struct.unpack("<BBBHHHHQQHH", data[5:36])
    units = flags >> 2
    require(flags <= 9 and unit <= 2 and 1 <= cohorts <= 64 and features and answers and 1 <= rows <= 1024
            and 1 <= deviation <= 32768 and 1 <= epsilon <= 12 * 10**9 and questions and questions & ~0x1FFE == 0 and reserved == 0,
            "bad_field")
    scales = 0 if units == 2 else 2 if flags & 2 else features + 1
    body = split_signature(data, MANIFEST_FIXED + 2 * cohorts + scales * SCALE)
    require(any(data[MANIFEST_FIXED:MANIFEST_FIXED + 2 * cohorts]), "bad_field")
    for at in range(MANIFEST_FIXED + 2 * cohorts, len(body), SCALE):
        offset, _, shift = struct.unpack("<qiB", body[at:at + SCALE])
        require(-2**61 <= offset < 2**61 and shift <= 61, "bad_field")
    return body


def decode_round(data):
    """The body, when the bytes are a round."""
    check_frame(data, ROUND, ROUND_FIXED, 1024)
    question, number = struct.unpack("<BH", data[5:8])
    cohort, recipe, stem, link = data[40:44]
    entries, pairs, times, reserved = data[84:88]
    require(1 <= question <= 12 and number and (cohort < 64 or cohort == EVERY_COHORT) and recipe <= 23 and 1 <= stem <= 11
            and link <= 2 and times <= 1 and reserved == 0, "bad_field")
    body = split_signature(data, ROUND_FIXED + MODEL * entries + PAIR * pairs + TIMES * times)
    features = [struct.unpack("<H", body[ROUND_FIXED + MODEL * i:][:2])[0] for i in range(entries)]
    require(features == sorted(set(features)), "bad_field")
    return body


def decode_header(data):
    """(question, sealed, round, study prefix, pseudonym), when the bytes begin like a report."""
    require(len(data) <= 1024, "too_large")
    require(len(data) > 0, "truncated")
    require(data[0] >> 4 == 1, "unsupported_version")
    require(len(data) >= 16, "truncated")
    flags, number = struct.unpack("<BH", data[1:4])
    question, pseudonym = data[0] & 15, int.from_bytes(data[8:16], "little")
    require(1 <= question <= 12 and flags <= 1 and number and pseudonym, "bad_field")
    require(len(data) >= 17 + 16 * flags, "truncated")
    return question, bool(flags), number, data[4:8], pseudonym
