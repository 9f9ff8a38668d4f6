#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sizes.py --size SIZE --base IMAGE --coins IMAGE --budgets budgets.json --json OUT --target NAME
            --library FILE... -- STEM=IMAGE[,CHECK]...

Flash of each randomizer, by differences of linked images, with everything that they pull in. The base holds the start-up code
and one ChaCha block; COINS adds the private coins; CHECK adds the check of the stem's spec, most of which all stems share; IMAGE
adds the randomizer. Fails when a randomizer exceeds the budget of its target, if there is one. The libraries are measured whole,
as if nothing were dropped by the linker.
"""

import argparse
import sys

import common


def flash(size_tool: str, *files: str) -> int:
    """Bytes of code, constants and initial values in an image, or in all members of libraries."""
    fields = common.output_of(size_tool, "--format=berkeley", "--totals", *files).splitlines()[-1].split()
    return int(fields[0]) + int(fields[1])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--coins")
    parser.add_argument("--budgets", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--library", nargs="+", default=[])
    parser.add_argument("images", nargs="+")
    args = parser.parse_args()
    budget = common.read_json(args.budgets)["flash_bytes"].get(args.target)
    base = flash(args.size, args.base)
    coins = flash(args.size, args.coins) if args.coins else base
    stems, checks, faults = {}, {}, []
    for entry in args.images:
        stem, images = entry.split("=", 1)
        image, _, check = images.partition(",")
        before = flash(args.size, check) if check else base
        checks[stem] = before - coins
        stems[stem] = flash(args.size, image) - before
        over = budget is not None and stems[stem] > budget
        print(f"  {stem:20} {stems[stem]:6} bytes, its check {checks[stem]:5}{'  OVER' if over else ''}")
        if over:
            faults.append(f"{stem} takes {stems[stem]} bytes, {budget} allowed")
        if stems[stem] <= 0:
            faults.append(f"{stem} takes {stems[stem]} bytes: its image does not contain it")
    common.write_json(args.json, {"target": args.target, "budget": budget, "base": base, "coins": coins - base,
                                  "stems": stems, "checks": checks,
                                  "library": flash(args.size, *args.library) if args.library else 0})
    return common.report("sizes", faults, f"base image {base} bytes, private coins {coins - base}")


if __name__ == "__main__":
    sys.exit(main())
