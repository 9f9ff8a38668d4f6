#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""headers.py --commands compile_commands.json --root DIR SOURCE_DIR...: headers that device code may include.

For every source below the SOURCE_DIRs the compiler lists what it really includes (-M). Fails when a project file names a
standard header outside ALLOWED, or when any header of a C library is reached: device code must compile without one.
"""

import argparse
import pathlib
import re
import shlex
import subprocess
import sys

import common

# In GCC's implementation these need no C library (tried with each of the cross compilers).
ALLOWED = set("""array atomic bit climits compare concepts cstddef cstdint initializer_list limits new numbers numeric optional
                 span tuple type_traits utility variant version stddef.h stdint.h stdbool.h limits.h""".split())
INCLUDE = re.compile(r"^\s*#\s*include\s*<([^>]+)>", re.MULTILINE)
# glibc's configuration macros: every C++ header includes them on hosted systems; they declare nothing.
MACROS_ONLY = re.compile(r"/(features(-time64)?|stdc-predef|sys/cdefs|gnu/stubs(-\w+)?|bits/(wordsize|timesize|long-double))\.h$")
COMPILER_OWN = re.compile(r"/lib(64|exec)?/gcc(-cross)?/|/c\+\+/")


def included(command: list[str], directory: str) -> list[pathlib.Path]:
    """The files that a compile command reads."""
    arguments: list[str] = []
    skip = 0
    for argument in command:
        if skip:
            skip -= 1
        elif argument in ("-o", "-MF", "-MT", "-MQ"):
            skip = 1
        elif argument not in ("-c", "-MD", "-MMD") and not argument.startswith(("-fcallgraph-info", "-fstack-usage")):
            arguments.append(argument)
    run = subprocess.run([*common.compiler_command(arguments), "-M"], cwd=directory, stdout=subprocess.PIPE, check=False, text=True)
    if run.returncode != 0:
        raise SystemExit("headers: a source includes what this target does not have")
    files = run.stdout.replace("\\\n", " ").split(":", 1)[1].split()
    return [(pathlib.Path(directory) / file).resolve() for file in files]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", required=True)
    parser.add_argument("--root", required=True, help="the project's own files are below it")
    parser.add_argument("directories", nargs="+")
    args = parser.parse_args()
    root = pathlib.Path(args.root).resolve()
    directories = [pathlib.Path(directory).resolve() for directory in args.directories]
    faults: set[str] = set()
    read: set[pathlib.Path] = set()
    sources = 0
    for entry in common.read_json(args.commands):
        source = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        if not any(source.is_relative_to(directory) for directory in directories):
            continue
        sources += 1
        command = entry.get("arguments") or shlex.split(entry["command"])
        for file in included(command, entry["directory"]):
            if file in read:
                continue
            read.add(file)
            if file.is_relative_to(root):
                for header in INCLUDE.findall(file.read_text(encoding="utf-8")):
                    if not header.startswith("sotto/") and header not in ALLOWED:
                        faults.add(f"{file.relative_to(root)} includes <{header}>")
            elif not COMPILER_OWN.search(str(file)) and not MACROS_ONLY.search(str(file)):
                faults.add(f"{source.name} reaches {file}, a header of a C library")
    if sources == 0:
        faults.add("no sources found")
    return common.report("headers", sorted(faults), f"{sources} sources, {len(read)} files read")


if __name__ == "__main__":
    sys.exit(main())
