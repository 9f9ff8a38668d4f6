#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""floats.py --objdump OBJDUMP --processor NAME LIBRARY...: floating-point instructions in the libraries.

The disassembly is searched because a linker never sees the instructions of an FPU. Soft-float calls are found by
symbols.py. On ARM and AArch64 any use of the vector registers counts; on x86-64, where integer code uses them too, the
arithmetic and conversions of float and double count.
"""

import argparse
import re
import sys

import common

# <address>: <mnemonic> <operands>, with --no-show-raw-insn
INSTRUCTION = re.compile(r"^\s*[0-9a-f]+:\s+(\S+)\s*(.*)$")
BRANCH = re.compile(r"^(b|bl|b\.\w+|cbn?z|tbn?z|adrp?)$")  # AArch64: an address such as d8 is not a register
FLOATS = {
    "arm": (re.compile(r"^v[a-z]"), None),
    "aarch64": (re.compile(r"^f[a-z]|^[us]cvtf"), re.compile(r"(?<![\w#])[bhsdqv]\d{1,2}(?!\w)")),
    "riscv": (re.compile(r"^f(?!ence)[a-z]"), None),
    "x86": (re.compile(r"^v?(u?comi|add|sub|mul|div|sqrt|min|max|cvt\w*|round)[sp][sd]$|^v?cvt|^f[a-z]"), None),
}


def family(processor: str) -> str:
    for name, prefix in (("aarch64", r"aarch64|arm64"), ("arm", r"arm"), ("riscv", r"riscv"), ("x86", r"x86|i.86|AMD")):
        if re.match(prefix, processor):
            return name
    raise SystemExit(f"floats: no rule for processor '{processor}'")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objdump", required=True)
    parser.add_argument("--processor", required=True)
    parser.add_argument("libraries", nargs="+")
    args = parser.parse_args()
    mnemonic, operand = FLOATS[family(args.processor)]
    faults: list[str] = []
    function = "?"
    count = 0
    for line in common.output_of(args.objdump, "-dC", "--no-show-raw-insn", *args.libraries).splitlines():
        if line.endswith(">:"):
            function = line.split("<", 1)[1][:-2]
        match = INSTRUCTION.match(line)
        if not match:
            continue
        count += 1
        if mnemonic.match(match[1]) or (operand and not BRANCH.match(match[1]) and operand.search(match[2].split("//")[0])):
            faults.append(f"floating point in {function}: {match[1]} {match[2].strip()}")
    if count == 0:
        faults.append("no instructions found")
    return common.report("floats", faults, f"{count} instructions read")


if __name__ == "__main__":
    sys.exit(main())
