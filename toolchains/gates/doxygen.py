#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""doxygen.py [--output DIR] [HEADER_DIR...]: the reference of the public headers, in DIR/html.

Fails on any warning of Doxygen, and on a header that does not open with what it is for: before its first declaration, or below
`#pragma once`, stands a comment.
"""

import argparse
import pathlib
import subprocess
import sys

import common

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
PUBLIC = [ROOT / part / "include" for part in ("shared", "device", "analyzer")]
BEFORE = ("#", "namespace ", "extern \"C\"", "}")  # lines that may come before the comment


def opens_with_comment(path: pathlib.Path) -> bool:
    for line in path.read_text(encoding="utf-8").splitlines()[2:]:
        line = line.strip()
        if line.startswith(("//", "/*")):
            return True
        if line and not line.startswith(BEFORE):
            return False
    return False


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--output", type=pathlib.Path, default=ROOT / "build" / "reference")
    parser.add_argument("directories", nargs="*", type=pathlib.Path, default=PUBLIC)
    args = parser.parse_args()
    args.output.mkdir(parents=True, exist_ok=True)
    directories = [directory.resolve() for directory in args.directories]
    headers = sorted(path for directory in directories for path in directory.rglob("*.h*"))
    faults = [f"{path}: does not open with what it is for" for path in headers if not opens_with_comment(path)]
    quoted = " ".join(f'"{directory}"' for directory in directories)
    settings = f"{(ROOT / 'docs' / 'Doxyfile').read_text(encoding='utf-8')}\nINPUT = {quoted}\nSTRIP_FROM_PATH = {quoted}\n"
    settings += f'OUTPUT_DIRECTORY = "{args.output.resolve()}"\n'
    run = subprocess.run(["doxygen", "-"], input=settings, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False, text=True)
    said = sorted({line for line in run.stdout.splitlines() if ": warning:" in line or ": error:" in line})
    faults += said or ([f"doxygen failed: {run.stdout.strip()}"] if run.returncode != 0 else [])
    if not headers:
        faults.append("no headers found")
    return common.report("doxygen", [fault.replace(f"{ROOT}/", "") for fault in faults], f"{len(headers)} headers")


if __name__ == "__main__":
    sys.exit(main())
