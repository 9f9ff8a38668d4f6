#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""markdown.py [--write] FILE...: lines of Markdown have at most 120 characters.

Tables, code, headings, HTML, words that are longer than a line and what a script writes between <!-- NAME:begin --> and
<!-- NAME:end --> are left as they are. With --write, paragraphs and items
with a longer line are wrapped again; what they render to does not change.
"""

import argparse
import pathlib
import re
import sys

import common

WIDTH = 120
GENERATED, WRITTEN = re.compile(r"^<!-- \S+:begin -->$"), re.compile(r"^<!-- \S+:end -->$")
FENCE = re.compile(r"^\s*(```|~~~)")
ITEM = re.compile(r"^(\s*)([-*+]|\d{1,9}[.)])(\s+)")
ALONE = re.compile(r"^\s*(\||#{1,6}\s|<!--|</?[a-z]+[ >]|(-{3,}|\*{3,}|_{3,}|=+)\s*$|\[[^]]+\]:)")  # lines that are never joined with others
# Pieces of a line between which it may be broken: code and links stay whole, with the characters that touch them.
PIECE = re.compile(r"(\s*)((?:`+[^`]+`+|!?\[[^][]*\]\([^)]*\)|\S)+)")
# Words that would have another meaning at the start of a line: item, heading, quotation, table, HTML, rule, fence.
OPENS = re.compile(r"^([-+*]$|\d{1,9}[.)]$|#{1,6}$|>|\||<|=+$|-+$|```|~~~)")


def pieces_of(text: str, width: int) -> list[tuple[str, str]]:
    """The text as (space before, piece). A piece that fits no line is taken word by word."""
    pieces: list[tuple[str, str]] = []
    for space, piece in PIECE.findall(text):
        space, piece = re.sub(r"\s*\n\s*", " ", space), re.sub(r"\s*\n\s*", " ", piece)
        if len(piece) <= width:
            pieces.append((space, piece))
            continue
        for index, word in enumerate(piece.split(" ")):
            pieces.append((space if index == 0 else " ", word))
    return pieces


def wrapped(lines: list[str], rest_indent: str) -> list[str]:
    """One paragraph or item, wrapped; the first line keeps its indentation and marker."""
    marker = ITEM.match(lines[0])
    lead = marker[0] if marker else re.match(r"\s*", lines[0])[0]
    pieces = pieces_of("\n".join([lines[0][len(lead):], *lines[1:]]), WIDTH - len(rest_indent))
    out: list[list[tuple[str, str]]] = []
    line: list[tuple[str, str]] = []
    used = len(lead)
    for space, piece in pieces:
        if line and used + len(space) + len(piece) > WIDTH:
            tail = [(space, piece)]
            while OPENS.match(tail[0][1]) and len(line) > 1:
                tail.insert(0, line.pop())
            out.append(line)
            line = tail
            used = len(rest_indent) + len("".join(s + p for s, p in line)) - len(line[0][0])
        else:
            used += (len(space) if line else 0) + len(piece)
            line.append((space, piece))
    out.append(line)
    texts = ["".join(s + p for s, p in line)[len(line[0][0]):] for line in out]
    return [lead + texts[0], *(rest_indent + text for text in texts[1:])]


class Wrapper:
    """Reads a file line by line and gathers the lines of one paragraph or item."""

    def __init__(self) -> None:
        self.out: list[str] = []
        self.block: list[str] = []
        self.content = 0  # the column where the text of the current item begins, 0 outside of lists

    def end_block(self) -> None:
        if any(len(line) > WIDTH for line in self.block):
            indent = re.match(r"\s*", self.block[1])[0] if len(self.block) > 1 else " " * self.content
            self.out += wrapped(self.block, indent)
        else:
            self.out += self.block
        self.block = []

    def alone(self, line: str) -> None:
        self.end_block()
        self.out.append(line)

    def take(self, line: str, after_blank: bool) -> None:
        indent = len(line) - len(line.lstrip())
        item = ITEM.match(line)
        if after_blank and not item and indent < self.content:
            self.content = 0
        if not self.block and after_blank and indent >= self.content + 4 or ALONE.match(line):
            self.alone(line)
            return
        if item:
            self.end_block()
            self.content = len(item[0])
        self.block.append(line)
        if line.endswith(("  ", "\\")):
            self.end_block()

    def run(self, text: str) -> str:
        fence = ""
        generated = False
        previous_code = after_blank = True
        for line in text.split("\n"):
            found = FENCE.match(line)
            if generated or GENERATED.match(line):
                self.alone(line)
                generated = not WRITTEN.match(line)
                after_blank = False
            elif fence or found:
                self.alone(line)
                fence = "" if fence and found and found[1] == fence else fence or found[1]
                after_blank = False
            elif not line.strip():
                self.alone(line)
                after_blank = True
            else:
                before = len(self.out)
                self.take(line, after_blank or previous_code)
                previous_code = not self.block and len(self.out) > before and line.startswith("    ")
                after_blank = False
        self.end_block()
        return "\n".join(self.out)


def wrap(text: str) -> str:
    return Wrapper().run(text)


def faults_of(path: pathlib.Path) -> list[str]:
    text = path.read_text(encoding="utf-8")
    new = wrap(text)
    if new == text:
        return []
    kept = set(new.split("\n"))
    numbers = [str(number) for number, line in enumerate(text.split("\n"), 1) if len(line) > WIDTH and line not in kept]
    return [f"{path}: lines of more than {WIDTH} characters: {', '.join(numbers)}; markdown.py --write wraps them"]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("files", nargs="+", type=pathlib.Path)
    args = parser.parse_args()
    if args.write:
        for path in args.files:
            text = path.read_text(encoding="utf-8")
            path.write_text(wrap(text), encoding="utf-8")
    return common.report("markdown", [fault for path in args.files for fault in faults_of(path)], f"{len(args.files)} files")


if __name__ == "__main__":
    sys.exit(main())
