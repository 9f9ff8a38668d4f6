#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Writes tests/vectors/*.json from the reference; --check says whether the committed files are what it would write."""
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
from reference import levels, number, vector_ed25519, vector_item, vector_noise, vector_parts, vector_stems, vector_wire  # noqa: E402

FOLDER = Path(__file__).resolve().parents[1] / "vectors"


def good_and_bad(make):
    def file():
        good, bad = make()
        return {"good": good, "bad": bad}
    return file


FILES = {
    "chacha": vector_parts.chacha_file, "public_coins": vector_parts.public_coins_file,
    "public_block": vector_parts.public_block_file, "private_coins": vector_parts.private_coins_file,
    "exp_neg": vector_parts.exp_neg_file, "two_level": vector_parts.two_level_file, "sha256": vector_parts.sha256_file,
    **{name: good_and_bad(getattr(vector_stems, f"{name}_file")) for name in vector_stems.STEMS},
    "cross_polytope_large": good_and_bad(vector_stems.cross_polytope_large_file),
    "sphere_code_large": good_and_bad(vector_stems.sphere_code_large_file),
    "laplace": good_and_bad(vector_noise.laplace_file), "gaussian": good_and_bad(vector_noise.gaussian_file),
    "ed25519": vector_ed25519.ed25519_file, "item": vector_item.item_file, "levels": levels.levels_file, "number": number.number_file, "wire": vector_wire.wire_file,
}


def lines(value, depth=0):
    """JSON with one line per innermost record: a difference shows the record, and a file stays short."""
    pad = "  " * depth
    if depth < 4 and isinstance(value, dict) and any(isinstance(v, list) and v and isinstance(v[0], dict) for v in value.values()):
        return "{\n" + ",\n".join(f'{pad}  {json.dumps(k)}: {lines(v, depth + 1)}' for k, v in value.items()) + f"\n{pad}}}"
    if isinstance(value, list) and value and isinstance(value[0], dict):
        return "[\n" + ",\n".join(f"{pad}  {lines(v, depth + 1)}" for v in value) + f"\n{pad}]"
    return json.dumps(value)


def text_of(name):
    return lines({"name": name, "made_by": "tests/reference/make_vectors.py", **FILES[name]()}) + "\n"


def first_difference(have, want):
    rows = zip(have.splitlines() + [""], want.splitlines() + [""])
    return next((f"line {i}: {a[:100]!r} is not {b[:100]!r}" for i, (a, b) in enumerate(rows, 1) if a != b), "one is longer")


def check(name):
    """None, or what is wrong with the committed file."""
    path, want = FOLDER / f"{name}.json", text_of(name)
    have = path.read_text() if path.exists() else ""
    return None if have == want else f"{path.name}: {first_difference(have, want)}"


def main(arguments):
    if "--check" not in arguments:
        FOLDER.mkdir(exist_ok=True)
        for name in FILES:
            (FOLDER / f"{name}.json").write_text(text_of(name))
        return 0
    faults = [fault for fault in map(check, FILES) if fault]
    faults += [f"{path.name}: nobody makes it" for path in FOLDER.glob("*.json") if path.stem not in FILES]
    for fault in faults:
        print(fault)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
