#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""paths.py [DOCUMENT...]: every path that a document names exists. The current directory is the root.

A path is what stands in a code span, or is the target of a link, and has a slash or the name of a source file. In a
code block it is a word that ends with a slash, or has one before the name of a file. A path that begins with a folder of
the root, or with ./ or ../, must exist as it is, and a file name that follows it behind a comma or semicolon is in the
same folder. Any other path (protocol/cascade/cascade.cpp, verb.hpp) must be the end of a path below the root. A <word>
stands for any name. In a table whose first column is headed `module`, the first cells are folders below src beside the
document, `.`, `cli` and `python` aside.
"""

import argparse
import fnmatch
import pathlib
import re
import sys

import common
import layout

DOCUMENTS = ["docs/ARCHITECTURE.md", "docs/FIRMWARE.md", "analyzer/MODULES.md"]
FILE = re.compile(r"[\w<>.-]+\.(?:c|cmake|cpp|h|hpp|md|py|txt)")
PATH = re.compile(r"[\w<>./-]+")
DRAWN = re.compile(r"(?<![\w/<>.-])((?:[\w.-]+/)+(?:[\w-]+\.\w+)?)(?![\w/])")  # in a code block
NO_FOLDER = {".", "cli", "python"}  # of the table of modules


def spans_of(line: str, tops: set[str]) -> list[str]:
    """The paths in code spans; a file name that follows a whole path gets the folder of that path."""
    named: list[str] = []
    for between, span in re.findall(r"([^`]*)`([^`]+)`", line):
        if not PATH.fullmatch(span) or not ("/" in span or FILE.fullmatch(span)):
            continue
        before = named[-1].rpartition("/")[0] if named and between in (", ", "; ") else ""
        named.append(f"{before}/{span}" if "/" not in span and before.split("/")[0] in tops else span)
    return named


def named_in(text: str, tops: set[str]) -> list[tuple[int, str, bool]]:
    """Line, path, and whether it is a module's folder, of everything that a document names."""
    found = []
    fenced = modules = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            fenced = not fenced
        elif fenced:
            found += [(number, path, False) for path in DRAWN.findall(line)]
        else:
            modules = line.startswith("|") and (modules or line.startswith("| module |"))
            cell = re.match(r"\| `([^`]+)` \|", line) if modules else None
            if cell and cell[1] not in NO_FOLDER:
                found.append((number, cell[1], True))
            links = [link for link in re.findall(r"\]\(([^)#\s]+)", line) if "://" not in link]
            found += [(number, path, False) for path in spans_of(line, tops) + links]
    return found


def existing_paths() -> set[str]:
    """The files of the project and the folders that hold them."""
    return {path.as_posix() for file in layout.project_files() for path in (file, *file.parents)} - {"."}


def exists(path: str, document: pathlib.PurePath, paths: set[str], tops: set[str]) -> bool:
    pattern = re.sub(r"<[^>]*>", "*", path.rstrip("/"))
    from_here = pattern.startswith(("./", "../"))
    if from_here:  # a link of Markdown begins where the document is
        parts = list(document.parent.parts)
        for part in pattern.split("/"):
            if part == "..":
                if not parts:
                    return False
                parts.pop()
            elif part != ".":
                parts.append(part)
        pattern = "/".join(parts)
    whole = from_here or ("/" in pattern and pattern.split("/")[0] in tops)
    return any(fnmatch.fnmatchcase(name, pattern) or (not whole and fnmatch.fnmatchcase(name, f"*/{pattern}")) for name in paths)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="*", default=DOCUMENTS)
    args = parser.parse_args()
    paths = existing_paths()
    tops = {path.split("/")[0] for path in paths}
    faults, count = [], 0
    for document in args.documents:
        place = pathlib.PurePosixPath(document)
        for number, path, is_module in named_in(pathlib.Path(document).read_text(encoding="utf-8"), tops):
            count += 1
            there = f"{place.parent}/src/{path}" in paths if is_module else exists(path, place, paths, tops)
            if not there:
                faults.append(f"{document}:{number}: there is no {path}")
    if not count:
        faults.append("no path found in any document")
    return common.report("paths", faults, f"{count} paths")


if __name__ == "__main__":
    sys.exit(main())
