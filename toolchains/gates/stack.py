#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""stack.py --budgets budgets.json --json OUT --target NAME
         [--objdump OBJDUMP --firmware NAME=IMAGE[,OWN]... --stems STEM=IMAGE[,CHECK]... --] [OBJECT...]

Worst stack of every function, from the compiler's call graph: the .ci file (-fcallgraph-info=su) beside each object. With
link-time optimisation it is the linker that compiles, and the graph lies beside each image.

Fails on a frame of dynamic size, on recursion, on a call that
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
# Stack of code that is not in the compiler's call graph: generous bounds for libgcc and a C library of byte loops (the
# deepest is 64-bit division on ARMv6-M, measured at 120 bytes).
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
        self.alias: dict[str, str] = {}
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
                source = re.search(r"\\n[^:]*?([^/:]+)\.\w+:\d+", label)
                self.stem[title] = source[1] if source else ""
            elif edge := EDGE.match(line):
                self.calls.setdefault(edge[1], set()).add(edge[2])

    def read_image(self, image: pathlib.Path, objdump: str) -> None:
        """Reads the graph of the linker's compilation. Identical functions were merged and appear under one of their names."""
        files = sorted(image.parent.glob(f"{image.name}.ltrans*.ci"))
        for file in files:
            self.read(file)
        if not files:
            self.faults.append(f"no call graph beside {image.name}")
        described = {title.rpartition(":")[2]: title for title in self.frame}
        names: dict[int, list[str]] = {}
        for symbol in common.symbols_of(objdump, str(image)):
            if "F" in symbol.flags:
                names.setdefault(symbol.address, []).append(symbol.name)
        for group in names.values():
            for same in (described[name] for name in group if name in described):
                self.alias.update((name, same) for name in group if name not in described)

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
            return base if base in self.frame else self.alias.get(title.rpartition(":")[2], title)
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


def judge(graph: Graph, budget: int) -> dict[str, tuple[int, bool, list[str]]]:
    """The depths of all functions; those beyond the budget are faults."""
    depths = graph.depths()
    for size, _, chain in depths.values():
        if size > budget:
            graph.faults.append(f"{size} bytes, {budget} allowed: " + " -> ".join(chain))
    if not depths:
        graph.faults.append("no functions found")
    return depths


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--budgets", required=True)
    parser.add_argument("--json", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--objdump")
    parser.add_argument("--firmware", nargs="+", default=[])
    parser.add_argument("--stems", nargs="+", default=[])
    parser.add_argument("objects", nargs="*")
    args = parser.parse_args()
    budget = common.read_json(args.budgets)["stack_bytes"]
    graphs: dict[str, Graph] = {}
    for entry in [*args.firmware, *args.stems]:
        name, files = entry.split("=", 1)
        graphs[name] = Graph()
        graphs[name].read_image(pathlib.Path(files.partition(",")[0]), args.objdump)
    if args.objects or not graphs:
        graph = graphs["objects"] = Graph()
        for file in map(pathlib.Path, args.objects):
            if file.with_suffix(".ci").exists():
                graph.read(file.with_suffix(".ci"))
            else:
                graph.faults.append(f"no call graph beside {file.name}")

    worst: dict[str, tuple[int, bool, list[str]]] = {}
    functions: dict[str, dict] = {}
    stems: dict[str, int] = {}
    faults = []
    for name, graph in graphs.items():
        depths = judge(graph, budget)
        faults += [f"{name}: {fault}" for fault in graph.faults]
        worst[name] = max(depths.values(), key=lambda entry: entry[0], default=(0, False, []))
        for title, (size, hooks, _) in depths.items():
            label, stem = graph.label[title], graph.stem[title]
            functions[label] = {"bytes": max(size, functions.get(label, {"bytes": 0})["bytes"]), "calls_hooks": hooks}
            if name in ("objects", stem):  # in its own image a randomizer is not inlined
                stems[stem] = max(size, stems.get(stem, 0))
    firmware = {entry.split("=", 1)[0] for entry in args.firmware}
    for name in sorted(firmware):
        print(f"  {name:20} {worst[name][0]:6} bytes: " + " -> ".join(worst[name][2]))
    most = max(worst.values(), key=lambda entry: entry[0])
    common.write_json(args.json, {"target": args.target, "budget": budget, "worst": most[0], "worst_chain": most[2], "stems": stems,
                                  "functions": functions, "firmware": {name: worst[name][0] for name in firmware}})
    return common.report("stack", faults, f"worst {most[0]} bytes: " + " -> ".join(most[2]))


if __name__ == "__main__":
    sys.exit(main())
