#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""test_captured.py SOTTO IMAGE: what the image prints, as captured reports for `sotto audit`, which must find the bounds that Python finds."""

import json
import pathlib
import subprocess
import sys
import tempfile

import audit_bounds

CLOSE = 1e-6


def bound_of_sotto(sotto, case, work):
    study = work / "study"
    study.mkdir(exist_ok=True)
    (study / "manifest.bin").write_bytes(bytes.fromhex(case.manifest))
    (study / "round-1.bin").write_bytes(bytes.fromhex(case.round))
    (work / "reports").write_text("".join(f"{text}\n" for _, text in case.lines))
    (work / "truth").write_text("".join(f"{truth}\n" for truth, _ in case.lines))
    ran = subprocess.run([sotto, "audit", "--reports", work / "reports", "--truth", work / "truth", "--study", study, "--json"],
                         stdout=subprocess.PIPE, check=True)
    return json.loads(ran.stdout)["rows"][0]


def main() -> int:
    sotto, image = sys.argv[1:]
    text = subprocess.run([image], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=True).stdout
    cases = [case for case in audit_bounds.read_cases(text) if case.kind == "single"]
    differing = []
    with tempfile.TemporaryDirectory() as work:
        for case in cases:
            row, (bound, event) = bound_of_sotto(sotto, case, pathlib.Path(work)), case.bound()
            print(f"{case.question} {case.stem}: {row['epsilon_lower_bound']:.6f} ({row['event']}), in Python {bound:.6f} ({event})")
            if abs(row["epsilon_lower_bound"] - bound) > CLOSE or row["epsilon_declared"] != case.epsilon:
                differing.append(f"{case.question} {case.stem}")
    print(f"differ: {', '.join(differing)}" if differing else "the same bounds")
    return 1 if differing or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
