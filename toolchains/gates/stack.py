#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""stack.py --budgets budgets.json --json OUT --target NAME OBJECT...: worst stack of every function, from the compiler's call graph.

Reads the .ci file (-fcallgraph-info=su) beside each object. Fails on a frame of dynamic size, on recursion, on a call that
leads to an unknown function, and when a chain of calls is deeper than the budget. A call through a pointer (the firmware's
hooks) counts 0: the hook's own stack comes on top, and the result says which functions call hooks.
"""

import argparse
import pathlib
import re
import sys

import common

NODE = re.compile(r'^node: \{ title: "([^"]*)" label: "([^"]*)"( shape : ellipse)? \}')
EDGE = re.compile(r'^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"')
FRAME = re.compile(r"(\d+) bytes \(([a-z,]+)\)")
INDIRECT = "__indirect_call"
# Frames of code that the compiler's call graph does not describe: generous bounds on what libgcc and a byte-loop C library
# use (64-bit division on ARMv6-M, the deepest, paints 120 bytes).
LONG_DIVISION = re.compile(r"^__(aeabi_u?ldivmod|u?divdi3|u?moddi3|u?divmoddi4)$")
HELPER = re.compile(r"^(mem(cpy|move|set|cmp)|__aeabi_\w+|__gnu_thumb1_\w+|__\w+[sd]i[234])$")
LONG_DIVISION_BYTES = 128
HELPER_BYTES = 32


class Graph:
    """Frames and calls of all objects together; functions with internal linkage carry their file's name."""

    def __init__(self) -> None:
        self.frame: dict[str, int] = {}
        self.label: dict[str, str] = {}
        self.stem: dict[str, str] = {}
        self.calls: dict[str, set[str]] = {}
        self.faults: list[str] = []

    def read(self, file: pathlib.Path) -> None:
        for line in file.read_text(encoding="utf-8").splitlines():
            if node := NODE.match(line):
                title, label = node[1], node[2]
                if node[3]:  # declared here, defined elsewhere
                    continue
                frame = FRAME.search(label)
                name = label.split("\\n")[0]
                if not frame:
                    self.faults.append(f"no frame size for {name}")
                    continue
                if frame[2] != "static":
                    self.faults.append(f"frame of {frame[2]} size in {name}")
                self.frame[title] = max(int(frame[1]), self.frame.get(title, 0))
                self.label[title] = name
                self.stem[title] = file.name.split(".")[0]
            elif edge := EDGE.match(line):
                self.calls.setdefault(edge[1], set()).add(edge[2])

    def external(self, title: str, caller: str) -> int:
        if title == INDIRECT:
            return 0
        if LONG_DIVISION.match(title):
            return LONG_DIVISION_BYTES
        if HELPER.match(title):
            return HELPER_BYTES
        self.faults.append(f"{self.label[caller]} calls {title}, of which no frame is known")
        return 0

    def resolve(self, title: str) -> str:
        """GCC describes a constructor once (C2) though callers name its alias (C1); destructors likewise."""
        if title not in self.frame:
            base = re.sub(r"([CD])1(E)", r"\g<1>2\2", title)
            return base if base in self.frame else title
        return title

    def depths(self) -> dict[str, tuple[int, bool, list[str]]]:
        """For each function: bytes of the deepest chain that starts in it, whether a hook is called, the chain."""
        done: dict[str, tuple[int, bool, list[str]]] = {}
        open_calls: set[str] = set()

        def visit(title: str) -> tuple[int, bool, list[str]]:
            if title in done:
                return done[title]
            if title in open_calls:
                self.faults.append(f"recursion through {self.label[title]}")
                return 0, False, []
            open_calls.add(title)
            deepest, hooks, chain = 0, False, []
            for callee in sorted(map(self.resolve, self.calls.get(title, ()))):
                if callee in self.frame:
                    below, below_hooks, below_chain = visit(callee)
                else:
                    below, below_hooks, below_chain = self.external(callee, title), callee == INDIRECT, [callee]
                hooks = hooks or below_hooks
                if below > deepest:
                    deepest, chain = below, below_chain
            open_calls.remove(title)
            done[title] = (self.frame[title] + deepest, hooks, [self.label[title], *chain])
            return done[title]

        for title in sorted(self.frame):
            visit(title)
        return done


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budgets", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("objects", nargs="+")
    args = parser.parse_args()
    budget = common.read_json(args.budgets)["stack_bytes"]
    graph = Graph()
    for name in args.objects:
        file = pathlib.Path(name)
        info = file.with_suffix(".ci")
        if not info.exists():
            graph.faults.append(f"no call graph beside {file.name}")
            continue
        graph.read(info)

    depths = graph.depths()
    functions, stems = {}, {}
    for title, (size, hooks, chain) in depths.items():
        name = graph.label[title]
        functions[name] = {"bytes": size, "calls_hooks": hooks}
        stems[graph.stem[title]] = max(size, stems.get(graph.stem[title], 0))
        if size > budget:
            graph.faults.append(f"{size} bytes, {budget} allowed: " + " -> ".join(chain))
    if not depths:
        graph.faults.append("no functions found")
        return common.report("stack", graph.faults)
    worst = max(depths.values(), key=lambda entry: entry[0])
    common.write_json(args.json, {"target": args.target, "budget": budget, "worst": worst[0],
                                  "worst_chain": worst[2], "stems": stems, "functions": functions})
    return common.report("stack", graph.faults, f"worst {worst[0]} bytes: " + " -> ".join(worst[2]))


if __name__ == "__main__":
    sys.exit(main())
