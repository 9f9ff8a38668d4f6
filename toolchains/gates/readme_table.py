#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""readme_table.py BUILD_DIR... [--write README.md | --check README.md]: sizes, stack and instructions per target.

Reads what the gates left in BUILD_DIR/gates and makes Markdown. Without an option it prints; --write replaces the text
between the marks in the file; --check fails when the file differs, unless another compiler made its numbers.
"""

import argparse
import pathlib
import sys

import common

BEGIN, END = "<!-- sizes:begin -->", "<!-- sizes:end -->"
COMPILERS = "Compilers: "
COINS = "private coins, beyond ChaCha"
FIRMWARE = {"ed25519": "the Ed25519 verifier, alone",
            "sealed_vote": "a firmware that answers sealed votes", "every_question": "a firmware that answers every question"}
WHOLE = "all of it, ChaCha included"
TITLES = {"cortex-m0plus": "Cortex-M0+", "cortex-m3": "Cortex-M3", "cortex-m4f": "Cortex-M4F", "cortex-m7": "Cortex-M7",
          "cortex-m33": "Cortex-M33", "riscv32imac": "RV32IMAC"}


def results(directories: list[str], name: str) -> dict[str, dict]:
    """The results of one gate by target, in the order of TITLES; targets without a result are left out."""
    found = {}
    for directory in directories:
        file = pathlib.Path(directory) / "gates" / f"{name}.json"
        if file.exists():
            value = common.read_json(file)
            found[value["target"]] = value
    return {target: found[target] for target in TITLES if target in found}


def table(first: str, rows: list[str], columns: dict[str, dict[str, str]]) -> list[str]:
    lines = ["| " + " | ".join([first, *(TITLES[target] for target in columns)]) + " |",
             "| --- |" + " ---: |" * len(columns)]
    for row in rows:
        lines.append("| " + " | ".join([row if " " in row else f"`{row}`", *(cells.get(row, "") for cells in columns.values())]) + " |")
    return lines


def markdown(directories: list[str]) -> str:
    target = results(directories, "target")
    sizes, stack, counts = (results(directories, name) for name in ("sizes", "stack", "counts_randomizers"))
    if not sizes or not stack:
        raise SystemExit("readme_table: no results; build and test the cross presets first")
    stems = sorted({stem for value in sizes.values() for stem in value["stems"]})
    flash = {name: {stem: f"{value['stems'][stem]:,} + {value['checks'][stem]:,} / {stack[name]['stems'].get(stem, 0):,}"
                    for stem in value["stems"]}
             for name, value in sizes.items() if name in stack}
    for name, cells in flash.items():
        cells[COINS] = f"{sizes[name]['coins']:,}"
        for firmware, size in sizes[name]["firmware"].items():
            depth = stack[name].get("firmware", {}).get(firmware)
            cells[FIRMWARE[firmware]] = f"{size:,}" + (f" / {depth:,}" if depth else "")
        cells[WHOLE] = f"{sizes[name]['library']:,} / {stack[name]['worst']:,}"
    lines = [COMPILERS + ", ".join(sorted({value["compiler"] for value in target.values()})) + "; `-Os`.", "",
             "Flash of a randomizer + of the check of its spec / worst stack, in bytes. The checks are mostly one piece of code, "
             "which several randomizers share. Static RAM is 0. A firmware's line is what the linker takes of the library, with ledger, formats, "
             "randomizers and sealing, / its worst stack; the firmware's own code is not counted. The last line is all that the archives hold.", "",
             *table("randomizer", [*stems, COINS, *FIRMWARE.values(), WHOLE], flash)]
    if counts:
        names = sorted({name for value in counts.values() for name in value["counts"]})
        instructions = {target: {name: f"{count['mean']:,} ({count['max']:,})" for name, count in value["counts"].items()}
                        for target, value in counts.items()}
        lines += ["", "Instructions per report, ChaCha included, after `begin_report` (a line of its own): mean (max).", "", *table("report", names, instructions)]
    local = {}
    for section in ("local_selectors", "local_estimators", "local_projections"):
        for name, value in results(directories, f"counts_{section}").items():
            cells = {row: f"{count['mean']:,}" for row, count in value["counts"].items()}
            local[name] = local.get(name, {}) | cells
    if local:
        lines += ["", "Instructions of a local answer, from samples that lie in flash (the names say rows x features; the selectors' "
                  "are 100 x 1024, the Lasso's 100 x 64). `lasso_worst` uses up its 8,192 visits.", "",
                  *table("local answer", list(next(iter(local.values()))), local)]
    return "\n".join(lines)


def split(file: str) -> tuple[str, str, str]:
    text = pathlib.Path(file).read_text(encoding="utf-8")
    if text.count(BEGIN) != 1 or text.count(END) != 1:
        raise SystemExit(f"readme_table: {file} needs the marks {BEGIN} and {END}, once each")
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    return before, old.strip(), after


def compilers(text: str) -> str:
    return next((line for line in text.splitlines() if line.startswith(COMPILERS)), "")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE")
    parser.add_argument("--check", metavar="FILE")
    parser.add_argument("directories", nargs="+", metavar="BUILD_DIR")
    args = parser.parse_args()
    new = markdown(args.directories)
    if args.write:
        before, _, after = split(args.write)
        pathlib.Path(args.write).write_text(f"{before}{BEGIN}\n{new}\n{END}{after}", encoding="utf-8")
    elif args.check:
        _, old, _ = split(args.check)
        if compilers(old) and compilers(old) != compilers(new):
            return common.report("readme_table", [], f"not compared: {args.check} has '{compilers(old)}'")
        stale = [] if old == new else [f"{args.check} is stale; the build gives:\n{new}"]
        return common.report("readme_table", stale)
    else:
        print(new)
    return 0


if __name__ == "__main__":
    sys.exit(main())
