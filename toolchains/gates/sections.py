#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sections.py --readelf READELF [--bare-metal] LIBRARY...: sections that the libraries must not have.

Constructors, destructors and thread-local storage everywhere; unwind tables on bare metal; and any writable section that
is not empty (static RAM is 0), measured here by section, in symbols.py by symbol.
"""

import argparse
import re
import sys

import common

FORBIDDEN = re.compile(r"^\.(init_array|fini_array|preinit_array|ctors|dtors|tdata|tbss|gcc_except_table)")
UNWINDING = re.compile(r"^\.(ARM\.extab|ARM\.exidx|eh_frame)")
# readelf -SW: [Nr] Name Type Address Offset Size EntrySize Flags ...
SECTION = re.compile(r"^\s*\[\s*\d+\]\s+(\.\S+)\s+(\S+)\s+[0-9a-f]+\s+[0-9a-f]+\s+([0-9a-f]+)\s+[0-9a-f]+\s+([A-Z]*)\s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--readelf", required=True)
    parser.add_argument("--bare-metal", action="store_true")
    parser.add_argument("libraries", nargs="+")
    args = parser.parse_args()
    faults: list[str] = []
    static_ram = 0
    seen = 0
    for line in common.output_of(args.readelf, "-SW", *args.libraries).splitlines():
        match = SECTION.match(line)
        if not match:
            continue
        seen += 1
        name, kind, size, flags = match[1], match[2], int(match[3], 16), match[4]
        if size == 0 or "A" not in flags:
            continue
        if FORBIDDEN.match(name) or (args.bare_metal and UNWINDING.match(name)):
            faults.append(f"forbidden section {name} ({size} bytes)")
        elif "W" in flags and not name.startswith(".data.rel.ro"):  # constant after relocation
            static_ram += size
            faults.append(f"writable section {name} {kind} ({size} bytes)")
    if seen == 0:
        faults.append("no sections found")
    return common.report("sections", faults, f"static RAM {static_ram} bytes")


if __name__ == "__main__":
    sys.exit(main())
