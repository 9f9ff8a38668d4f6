# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What the gates share: running a tool, reporting, results as JSON."""

import json
import pathlib
import re
import subprocess
from typing import NamedTuple

# objdump -t: value, seven flags, section, size, visibility if any, name
SYMBOL = re.compile(r"^([0-9a-f]+) (.{7}) (\S+)\t([0-9a-f]+) (?:\.\w+ |0x\w+ )*(\S+)$")


def output_of(*command: str) -> str:
    """Standard output of a tool that must succeed."""
    return subprocess.run(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, check=True, text=True).stdout


class Symbol(NamedTuple):
    name: str
    address: int
    flags: str  # of objdump: l local, g global, w weak; F function, O object, f file, d section
    section: str
    size: int


def symbols_of(objdump: str, *files: str) -> list[Symbol]:
    """The symbols of machine code, from objdump: for an object with link-time code nm shows the symbols of that code instead."""
    found = map(SYMBOL.match, output_of(objdump, "--syms", *files).splitlines())
    return [Symbol(m[5], int(m[1], 16), m[2], m[3], int(m[4], 16)) for m in found if m]


def report(gate: str, faults: list[str], remark: str = "") -> int:
    """Prints the verdict of a gate; returns its exit code."""
    for fault in faults:
        print(f"{gate}: {fault}")
    if remark:
        print(f"{gate}: {remark}")
    print(f"{gate}: {'FAILED' if faults else 'passed'}")
    return 1 if faults else 0


def write_json(path: str, value: object) -> None:
    file = pathlib.Path(path)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(value, indent=2, sort_keys=True) + "\n", encoding="utf-8")


def read_json(path: str | pathlib.Path) -> dict:
    return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))


def compiler_command(command: list[str]) -> list[str]:
    """A compile command without the compiler cache and its environment, which CMake puts before the compiler."""
    cache = next((i for i, part in enumerate(command) if pathlib.Path(part).name == "ccache"), -1)
    return command[cache + 1:]
