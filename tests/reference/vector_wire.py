# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Vectors of manifest, round and report (WIRE.md): good ones with their fields, bad ones with the refusal, cohorts, sealed reports."""
from . import wire
from .coins import COHORT, PublicCoins, below
from .refused import status_of
from .seal import derive_key, seal_report
from .vector_seeds import seed
from .wire import scale

COLLECTOR = bytes(range(0xC0, 0xD0))


def manifest_row(**given):
    """Bytes, digest, and what a decoder must say about them; the numbers in the order of the layout."""
    fields = {"sealed": 1, "one_scale": 1, "unit": 0, "features": 8, "rows": 20, "answers": 1, "deviation": 8192, "questions": 2,
              "epsilon": 2 * 10**9, "delta": 0, "weights": (1,), "scales": ((0, 1, 0), (0, 1, 0)), **given}
    data = wire.manifest(**{**fields, "scales": [scale(*s) for s in fields["scales"]]}, collector=COLLECTOR, seed=seed("study", 0))
    numbers = [fields[k] for k in ("sealed", "one_scale", "unit")] + [len(fields["weights"])]
    numbers += [fields[k] for k in ("features", "rows", "answers", "deviation", "questions")]
    offset, multiplier, shift = fields["scales"][-1] if fields["scales"] else (0, 1, 0)
    return {"bytes": data.hex(), "digest": wire.digest(wire.decode_manifest(data)).hex(), "numbers": numbers,
            "epsilon_nano": fields["epsilon"], "delta": f"{fields['delta']:016x}", "last_weight": fields["weights"][-1],
            "last_offset": f"{offset % 2**64:016x}", "last_multiplier": multiplier, "last_shift": shift}


def good_manifests():
    many = ((-2**61, -2**31, 61), (2**61 - 1, 2**31 - 1, 0), (12345, 678, 9), (-1, -1, 1))
    return [manifest_row(), manifest_row(sealed=0), manifest_row(signature=b"\x55"), manifest_row(signature=bytes(range(96))),
            manifest_row(one_scale=0, features=3, scales=many), manifest_row(weights=(0, 65535, 1), unit=1, rows=1024, answers=65535),
            manifest_row(features=65535, deviation=32768, questions=0x1FFE, epsilon=12 * 10**9, delta=2**64 - 1, unit=2),
            manifest_row(features=1, rows=1, deviation=1, epsilon=1, weights=tuple(range(1, 65))),
            manifest_row(units=1), manifest_row(units=2, one_scale=0, scales=())]


def with_bytes(data, *changes):
    data = bytearray(data)
    for at, value in changes:
        data[at] = value
    return bytes(data)


def bad_rows(decode, candidates):
    rows = [{"bytes": data.hex(), "status": status_of(decode, data)} for data in candidates]
    assert all(row["status"] != "ok" for row in rows), rows
    return rows


def bad_manifests():
    good = wire.manifest(seed=seed("study", 0))
    signed = good + b"\3abc"
    scales = 86
    changed = [((0, 0x54),), ((4, 0),), ((4, 2),), ((5, 10),), ((5, 11),), ((5, 12),), ((5, 128),), ((6, 3),), ((7, 0),), ((7, 65),), ((8, 0),), ((10, 0),),
               ((10, 1), (11, 4)), ((12, 0),), ((14, 0), (15, 0)), ((14, 1), (15, 128)), ((16, 0), (17, 0), (18, 0), (19, 0)),
               ((20, 3),), ((32, 0),), ((32, 1),), ((33, 32),), ((34, 1),), ((35, 1),), ((84, 0),), ((scales + 12, 62),),
               *[tuple((scales + i, b) for i, b in enumerate(big.to_bytes(8, "little", signed=True))) for big in (2**61, -2**61 - 1)]]
    cut = [good[:n] for n in (0, 1, 4, 5, 35, 83, 84, 85, len(good) - 1)]
    tails = [good + b"\0", good + b"\x61" + bytes(97), signed[:-1], signed + b"\0", good + b"\1"]
    return bad_rows(wire.decode_manifest, [with_bytes(good, *c) for c in changed] + cut + tails)


def round_row(**given):
    fields = {"number": 1, "question": 1, "cohort": 255, "recipe": 0, "stem": 11, "link": 0, "spec": (8, 1, 0, 2062228774),
              "parameters": (0,) * 6, "model": (), "pairs": (), "times": (), **given}
    data = wire.round_(seed("manifest digest", 0), **fields)
    numbers = [fields[k] for k in ("question", "number", "cohort", "recipe", "stem", "link")] + [*fields["spec"], *fields["parameters"]]
    return {"bytes": data.hex(), "digest": wire.digest(wire.decode_round(data)).hex(),
            "numbers": numbers + [len(fields["model"]), len(fields["pairs"])],
            "last_model": list(fields["model"][-1]) if fields["model"] else [0, 0],
            "last_pair": list(fields["pairs"][-1]) if fields["pairs"] else [0, 0],
            "times": [f"{t:016x}" for t in fields["times"] or (0, 0)]}


