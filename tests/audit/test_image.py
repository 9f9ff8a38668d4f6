#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""test_image.py --json OUT -- COMMAND...: runs the image of audit_image.cpp and bounds what its reports show.

No report may show more than its case may spend, nor may the instructions of send(), and every randomizer must be there. Bounds are
printed, and written to OUT.
"""

import argparse
import json
import pathlib
import subprocess
import sys

import audit_bounds

STEMS = {"vote/grr", "vote/walsh_hash", "grr", "walsh_hash", "hadamard_response", "block", "window", "laplace", "gaussian", "hemisphere",
         "cross_polytope", "sphere_code"}


def rows_of(text: str) -> list[dict]:
    rows = []
    for case in audit_bounds.read_cases(text):
        row = {"kind": case.kind, "question": case.question, "stem": case.stem, "epsilon": case.epsilon, "delta": case.delta,
               "runs": len(case.runs["1"]), "refused": case.refused}
        if not case.refused:
            row["epsilon_lower_bound"], row["event"] = case.bound()
            timed = any(o.time for o in case.runs["1"])
            row["epsilon_of_timing"] = case.time_bound() if timed else None
            row["coins"], row["misdrawn"] = case.coins, case.misdrawn()
        rows.append(row)
    return rows


def faults_of(rows: list[dict]) -> list[str]:
    told = {row["stem"] for row in rows if row["delta"] > 0 or row.get("epsilon_lower_bound", 0) > 0}
    faults = [f"{stem}: no report, or two data sets that cannot be told apart, so that nothing was audited" for stem in sorted(STEMS - told)]
    read = {row["stem"] for row in rows if row.get("coins")} | {"gaussian"}
    faults += [f"{stem}: no threshold was read" for stem in sorted(STEMS - read)]
    for row in rows:
        name = f"{row['kind']} {row['question']} {row['stem']}"
        if row["refused"]:
            faults.append(f"{name}: the device refused with status {row['refused']}")
            continue
        if row["epsilon_lower_bound"] > row["epsilon"]:
            faults.append(f"{name}: reports show epsilon {row['epsilon_lower_bound']:.3f}, {row['epsilon']} was promised")
        if row["misdrawn"]:
            faults.append(f"{name}: the device draws otherwise than its certificate says: {row['coins'] or 'too little noise'}")
        if row["epsilon_of_timing"]:  # for the Gaussian too: its time follows the noise, which follows nothing
            faults.append(f"{name}: the instructions of send() show epsilon {row['epsilon_of_timing']:.3f}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--json", type=pathlib.Path)
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    done = subprocess.run(args.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode != 0:
        print(f"the image exits with {done.returncode}")
        return 1
    rows = rows_of(done.stdout)
    for row in rows:
        print(" ".join(f"{key}={value:.3f}" if isinstance(value, float) else f"{key}={value}" for key, value in row.items()))
    if args.json:
        args.json.parent.mkdir(parents=True, exist_ok=True)
        args.json.write_text(json.dumps(rows, indent=1) + "\n")
    faults = faults_of(rows)
    print("\n".join(faults) or "no bound exceeds its promise")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
