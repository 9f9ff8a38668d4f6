#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""symbols.py --objdump OBJDUMP LIBRARY...: what the libraries need from outside, and what they keep in RAM.

Fails on an undefined symbol that no library here defines and that is not one of the four memory functions or an integer
helper of the compiler, and on any global that is not constant: static RAM is 0.
"""

import argparse
import re
import sys

import common

# Allowed: memcpy and similar, also under ARM's names; integer division, multiplication, shift, comparison, bit counting.
# Soft-float helpers (__aeabi_f*, __aeabi_d*, __addsf3, __muldf3, ...), exceptions, heap and locks do not match.
ALLOWED = re.compile(
    r"^(mem(cpy|move|set|cmp)"
    r"|__aeabi_(mem(cpy|move|set|clr)[48]?|u?idiv(mod)?|u?ldivmod|lmul|llsl|llsr|lasr|u?lcmp|u(read|write)[48]|[il]div0)"
    r"|__gnu_thumb1_case_(sqi|uqi|shi|uhi|si)"
    r"|__(u?div|u?mod|u?divmod|mul|ashl|ashr|lshr|u?cmp|neg)[sdt]i[234]"
    r"|__(clz|ctz|popcount|parity|ffs|bswap)[sdt]i2"
    r"|_GLOBAL_OFFSET_TABLE_)$")
# Constants that hold addresses (.data.rel.ro) are relocated once, by the loader, where code is position-independent.
MUTABLE = re.compile(r"^(\.data(?!\.rel\.ro)|\.bss|\.s(data|bss)|\.t(data|bss)|\*COM\*|COMMON)")


def symbols(objdump: str, libraries: list[str]) -> tuple[set[str], set[str], list[str]]:
    """Defined and undefined names, and the mutable globals with their size."""
    defined: set[str] = set()
    undefined: set[str] = set()
    mutable: list[str] = []
    for symbol in common.symbols_of(objdump, *libraries):
        if symbol.section == "*UND*":
            undefined.add(symbol.name)
        elif not set(symbol.flags) & set("df"):  # a section's or a file's name
            defined.add(symbol.name)
            if MUTABLE.match(symbol.section) and not symbol.name.startswith("$"):  # $d: a mapping symbol of the assembler
                mutable.append(f"{symbol.name} ({symbol.size} bytes)")
    return defined, undefined, mutable


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--objdump", required=True)
    parser.add_argument("libraries", nargs="+")
    args = parser.parse_args()
    defined, undefined, mutable = symbols(args.objdump, args.libraries)
    needed = sorted(undefined - defined)
    faults = [f"forbidden symbol {name}" for name in needed if not ALLOWED.match(name)]
    faults += [f"mutable global {entry}" for entry in mutable]
    if not defined:
        faults.append("the libraries define nothing")
    return common.report("symbols", faults, "needs " + (" ".join(needed) or "nothing"))


if __name__ == "__main__":
    sys.exit(main())
