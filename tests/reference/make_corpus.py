#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Writes tests/fuzz/corpus/{manifest,round,report} from the wire vectors: what a fuzzer starts from."""
import json
import sys
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]


def main():
    vectors = json.loads((TESTS / "vectors/wire.json").read_text())
    for kind in ("manifest", "round", "report"):
        folder = TESTS / "fuzz/corpus" / kind
        folder.mkdir(parents=True, exist_ok=True)
        for quality in ("good", "bad"):
            for number, row in enumerate(vectors[f"{quality}_{kind}"]):
                data = bytes.fromhex(row["report" if (kind, quality) == ("report", "good") else "bytes"])
                if data:
                    (folder / f"{quality}_{number:02}").write_bytes(data)


if __name__ == "__main__":
    sys.exit(main())
