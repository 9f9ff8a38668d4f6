#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sizes.py --size SIZE --base IMAGE --coins IMAGE --budgets budgets.json --json OUT --target NAME
            --libraries FILE... [--objdump OBJDUMP --empty IMAGE --firmware NAME=IMAGE[,OWN]...] -- STEM=IMAGE[,CHECK]...

Flash of each randomizer, by differences of linked images, with everything that they pull in. The base holds the start-up code
and one ChaCha block; COINS adds the private coins; CHECK adds the check of the stem's spec, most of which all stems share; IMAGE
adds the randomizer. A firmware is a linked one: what it takes beyond an image of nothing but start-up code, and beyond what its own
object OWN brings, is what the library puts into it, with all that the library calls. The libraries are measured whole, too, as if
nothing were dropped by the linker. Fails when something exceeds the budget of its target, or has a budget and no image.
"""

import argparse
import re
import sys

import common


def flash(size_tool: str, *files: str) -> int:
    """Bytes of code, constants and initial values in an image, or in all members of libraries."""
    fields = common.output_of(size_tool, "--format=berkeley", "--totals", *files).splitlines()[-1].split()
    return int(fields[0]) + int(fields[1])


def own_bytes(objdump: str, image: str, own: str) -> int:
    """Bytes of an image that come from the firmware's own object. Inline functions, which are shared, count as the library's."""
    linked = {symbol.name for symbol in common.symbols_of(objdump, image)}
    return sum(symbol.size for symbol in common.symbols_of(objdump, own)
               if symbol.name in linked and "w" not in symbol.flags and re.match(r"\.(text|rodata|data)", symbol.section))


def firmware_sizes(args: argparse.Namespace, budget: dict[str, int], faults: list[str]) -> dict[str, int]:
    """Bytes that the library adds to each firmware."""
    sizes = {}
    for entry in args.firmware:
        name, files = entry.split("=", 1)
        image, _, own = files.partition(",")
        sizes[name] = flash(args.size, image) - flash(args.size, args.empty) - (own_bytes(args.objdump, image, own) if own else 0)
        print(f"  {name:20} {sizes[name]:6} bytes of a firmware")
        if sizes[name] <= 0:
            faults.append(f"firmware {name} takes {sizes[name]} bytes: its image is empty")
    for name, allowed in budget.items():
        if name not in sizes:
            faults.append(f"firmware {name} has a budget and no image")
        elif sizes[name] > allowed:
            faults.append(f"firmware {name} takes {sizes[name]} bytes, {allowed} allowed")
    return sizes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--size", required=True)
    parser.add_argument("--base", required=True)
    parser.add_argument("--coins")
    parser.add_argument("--budgets", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--libraries", nargs="+", default=[])
    parser.add_argument("--objdump")
    parser.add_argument("--empty")
    parser.add_argument("--firmware", nargs="+", default=[])
    parser.add_argument("images", nargs="+")
    args = parser.parse_args()
    budgets = common.read_json(args.budgets)
    budget = budgets["flash_bytes"].get(args.target)
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
    firmware = firmware_sizes(args, budgets.get("firmware_bytes", {}).get(args.target, {}), faults)
    library = flash(args.size, *args.libraries) if args.libraries else 0
    allowed = budgets.get("library_bytes", {}).get(args.target)
    if allowed is not None and not 0 < library <= allowed:
        faults.append(f"the library takes {library} bytes, {allowed} allowed")
    common.write_json(args.json, {"target": args.target, "budget": budget, "base": base, "coins": coins - base,
                                  "stems": stems, "checks": checks, "firmware": firmware, "library": library})
    return common.report("sizes", faults, f"base image {base} bytes, private coins {coins - base}, library {library}")


if __name__ == "__main__":
    sys.exit(main())
