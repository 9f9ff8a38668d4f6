#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""layout.py [--only CHECK] [FILE...]: how the project's files are written.

  format    C and C++ as .clang-format says
  licence   the two SPDX lines open every source, script and CMake file
  markdown  lines of Markdown end at 120 characters (markdown.py)
  text      UTF-8, lines end without spaces, and files with the end of a line

Without FILEs all files of the project are read: those that git knows, else all below the current directory but build/.
"""

import argparse
import pathlib
import subprocess
import sys

import common
import markdown

SOURCES = {".c", ".cpp", ".h", ".hpp"}
LICENSED = SOURCES | {".py", ".cmake", ".sh", ".ld"}
LICENSED_NAMES = {"CMakeLists.txt", "run"}
EXAMPLES = pathlib.Path("examples")  # users copy them: their CMake files have no SPDX lines and are quoted in the documentation
PLAIN = LICENSED | {".json", ".md", ".toml", ".txt", ".yaml", ".yml"}
SPDX = ("SPDX-License-Identifier: Apache-2.0", "Copyright The Sotto Authors")


def project_files() -> list[pathlib.Path]:
    listed = subprocess.run(["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], stdout=subprocess.PIPE,
                            stderr=subprocess.DEVNULL, check=False, text=True)
    if listed.returncode == 0:
        files = [pathlib.Path(name) for name in listed.stdout.split("\0") if name]
    else:
        files = [path for path in pathlib.Path().rglob("*") if path.parts[0] != "build" and "__pycache__" not in path.parts]
    return sorted(path for path in files if path.is_file())


def check_format(files: list[pathlib.Path]) -> list[str]:
    sources = [str(path) for path in files if path.suffix in SOURCES]
    if not sources:
        return []
    run = subprocess.run(["clang-format", "--dry-run", "--Werror", *sources], stdout=subprocess.PIPE,
                         stderr=subprocess.STDOUT, check=False, text=True)
    # clang-format prints three lines for each finding: the place, the line itself, a mark below it.
    found = [line.split(": error: ")[0] for line in run.stdout.splitlines() if ": error: " in line]
    faults = [f"{place}: not laid out as .clang-format says" for place in found]
    return faults or ([f"clang-format failed: {run.stdout.strip()}"] if run.returncode != 0 else [])


def check_licence(files: list[pathlib.Path]) -> list[str]:
    faults = []
    for path in files:
        if path.suffix not in LICENSED and path.name not in LICENSED_NAMES:
            continue
        if path.name == "CMakeLists.txt" and path.is_relative_to(EXAMPLES):
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()[:3]
        if lines and lines[0].startswith("#!"):
            del lines[0]
        if len(lines) < 2 or SPDX[0] not in lines[0] or SPDX[1] not in lines[1]:
            faults.append(f"{path}: does not open with the two SPDX lines")
    return faults


def check_markdown(files: list[pathlib.Path]) -> list[str]:
    return [fault for path in files if path.suffix == ".md" for fault in markdown.faults_of(path)]


def check_text(files: list[pathlib.Path]) -> list[str]:
    faults = []
    for path in files:
        if path.suffix not in PLAIN and path.name not in LICENSED_NAMES:
            continue
        try:
            text = path.read_bytes().decode("utf-8")
        except UnicodeDecodeError as error:
            faults.append(f"{path}: not UTF-8 at byte {error.start}")
            continue
        if text and not text.endswith("\n"):
            faults.append(f"{path}: the last line has no end")
        faults += [f"{path}:{number}: spaces at the end of the line" for number, line in enumerate(text.split("\n"), 1)
                   if line != line.rstrip()]
    return faults


CHECKS = {"format": check_format, "licence": check_licence, "markdown": check_markdown, "text": check_text}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", choices=CHECKS, action="append")
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()
    files = args.files or project_files()
    faults = [] if files else ["no files found"]
    for name in args.only or CHECKS:
        faults += CHECKS[name](files)
    return common.report("layout", faults, f"{len(files)} files")


if __name__ == "__main__":
    sys.exit(main())