def good_rounds():
    top = 2**32 - 1
    return [round_row(), round_row(signature=b"\x55" * 96), round_row(number=65535, question=12, cohort=63, recipe=16, stem=1, link=2),
            round_row(spec=(top,) * 4, parameters=(top, 0, 1, 2, 3, top)),
            round_row(model=((0, -2**31), (7, 2**31 - 1), (65535, -1)), pairs=((-2**31, 2**31 - 1), (1, -1))),
            round_row(model=tuple((i, i) for i in range(156))), round_row(pairs=((3, 4),) * 117),
            round_row(times=(0, 1)), round_row(times=(1800000000, 1800086400), signature=b"\x55" * 64),
            round_row(pairs=((3, 4),) * 115, times=(2**63, 2**64 - 1))]


def bad_rounds():
    good = wire.round_(seed("manifest digest", 0), model=((3, 5), (4, 6)), pairs=((1, 2),))
    changed = [((0, 0x4D),), ((3, 0x4D),), ((4, 0),), ((4, 255),), ((5, 0),), ((5, 13),), ((6, 0),), ((40, 64),), ((40, 254),),
               ((41, 255),), ((42, 0),), ((42, 12),), ((43, 3),), ((86, 1),), ((86, 2),), ((87, 1),), ((84, 3),), ((85, 2),), ((94, 3),), ((94, 2),)]
    cut = [good[:n] for n in (0, 4, 5, 87, 88, len(good) - 1)]
    tails = [good + b"\0", good + b"\x61" + bytes(97), good + b"\2a", good + b"\1ab"]
    fitting = wire.round_(seed("manifest digest", 0), model=tuple((i, i) for i in range(156)))
    return bad_rows(wire.decode_round, [with_bytes(good, *c) for c in changed] + cut + tails + [fitting + bytes(89)])


def sealed_row(number, payload_bytes):
    master, study, round_digest = seed("master", number), seed("study digest", number), seed("round digest", number)
    pseudonym = int.from_bytes(seed("pseudonym", number)[:8], "little")
    header = wire.header(study, pseudonym, question=1 + number % 10, number=1 + 9999 * number)
    payload = (seed("payload", number) * 4)[:payload_bytes]
    key = derive_key(master, study, pseudonym)
    return {"master": master.hex(), "study": study.hex(), "round_digest": round_digest.hex(), "pseudonym": f"{pseudonym:016x}",
            "round": 1 + 9999 * number, "question": 1 + number % 10, "key": key.hex(), "payload": payload.hex(),
            "report": seal_report(key, study, round_digest, header, payload).hex()}


def bad_headers():
    sealed = bytes.fromhex(sealed_row(0, 2)["report"])
    plain = wire.header(seed("study digest", 0), 5, sealed=False) + b"\1"
    changed = [((0, 0x01),), ((0, 0x21),), ((0, 0xF1),), ((0, 0x10),), ((0, 0x1D),), ((1, 2),), ((1, 128),), ((2, 0), (3, 0)),
               tuple((8 + i, 0) for i in range(8))]
    return bad_rows(wire.decode_header, [with_bytes(sealed, *c) for c in changed] + [sealed[:n] for n in (0, 1, 15, 16, 17, 32)]
                    + [plain[:16], plain + bytes(1008)])


def cohort_rows():
    rows = []
    for weights in ((1,), (3, 1), (0, 5, 0, 2), tuple(range(1, 65))):
        for number in range(6):
            pseudonym = int.from_bytes(seed("pseudonym", number)[:8], "little")
            x, cohort = below(PublicCoins(seed("study", 0), pseudonym, 0, COHORT).word, sum(weights)), 0
            while x >= weights[cohort]:
                x, cohort = x - weights[cohort], cohort + 1
            data = wire.manifest(weights=weights, collector=COLLECTOR, seed=seed("study", 0))
            rows.append({"manifest": data.hex(), "pseudonym": f"{pseudonym:016x}", "cohort": cohort})
    return rows


def wire_file():
    return {"good_manifest": good_manifests(), "bad_manifest": bad_manifests(), "good_round": good_rounds(), "bad_round": bad_rounds(),
            "good_report": [sealed_row(n, size) for n, size in enumerate((1, 2, 3, 16, 64, 100))], "bad_report": bad_headers(),
            "cohort": cohort_rows()}
