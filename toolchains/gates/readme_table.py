#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""readme_table.py BUILD_DIR... [--write FILE... | --check FILE...]: sizes, stack and instructions per target.

Reads what the gates left in BUILD_DIR/gates and makes Markdown: all tables between the marks `sizes`, and the few
numbers that a firmware engineer asks first between the marks `sizes-short`, both in docs/SIZES.md. Without an option it prints all
tables; --write replaces the text between the marks in the files; --check fails when a file differs, unless another compiler made
its numbers.
"""

import argparse
import pathlib
import sys

import common

MARKS = ("sizes", "sizes-short")
COMPILERS = "Compilers: "
COINS = "private coins, beyond ChaCha"
FIRMWARE = {"ed25519": "the Ed25519 verifier, alone",
            "sealed_vote": "a firmware that answers sealed votes", "every_question": "a firmware that answers every question"}
QUESTION = "question_"
SENT = "instructions of a sealed vote, from the answer to the bytes"
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


def firmware_cell(name: str, sizes: dict, stack: dict) -> str:
    """Flash, and the worst stack if the call graph was followed."""
    depth = stack.get("firmware", {}).get(name)
    return f"{sizes['firmware'][name]:,}" + (f" / {depth:,}" if depth else "")


def compilers_line(directories: list[str]) -> str:
    return COMPILERS + ", ".join(sorted({value["compiler"] for value in results(directories, "target").values()})) + "; `-Os`."


def measured(directories: list[str]) -> tuple[dict, dict]:
    sizes, stack = results(directories, "sizes"), results(directories, "stack")
    if not sizes or not stack:
        raise SystemExit("readme_table: no results; build and test the cross presets first")
    return {name: value for name, value in sizes.items() if name in stack}, stack


def flash_table(directories: list[str]) -> list[str]:
    sizes, stack = measured(directories)
    stems = sorted({stem for value in sizes.values() for stem in value["stems"]})
    flash = {}
    for name, value in sizes.items():
        cells = {stem: f"{value['stems'][stem]:,} + {value['checks'][stem]:,} / {stack[name]['stems'].get(stem, 0):,}" for stem in value["stems"]}
        cells[COINS] = f"{value['coins']:,}"
        cells |= {title: firmware_cell(firmware, value, stack[name]) for firmware, title in FIRMWARE.items() if firmware in value["firmware"]}
        cells[WHOLE] = f"{value['library']:,} / {stack[name]['worst']:,}"
        flash[name] = cells
    return ["Flash of a randomizer + of the check of its spec / worst stack, in bytes.", "",
            *table("randomizer", [*stems, COINS, *FIRMWARE.values(), WHOLE], flash)]


def vote_table(directories: list[str]) -> list[str]:
    """A sealed vote as a firmware in C links it: with link-time optimisation and without, computed and run."""
    sizes, stack = measured(directories)
    cells: dict[str, dict[str, str]] = {}
    for name, value in sizes.items():
        of_target = {}
        for firmware, title in (("sealed_vote", "flash, with link-time optimisation"), ("sealed_vote_no_lto", "flash, without"),
                                ("sealed_vote_one_file", "flash, without, in one file")):
            if firmware in value["firmware"]:
                of_target[title] = f"{value['firmware'][firmware]:,}"
        if depth := stack[name].get("firmware", {}).get("sealed_vote"):
            of_target["worst stack, computed"] = f"{depth:,}"
        cells[name] = of_target
    for section, how in (("painted", "with"), ("painted_no_lto", "without"), ("painted_one_file", "in one file")):
        for name, value in results(directories, f"counts_{section}").items():
            counts = dict(value["counts"])
            ram = counts.pop("caller_ram", None)
            of_target = cells.setdefault(name, {})
            for call, count in counts.items():
                of_target[f"stack of `{call}`, painted, {how}"] = f"{count['max']:,}"
            if ram:
                of_target["RAM that the caller supplies"] = f"{ram['max']:,}"
    rows = list(dict.fromkeys(row for of_target in cells.values() for row in of_target))
    rows.sort(key=lambda row: (row.startswith("RAM"), row.startswith("stack")))
    if not rows:
        return []
    return ["", "A firmware in C that answers sealed votes, through sotto.h, in bytes.", "", *table("", rows, cells)]


def question_table(directories: list[str]) -> list[str]:
    """Firmwares that answer one question each: those whose name begins with question_."""
    sizes, stack = measured(directories)
    cells = {name: {firmware.removeprefix(QUESTION): firmware_cell(firmware, value, stack[name])
                    for firmware in value["firmware"] if firmware.startswith(QUESTION)} for name, value in sizes.items()}
    cells = {name: of_target for name, of_target in cells.items() if of_target}
    if not cells:
        return []
    rows = sorted({question for of_target in cells.values() for question in of_target})
    return ["", "Flash / worst stack of a firmware that answers one question, in bytes.", "", *table("question", rows, cells)]


def counts_table(directories: list[str], sections: tuple[str, ...], first: str, title: str, with_max: bool) -> list[str]:
    """Instructions that the benches of these sections counted."""
    cells: dict[str, dict[str, str]] = {}
    for section in sections:
        for name, value in results(directories, f"counts_{section}").items():
            cells.setdefault(name, {}).update(
                {row: f"{count['mean']:,}" + (f" ({count['max']:,})" if with_max else "") for row, count in value["counts"].items()})
    if not cells:
        return []
    rows = list(dict.fromkeys(row for of_target in cells.values() for row in of_target))
    if len(sections) == 1:
        rows.sort()
    return ["", title, "", *table(first, rows, cells)]


def all_tables(directories: list[str]) -> str:
    lines = [compilers_line(directories), "", *flash_table(directories), *vote_table(directories), *question_table(directories)]
    lines += counts_table(directories, ("randomizers",), "report", "Instructions per report, mean (max).", True)
    lines += counts_table(directories, ("session", "seal", "ledger", "ed25519"), "step", "Instructions around a report, mean (max).", True)
    lines += counts_table(directories, ("local_selectors", "local_estimators", "local_projections"), "local answer",
                          "Instructions of a local answer, mean.", False)
    return "\n".join(lines)


def short_table(directories: list[str]) -> str:
    sizes, stack = measured(directories)
    sent = results(directories, "counts_session")
    cells = {}
    for name, value in sizes.items():
        cells[name] = {FIRMWARE[firmware]: firmware_cell(firmware, value, stack[name])
                       for firmware in FIRMWARE if firmware in value["firmware"]}
        if "send_vote" in sent.get(name, {}).get("counts", {}):
            cells[name][SENT] = f"{sent[name]['counts']['send_vote']['max']:,}"
    rows = [*FIRMWARE.values(), *([SENT] if sent else [])]
    return "\n".join([compilers_line(directories), "", *table("flash / worst stack, in bytes", rows, cells)])


MAKERS = {"sizes": all_tables, "sizes-short": short_table}


def split(file: str, text: str, mark: str) -> tuple[str, str, str] | None:
    """The text before, between and after the marks; None if the file has no marks."""
    begin, end = f"<!-- {mark}:begin -->", f"<!-- {mark}:end -->"
    if (text.count(begin), text.count(end)) == (0, 0):
        return None
    if (text.count(begin), text.count(end)) != (1, 1):
        raise SystemExit(f"readme_table: {file} needs the marks {begin} and {end}, once each")
    before, rest = text.split(begin)
    old, after = rest.split(end)
    return before + begin, old.strip(), end + after


def compilers(text: str) -> str:
    return next((line for line in text.splitlines() if line.startswith(COMPILERS)), "")


def stale_in(file: str, directories: list[str], write: bool) -> list[str]:
    """Replaces the tables of a file, or names those for which the build has no results."""
    text = pathlib.Path(file).read_text(encoding="utf-8")
    faults, found = [], 0
    for mark in MARKS:
        parts = split(file, text, mark)
        if parts is None:
            continue
        found += 1
        new = MAKERS[mark](directories)
        if write:
            text = f"{parts[0]}\n{new}\n{parts[2]}"
        elif compilers(parts[1]) and compilers(parts[1]) != compilers(new):
            print(f"not compared: {file} has '{compilers(parts[1])}'")
        elif parts[1] != new:
            faults.append(f"{file} is stale; the build gives:\n{new}")
    if not found:
        raise SystemExit(f"readme_table: {file} has no marks of a table: <!-- {MARKS[0]}:begin --> and <!-- {MARKS[0]}:end -->")
    if write:
        pathlib.Path(file).write_text(text, encoding="utf-8")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", metavar="FILE", nargs="+", default=[])
    parser.add_argument("--check", metavar="FILE", nargs="+", default=[])
    parser.add_argument("directories", nargs="+", metavar="BUILD_DIR")
    args = parser.parse_args()
    for file in args.write:
        stale_in(file, args.directories, True)
    if args.check:
        return common.report("readme_table", [fault for file in args.check for fault in stale_in(file, args.directories, False)])
    if not args.write:
        print(all_tables(args.directories))
    return 0


if __name__ == "__main__":
    sys.exit(main())
