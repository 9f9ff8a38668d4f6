#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""make_study.py STUDY_DIR [CREDENTIALS.csv] > study.h: what a study's owner hands out, as C arrays for a firmware.

STUDY_DIR is what `sotto study --out` wrote, CREDENTIALS.csv what `sotto enroll` wrote; the first credential is taken.
"""

import csv
import pathlib
import sys


def array(name: str, data: bytes) -> str:
    rows = [", ".join(f"0x{b:02x}" for b in data[i:i + 16]) for i in range(0, len(data), 16)]
    return f"static const uint8_t {name}[{len(data)}] = {{\n    " + ",\n    ".join(rows) + "};\n"


def main() -> None:
    directory = pathlib.Path(sys.argv[1])
    print("/* SPDX-License-Identifier: Apache-2.0 */\n/* Copyright The Sotto Authors */\n"
          "/* Made by make_study.py. */\n"
          "#ifndef STUDY_H\n#define STUDY_H\n\n#include \"sotto.h\"\n")
    print(array("study_manifest", (directory / "manifest.bin").read_bytes()))
    print(array("study_round", (directory / "round-1.bin").read_bytes()))
    if len(sys.argv) > 2:
        with open(sys.argv[2], newline="", encoding="utf-8") as file:
            first = next(csv.DictReader(file))
        key = ", ".join(f"0x{b:02x}" for b in bytes.fromhex(first["key"]))
        print("/* A real credential is a secret of one device: never in a repository. */\n"
              f"static const sotto_credential study_credential = {{UINT64_C(0x{first['pseudonym']}),\n    {{{key}}}}};\n")
    print("#endif")


if __name__ == "__main__":
    main()
