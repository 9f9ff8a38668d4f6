#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""to_header.py OUT_DIR: each tests/vectors/<name>.json becomes vectors_<name>.hpp, arrays of the structs in vector_types.hpp."""
import json
import sys
from pathlib import Path

FOLDER = Path(__file__).resolve().parent


class Pool:
    """Numbers that several records share; a run that is already there is not stored twice."""

    def __init__(self):
        self.runs, self.numbers = {}, []

    def place(self, run):
        run = tuple(run)
        if run not in self.runs:
            self.runs[run] = len(self.numbers)
            self.numbers += run
        return self.runs[run]


class Seeds(Pool):
    def index(self, hex_seed):
        return self.place(bytes.fromhex(hex_seed)) // 32


def number(value):
    """A 64-bit number may be written in hex; a negative one is stored as two's complement."""
    value = int(value, 16) if isinstance(value, str) else value
    return f"{value % 2**32 if value < 0 else value}U"


def hex_bytes(text):
    return "{{" + ", ".join(str(b) for b in bytes.fromhex(text)) + "}}"


def braces(*items):
    return "{" + ", ".join(items) + "}"


def status(record):
    return f"Status::{record.get('status', 'ok')}"


def array(kind, name, rows):
    body = "".join(f"    {row},\n" for row in rows)
    return f"inline constexpr std::array<{kind}, {len(rows)}> k_{name} = {{{{\n{body}}}}};\n"


def numbers(kind, name, values):
    suffix = "" if kind.startswith("std::int") or kind == "std::uint8_t" else "U"
    texts = [f"{v}{suffix}" for v in values] or ["0"]
    lines = [", ".join(texts[i:i + 16]) for i in range(0, len(texts), 16)]
    return f"inline constexpr {kind} k_{name}[] = {{\n    " + ",\n    ".join(lines) + "};\n"


def fields(record):
    return braces(*(number(v) for v in (list(record["spec"].values()) + [0, 0])[:3]))


def stem_header(name, data):
    seeds, inputs, reports, digits = Seeds(), Pool(), Pool(), []

    def value(x, pool):
        return number(pool.place(x)) if isinstance(x, list) else number(x)

    def case_row(c):
        return braces(number(c.get("pseudonym", 0)), value(c["input"], inputs), value(c["report"], reports), number(c["next_word"]),
                      number(c.get("round", 0)), number(seeds.index(c["entropy"])), number(seeds.index(c.get("study", "00" * 32))))

    good, cases = [], []
    for g in data["good"]:
        good.append(braces(number(g["epsilon_nano"]), number(g.get("delta", 0)), number(g["delivered_nano"]), fields(g),
                           number(g["threshold"]), number(len(cases)), number(len(g["cases"])), hex_bytes(g["digest"])))
        cases += [case_row(c) for c in g["cases"]]
        digits += [int(t, 16) for t in g.get("digit_thresholds", [])]
    bad = [braces(number(b["epsilon_nano"]), number(b.get("delta", 0)), number(b["cap_nano"]), fields(b), number(b["threshold"]),
                  status(b)) for b in data["bad"]]
    parts = [array("StemGood", f"{name}_good", good), array("StemCase", f"{name}_cases", cases), array("StemBad", f"{name}_bad", bad),
             numbers("std::uint8_t", f"{name}_seeds", seeds.numbers), numbers("std::int16_t", f"{name}_inputs", inputs.numbers)]
    if reports.numbers:
        parts.append(numbers("std::int32_t", f"{name}_reports", reports.numbers))
    if digits:
        parts.append(numbers("std::uint64_t", f"{name}_digit_thresholds", digits))
    return parts


def chacha_header(name, data):
    return [array("ChachaBlock", name, [braces(hex_bytes(r["key"]), hex_bytes(r["nonce"]), number(r["counter"]), number(r["rounds"]),
                                               hex_bytes(r["block"])) for r in data["good"]])]


def label(r):
    return hex_bytes(r["study"]), number(r["pseudonym"]), number(r["round"])


def public_coins_header(name, data):
    return [array("PublicStream", name, [braces(*label(r), number(r["purpose"]), braces(*map(number, r["words_0_to_3"])),
                                                braces(*map(number, r["words_15_to_17"])), number(r["word_39"])) for r in data["good"]])]


def public_block_header(name, data):
    taken = Pool()
    rows = [braces(*label(r), number(r["width"]), number(r["coordinates"]), number(taken.place(r["taken"]))) for r in data["good"]]
    return [array("PublicBlock", name, rows), numbers("std::uint32_t", f"{name}_taken", taken.numbers)]


def private_coins_header(name, data):
    words, rows = Pool(), []
    for session in data["good"] + data["bad"]:
        for i, step in enumerate(session["steps"]):
            rows.append(braces(hex_bytes(step["seed"]), "true" if i == 0 else "false", status(step), number(words.place(step["words"])),
                               number(len(step["words"]))))
    return [array("SeedStep", name, rows), numbers("std::uint32_t", f"{name}_words", words.numbers)]


def exp_neg_header(name, data):
    return [array("ExpNeg", name, [braces(number(r.get("epsilon_nano", 0)), number(r["h"]), number(r["r"]))
                                   for r in data["good"] + data["good_nano"]])]


