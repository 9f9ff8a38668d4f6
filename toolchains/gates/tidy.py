#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""tidy.py --commands compile_commands.json --root DIR [--deep] [--jobs N] [--except DIR...] -- SOURCE_DIR...

Runs clang-tidy with the root's .clang-tidy over what a build compiles below the SOURCE_DIRs; any finding fails. Files that are
compiled in a batch are read in that batch, since most of the time goes into the headers that they share. The static analyzer
(clang-analyzer-*) takes as long as everything else: it runs on freestanding sources always, on the others with --deep.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

import common
import sources

PLUGIN = pathlib.Path(__file__).resolve().parent.parent / "tidy" / "own_declarations.cpp"
FINDING = re.compile(r"^(?P<place>/[^:]+:\d+:\d+): (?:warning|error): (?P<text>.*)$")
ANALYZER = "-clang-analyzer-*"


def build_plugin(tidy: str, directory: pathlib.Path) -> list[str]:
    """Options that load the plugin; none if Clang's headers are not installed. It only saves time: the findings are the same."""
    include = pathlib.Path(tidy).resolve().parent.parent / "include"
    library = directory / "own_declarations.so"
    compiled = subprocess.run(["c++", "-std=c++17", "-O1", "-shared", "-fPIC", "-fno-rtti", "-isystem", str(include), str(PLUGIN),
                               "-o", str(library)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    return [f"--load={library}"] if compiled.returncode == 0 else []


def clang_command(entry: dict) -> list[str]:
    """The command of one source for Clang: without GCC's precompiled header and without GCC's warning options."""
    command = common.compiler_command(entry.get("arguments") or shlex.split(entry["command"]))
    arguments: list[str] = []
    skip = 0
    for index, argument in enumerate(command):
        if skip:
            skip -= 1
        elif argument == "-include" and "cmake_pch" in command[index + 1]:
            skip = 1
        elif argument != "-Winvalid-pch":
            arguments.append(argument)
    return [*arguments, "-w"]


class Source:
    """A file that clang-tidy reads, and the sources that it consists of: itself, or the files of a unity batch."""

    def __init__(self, entry: dict) -> None:
        self.path = (pathlib.Path(entry["directory"]) / entry["file"]).resolve()
        arguments = clang_command(entry)
        if sources.parts_of(self.path):  # otherwise the static analyzer takes the files of a batch for headers and skips them
            arguments += ["-Xclang", "-analyzer-opt-analyze-headers"]
        self.entry = {"directory": entry["directory"], "file": str(self.path), "arguments": arguments}
        self.freestanding = "-ffreestanding" in self.entry["arguments"]

    def parts(self) -> list[pathlib.Path]:
        return sources.parts_of(self.path) or [self.path]


def sources_below(commands: str, directories: list[pathlib.Path], others: list[pathlib.Path]) -> list[Source]:
    chosen: dict[pathlib.Path, Source] = {}
    for entry in common.read_json(commands):
        source = Source(entry)
        if source.path in chosen or not source.path.exists():
            continue
        parts = [part for part in source.parts() if not any(part.is_relative_to(other) for other in others)]
        if any(part.is_relative_to(directory) for part in parts for directory in directories):
            chosen[source.path] = source
    # A target that compiles the files of a batch one by one adds nothing to read.
    batched = {part for source in chosen.values() for part in sources.parts_of(source.path)}
    kept = [source for source in chosen.values() if source.path not in batched]
    return sorted(kept, key=lambda source: (source.freestanding, len(source.parts()) == 1, source.path))


def findings(source: Source, command: list[str], deep: bool) -> tuple[set[str], str]:
    """The findings of clang-tidy in one file, and its errors if it could not read the file."""
    checks = [] if deep or source.freestanding else [f"--checks={ANALYZER}"]
    run = subprocess.run([*command, *checks, str(source.path)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False, text=True)
    found = {f"{match['place']}: {match['text']}" for match in map(FINDING.match, run.stdout.splitlines()) if match}
    return found, "" if run.returncode == 0 or found else f"{source.path}: {run.stdout}{run.stderr}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--commands", required=True)
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--deep", action="store_true", help="the static analyzer on every file")
    parser.add_argument("--without-plugin", action="store_true", help="for few and small files")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--except", dest="others", nargs="*", default=[], type=pathlib.Path)
    parser.add_argument("directories", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    tidy = shutil.which("clang-tidy")
    if tidy is None:
        return common.report("tidy", ["clang-tidy is not installed"])
    root = args.root.resolve()
    others = [other.resolve() for other in args.others]
    chosen = sources_below(args.commands, [directory.resolve() for directory in args.directories], others)
    faults: set[str] = set() if chosen else {"no sources found"}
    with tempfile.TemporaryDirectory() as name:
        work = pathlib.Path(name)
        (work / "compile_commands.json").write_text(json.dumps([source.entry for source in chosen]), encoding="utf-8")
        plugin = [] if args.without_plugin else build_plugin(tidy, work)
        command = [tidy, *plugin, "-p", str(work), f"--config-file={root / '.clang-tidy'}", "--quiet"]
        with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
            for found, failure in pool.map(lambda source: findings(source, command, args.deep), chosen):
                faults.update(fault.replace(f"{root}/", "") for fault in found)
                if failure:
                    faults.add(failure)
    count = sum(len(source.parts()) for source in chosen)
    return common.report("tidy", sorted(faults), f"{count} files in {len(chosen)} runs{'' if plugin else ', without the plugin'}")


if __name__ == "__main__":
    sys.exit(main())
