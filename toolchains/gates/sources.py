#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sources.py --commands compile_commands.json DIR...: fails on a .cpp file below the DIRs that no target compiles.

Sources are listed by name, and a test that nobody lists passes for ever.
"""

import argparse
import pathlib
import re
import sys

import common


def parts_of(batch: pathlib.Path) -> list[pathlib.Path]:
    """The files of a unity batch (a generated .cxx that only includes sources); empty for any other file."""
    if batch.suffix != ".cxx" or not batch.exists():
        return []
    names = re.findall(r'^#include "(.+\.cpp)"$', batch.read_text(), re.MULTILINE)
    return [(batch.parent / name).resolve() for name in names]


def compiled_by(commands: str) -> set[pathlib.Path]:
    """Files that a target compiles, alone or in a unity batch."""
    compiled = {(pathlib.Path(entry["directory"]) / entry["file"]).resolve() for entry in common.read_json(commands)}
    return compiled.union(*(parts_of(file) for file in compiled))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", required=True)
    parser.add_argument("--except", dest="others", nargs="*", default=[], help="directories that other builds compile")
    parser.add_argument("directories", nargs="+")
    args = parser.parse_args()
    compiled = compiled_by(args.commands)
    others = [pathlib.Path(other).resolve() for other in args.others]
    files = [file.resolve() for directory in args.directories for file in sorted(pathlib.Path(directory).rglob("*.cpp"))]
    files = [file for file in files if not any(file.is_relative_to(other) for other in others)]
    faults = [f"no target compiles {file}" for file in files if file not in compiled]
    if not files:
        faults.append("no sources found")
    return common.report("sources", faults, f"{len(files)} sources")


if __name__ == "__main__":
    sys.exit(main())