def number_header(name, data):
    lists = Pool()
    rows = [braces(number(lists.place(r["readings"])), number(len(r["readings"])), "true" if r["hooked"] else "false", number(r["rule"]),
                   number(r["rows"]), str(r["missing"]), number(lists.place(r["pairs"])), number(len(r["pairs"]) // 2),
                   number(r["categories"]), str(r["answer"])) for r in data["good"]]
    texts = [f"{v}LL" for v in lists.numbers]  # -2^31 is no literal of 32 bits
    return [array("NumberAnswer", name, rows),
            f"inline constexpr std::int64_t k_{name}_lists[] = {{{', '.join(texts)}}};\n"]


def levels_header(name, data):
    lists = Pool()
    rows = [braces(number(r["measure"]), number(r["unit"]), number(lists.place(r["rows"])), number(len(r["rows"]) // (r["features"] + 1)),
                   number(lists.place(r["model"])), number(len(r["model"]) // 2), str(r["target_centre"]), str(r["fit_centre"]),
                   number(lists.place(r["answer"])), number(len(r["answer"]))) for r in data["good"]]
    texts = [f"{v}LL" for v in lists.numbers]  # -2^31 is no literal of 32 bits
    return [array("LevelAnswer", name, rows), f"inline constexpr std::int64_t k_{name}_lists[] = {{{', '.join(texts)}}};\n"]


def two_level_header(name, data):
    return [array("Channel", f"{name}_{part}", [
        braces(number(r["epsilon_nano"]), number(r.get("delivered_nano", 0)), number(r["outcomes"]), number(r["inside"]),
               number(r.get("threshold", 0)), status(r)) for r in data[part]]) for part in ("good", "bad", "bad_derive")]


def sha256_header(name, data):
    texts = Pool()
    rows = [braces(number(texts.place(bytes.fromhex(r["text"]))), number(len(r["text"]) // 2), hex_bytes(r["digest"]))
            for r in data["good"]]
    return [array("Sha256Text", name, rows), numbers("std::uint8_t", f"{name}_bytes", texts.numbers)]


def ed25519_header(name, data):
    texts = Pool()
    rows = [braces(hex_bytes(r["key"]), hex_bytes(r["signature"]), number(texts.place(bytes.fromhex(r["message"]))),
                   number(len(r["message"]) // 2), "true" if r["valid"] else "false", f'"{r["kind"]}"') for r in data["good"] + data["bad"]]
    return [array("Ed25519Case", name, rows), numbers("std::uint8_t", f"{name}_bytes", texts.numbers)]


def item_header(name, data):
    texts = Pool()
    rows = [braces(*label(r), braces(*map(number, r["part"])), number(r["fragment"]), number(texts.place(bytes.fromhex(r["item"]))), number(len(r["item"]) // 2),
                   number(r["word"]), number(r["bits"]), number(r["hash"]), number(r["epsilon_nano"]), number(r["threshold"]),
                   hex_bytes(r["entropy"]), number(r["report"])) for r in data["good"]]
    bad = [braces(braces(*map(number, r["part"])), status(r)) for r in data["bad"]]
    return [array("Item", name, rows), array("ItemBad", f"{name}_bad", bad), numbers("std::uint8_t", f"{name}_bytes", texts.numbers)]


def wire_header(name, data):
    pool, manifests, rounds = Pool(), [], []

    def text(hex_text):
        return braces(number(pool.place(bytes.fromhex(hex_text))), number(len(hex_text) // 2))

    for r in data["good_manifest"]:
        manifests.append(braces(text(r["bytes"]), hex_bytes(r["digest"]), braces(*map(number, r["numbers"])), number(r["epsilon_nano"]),
                                number(r["delta"]), number(r["last_weight"]), number(r["last_offset"]), number(r["last_multiplier"]),
                                number(r["last_shift"])))
    for r in data["good_round"]:
        rounds.append(braces(text(r["bytes"]), hex_bytes(r["digest"]), braces(*map(number, r["numbers"])),
                             braces(*map(number, r["last_model"])), braces(*map(number, r["last_pair"])),
                             braces(*map(number, r["times"]))))
    reports = [braces(*(hex_bytes(r[k]) for k in ("master", "study", "round_digest", "key")), number(r["pseudonym"]), number(r["round"]),
                      number(r["question"]), text(r["payload"]), text(r["report"])) for r in data["good_report"]]
    bad = [array("WireBad", f"{name}_bad_{kind}", [braces(text(r["bytes"]), status(r)) for r in data[f"bad_{kind}"]])
           for kind in ("manifest", "round", "report")]
    cohorts = [braces(text(r["manifest"]), number(r["pseudonym"]), number(r["cohort"])) for r in data["cohort"]]
    return [array("WireManifest", f"{name}_manifests", manifests), array("WireRound", f"{name}_rounds", rounds),
            array("WireReport", f"{name}_reports", reports), *bad, array("WireCohort", f"{name}_cohorts", cohorts),
            numbers("std::uint8_t", f"{name}_bytes", pool.numbers)]


def header(name, data):
    make = globals().get(f"{name}_header", stem_header)
    return f"""// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors
// Generated by tests/vectors/to_header.py from {name}.json. Do not edit.
#pragma once

#include "vectors/vector_types.hpp"

namespace sotto::vectors {{

{chr(10).join(make(name, data))}
}}  // namespace sotto::vectors
"""


def main(out_dir):
    for path in sorted(FOLDER.glob("*.json")):
        text = header(path.stem, json.loads(path.read_text()))
        (Path(out_dir) / f"vectors_{path.stem}.hpp").write_text(text)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: to_header.py OUT_DIR")
    main(sys.argv[1])
