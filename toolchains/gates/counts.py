#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""counts.py --budgets budgets.json --section SECTION --target NAME --json OUT -- COMMAND...: instructions of each randomizer.

COMMAND runs the bench in the emulator; it prints lines `count <name> <mean> <max>`, and `constant <name> <spread>` for what
must not depend on the private value: the largest difference over such values, coins being equal. It is run twice: the
counts must be the same to the last instruction and within the budgets of the target, and a spread no more than the
resolution of the counter. A budget limits the mean, the maximum, or how many times another line's maximum it may be.
"""

import argparse
import re
import subprocess
import sys

import common

SPREAD = re.compile(r"^constant (\S+) (\d+)\s*$", re.MULTILINE)
LINE = re.compile(r"^count (\S+) (\d+) (\d+)\s*$", re.MULTILINE)


def run(command: list[str]) -> tuple[dict[str, dict[str, int]], dict[str, int], int, str]:
    done = subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    counts = {name: {"mean": int(mean), "max": int(most)} for name, mean, most in LINE.findall(done.stdout)}
    spreads = {name: int(spread) for name, spread in SPREAD.findall(done.stdout)}
    return counts, spreads, done.returncode, done.stdout


def check(counts: dict[str, dict[str, int]], budgets: dict[str, dict], unit: str) -> list[str]:
    faults = []
    for name, limits in sorted(budgets.items()):
        if name not in counts:
            faults.append(f"the bench does not count {name}")
            continue
        for other, limit in sorted(limits.get("times", {}).items()):
            if other not in counts:
                faults.append(f"the bench does not count {other}, which {name} is compared with")
            elif counts[name]["max"] > limit * counts[other]["max"]:
                faults.append(f"{name}: {counts[name]['max'] / counts[other]['max']:.3f} times {other}, {limit} allowed")
        for kind in sorted(limits.keys() - {"times"}):
            if counts[name][kind] > limits[kind]:
                faults.append(f"{name}: {kind} {counts[name][kind]} {unit}, {limits[kind]} allowed")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budgets", required=True)
    parser.add_argument("--section", required=True, help="of the budgets")
    parser.add_argument("--target", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--unit", default="instructions")
    parser.add_argument("command", nargs="+")
    args = parser.parse_args()
    first, spreads, code, text = run(args.command)
    second, _, second_code, _ = run(args.command)
    budgets = common.read_json(args.budgets)
    print(text, end="")
    faults = []
    if code != 0 or second_code != 0:
        faults.append(f"the bench exits with {code} and {second_code}")
    if not first:
        faults.append("the bench counts nothing")
    if first != second:
        faults += [f"{name}: {first.get(name)} in one run, {second.get(name)} in another"
                   for name in sorted(first.keys() | second.keys()) if first.get(name) != second.get(name)]
    faults += check(first, budgets.get(args.section, {}).get(args.target, {}), args.unit)
    faults += [f"{name} depends on the private value: {spread} instructions" for name, spread in spreads.items()
               if spread > budgets["constant_spread"]]
    common.write_json(args.json, {"target": args.target, "counts": first, "spreads": spreads})
    return common.report("counts", faults)


if __name__ == "__main__":
    sys.exit(main())
