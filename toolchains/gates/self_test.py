#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""self_test.py --commands compile_commands.json --source FILE --tools READELF OBJDUMP SIZE --processor NAME [--bare-metal]

Proves that each gate can fail: compiles small bad objects with the command line of a real device source (FILE) and runs
the gates on them, as on the library.
"""

import argparse
import json
import pathlib
import shlex
import subprocess
import sys
import tempfile

import common

HERE = pathlib.Path(__file__).resolve().parent

GOOD = "#include <cstdint>\nstd::uint32_t good(std::uint32_t a) { return a * 3u; }\n"
MALLOC = "extern \"C\" void* malloc(unsigned long);\nvoid* bad() { return malloc(8); }\n"
THROWS = "#include <array>\nint bad(const std::array<int, 4>& a, unsigned i) { return a.at(i); }\n"
GLOBAL = "int counter;\nint bad() { return ++counter; }\n"
INITIALISED = "int counter = 7;\nint bad() { return ++counter; }\n"
CONSTRUCTOR = "int source();\nextern const int value;\nconst int value = source();\n"
FLOAT = "float bad(float a, float b) { return a * b; }\n"
DOUBLE = "double bad(unsigned a) { return a; }\n"
ALGORITHM = "#include <algorithm>\nint bad(int a, int b) { return std::max(a, b); }\n"
CSTRING = "#include <cstring>\nint bad(const char* a) { return a[0]; }\n"
SINK = "extern \"C\" void* memset(void*, int, decltype(sizeof 0));\n"
DYNAMIC = SINK + "void bad(unsigned n) { memset(__builtin_alloca(n), 1, n); }\n"
DEEP = SINK + "void bad() { char a[2000]; memset(a, 1, sizeof a); asm volatile(\"\" : : \"r\"(a) : \"memory\"); }\n"
SHALLOW = DEEP.replace("2000", "20")
RECURSIVE = "int bad(int n) { volatile int x = n; return n < 2 ? n : bad(n - 1) + bad(n - 2) + x; }\n"
UNKNOWN = "void elsewhere();\nint bad() { elsewhere(); return 1; }\n"


class Checker:
    """Compiles snippets and runs gates on them, and collects unexpected results."""

    def __init__(self, args: argparse.Namespace, work: pathlib.Path) -> None:
        self.work = work
        self.faults: list[str] = []
        self.done = 0
        self.readelf, self.objdump, self.size = args.tools
        self.processor, self.bare_metal = args.processor, args.bare_metal
        source = pathlib.Path(args.source).resolve()
        entry = next(entry for entry in common.read_json(args.commands)
                     if (pathlib.Path(entry["directory"]) / entry["file"]).resolve() == source)
        command = common.compiler_command(shlex.split(entry["command"]))
        command = command[:command.index("-o")]
        self.optimiser = [part for part in command if part in ("-flto", "-ffat-lto-objects")]  # options of link-time optimisation
        self.command = [part for part in command if part not in self.optimiser]

    def compile(self, name: str, text: str, without: str = "") -> bool:
        file = self.work / f"{name}.cpp"
        file.write_text(text, encoding="utf-8")
        command = [part for part in self.command if part != without and not part.startswith("-M")]
        command = [part for part in command if not part.endswith((".obj.d", ".o.d", ".obj", ".o"))]
        command += ["-o", f"{name}.o", "-c", str(file)]
        (self.work / f"{name}.json").write_text(json.dumps(
            [{"directory": str(self.work), "file": str(file), "command": shlex.join(command)}]), encoding="utf-8")
        return subprocess.run(command, cwd=self.work, stderr=subprocess.DEVNULL, check=False).returncode == 0

    def link(self, name: str) -> None:
        """Links name.cpp to the image `name.elf` with link-time optimisation."""
        graph = ["-fstack-usage", "-fcallgraph-info=su"]
        common_part = [*self.command, *self.optimiser, *graph]
        subprocess.run([*common_part, "-c", f"{name}.cpp", "-o", f"{name}_linked.o"], cwd=self.work, check=False)
        subprocess.run([*common_part, "-flto-partition=one", "-nostdlib", "-Wl,-e,_Z3badv,--unresolved-symbols=ignore-all", f"{name}_linked.o",
                        "-o", f"{name}.elf"], cwd=self.work, check=False)

    def gate(self, script: str, *arguments: str) -> bool:
        command = [sys.executable, str(HERE / script), *arguments]
        return subprocess.run(command, cwd=self.work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                              check=False).returncode == 0

    def gates(self, name: str) -> dict[str, bool]:
        obj = f"{name}.o"
        verdicts = {
            "symbols": self.gate("symbols.py", "--objdump", self.objdump, obj),
            "sections": self.gate("sections.py", "--readelf", self.readelf, *["--bare-metal"] * self.bare_metal, obj),
            "floats": self.gate("floats.py", "--objdump", self.objdump, "--processor", self.processor, obj),
            "headers": self.gate("headers.py", "--commands", f"{name}.json", "--root", str(self.work), str(self.work)),
        }
        if self.bare_metal:
            verdicts["stack"] = self.gate("stack.py", "--budgets", str(HERE / "budgets.json"), "--json", "stack.json",
                                          "--target", "self-test", obj)
        return verdicts

    def expect(self, what: str, fact: bool) -> None:
        self.done += 1
        if not fact:
            self.faults.append(what)

    def must_fail(self, name: str, text: str, *gates: str) -> None:
        compiled = self.compile(name, text)
        self.expect(f"{name} does not compile", compiled or gates == ("headers",))  # the header may not even exist here
        verdicts = self.gates(name)
        for gate in gates:
            if gate in verdicts:
                self.expect(f"{gate} lets {name} pass", not verdicts[gate])


def check_objects(checker: Checker) -> None:
    checker.expect("good does not compile", checker.compile("good", GOOD))
    for gate, passed in checker.gates("good").items():
        checker.expect(f"{gate} refuses good code", passed)
    checker.must_fail("malloc", MALLOC, "symbols", "stack")
    checker.must_fail("throws", THROWS, "symbols")
    checker.must_fail("global", GLOBAL, "symbols", "sections")
    checker.must_fail("initialised", INITIALISED, "symbols", "sections")
    checker.must_fail("constructor", CONSTRUCTOR, "sections")
    checker.must_fail("algorithm", ALGORITHM, "headers")
    checker.must_fail("cstring", CSTRING, "headers")
    if checker.bare_metal:
        checker.must_fail("dynamic", DYNAMIC, "stack")
        checker.must_fail("deep", DEEP, "stack")
        checker.must_fail("recursive", RECURSIVE, "stack")
        checker.must_fail("unknown", UNKNOWN, "stack")
    if checker.optimiser:
        stack = ["stack.py", "--objdump", checker.objdump, "--budgets", str(HERE / "budgets.json"), "--json", "stack.json",
                 "--target", "self-test", "--firmware"]
        checker.compile("shallow", SHALLOW)
        checker.link("shallow")
        checker.link("deep")
        checker.expect("stack refuses a good image", checker.gate(*stack, "a=shallow.elf"))
        checker.expect("stack lets a deep image pass", not checker.gate(*stack, "a=deep.elf"))
        checker.expect("stack lets an image without a graph pass", not checker.gate(*stack, "a=good.o"))


def check_floats(checker: Checker) -> None:
    option = "-mgeneral-regs-only"
    for name, text in (("float", FLOAT), ("double", DOUBLE)):
        if option in checker.command:
            checker.expect(f"the compiler lets {name} pass", not checker.compile(name, text))
        checker.expect(f"{name} does not compile", checker.compile(name, text, without=option))
        verdicts = checker.gates(name)
        checker.expect(f"neither symbols nor floats sees {name}", not (verdicts["symbols"] and verdicts["floats"]))
        if option in checker.command and name == "float":
            checker.expect("floats does not see the instructions", not verdicts["floats"])


def check_numbers(checker: Checker) -> None:
    """Sizes, counts, exit codes and the table, on made-up input."""
    budgets = {"constant_spread": 1, "flash_bytes": {"t": 1}, "firmware_bytes": {"f": {"a": 10000}, "g": {"a": 1}},
               "library_bytes": {"l": 1, "m": 10000}, "instructions": {"t": {"a": {"mean": 10, "max": 20}}},
               "ratios": {"t": {"a": {"times": {"b": 1.5}}}}}
    (checker.work / "budgets.json").write_text(json.dumps(budgets), encoding="utf-8")
    checker.compile("large", "int large(int a) { return a * a + a / 3 + (a ^ 77) * 12345; }\n" + GOOD)
    sizes = ["sizes.py", "--size", checker.size, "--base", "good.o", "--budgets", "budgets.json", "--json", "s.json"]
    checker.expect("sizes refuses without a budget", checker.gate(*sizes, "--target", "u", "large=large.o"))
    checker.expect("sizes lets an excess pass", not checker.gate(*sizes, "--target", "t", "large=large.o"))
    checker.expect("sizes lets an empty image pass", not checker.gate(*sizes, "--target", "u", "same=good.o"))
    firmware = [*sizes, "--empty", "good.o", "--firmware"]
    checker.expect("sizes refuses a small firmware", checker.gate(*firmware, "a=large.o", "--target", "f", "large=large.o"))
    checker.expect("sizes lets a large firmware pass",
                   not checker.gate(*firmware, "a=large.o", "--target", "g", "large=large.o"))
    checker.expect("sizes lets an empty firmware pass",
                   not checker.gate(*firmware, "b=good.o", "--target", "u", "large=large.o"))
    checker.expect("sizes lets a missing firmware pass",
                   not checker.gate(*firmware, "b=large.o", "--target", "f", "large=large.o"))
    checker.compile("own", "int large(int a) { return a * a + a / 3 + (a ^ 77) * 12345; }\n")
    own = [*sizes, "--objdump", checker.objdump, "--empty", "good.o", "--firmware"]
    if checker.bare_metal:  # elsewhere the linker adds unnamed tables to functions
        checker.expect("sizes counts what is the firmware's own",
                       not checker.gate(*own, "b=large.o,own.o", "--target", "u", "large=large.o"))
    checker.compile("other", "int other(int a) { return a * a + a / 3 + (a ^ 77) * 12345; }\n")
    checker.expect("sizes takes the library's for the firmware's own",
                   not checker.gate(*own, "a=large.o,other.o", "--target", "g", "large=large.o"))
    library = [*sizes, "--libraries", "large.o"]
    checker.expect("sizes refuses a small library", checker.gate(*library, "--target", "m", "--", "large=large.o"))
    checker.expect("sizes lets a large library pass", not checker.gate(*library, "--target", "l", "--", "large=large.o"))
    checker.expect("sizes lets a missing library pass", not checker.gate(*sizes, "--target", "m", "large=large.o"))

    def counts(line: str, section: str = "instructions") -> bool:
        return checker.gate("counts.py", "--budgets", "budgets.json", "--section", section, "--target", "t", "--json",
                            "c.json", "--", sys.executable, "-c", line)

    checker.expect("counts refuses good counts", counts("print('count a 10 20')"))
    checker.expect("counts lets a mean pass", not counts("print('count a 11 20')"))
    checker.expect("counts lets a maximum pass", not counts("print('count a 10 21')"))
    checker.expect("counts refuses the counter's resolution", counts("print('count a 10 20\\nconstant a 1')"))
    checker.expect("counts lets a leak pass", not counts("print('count a 10 20\\nconstant a 2')"))
    checker.expect("counts lets a missing line pass", not counts("print('count b 1 1')"))
    checker.expect("counts refuses a good ratio", counts("print('count a 1 15\\ncount b 1 10')", "ratios"))
    checker.expect("counts lets a ratio pass", not counts("print('count a 1 16\\ncount b 1 10')", "ratios"))
    checker.expect("counts lets a ratio to nothing pass", not counts("print('count a 1 15')", "ratios"))
    checker.expect("counts lets a failed run pass", not counts("print('count a 10 20'); raise SystemExit(1)"))
    checker.expect("counts lets unequal runs pass",
                   not counts("import time; print('count a 1 1'); print('count b 1', time.time_ns() % 10**9)"))

    code = [sys.executable, "-c", "print('text'); raise SystemExit(3)"]
    checker.expect("expect_exit refuses the right code",
                   checker.gate("expect_exit.py", "--code", "3", "--text", "text", "--", *code))
    checker.expect("expect_exit lets a code pass", not checker.gate("expect_exit.py", "--code", "4", "--", *code))
    checker.expect("expect_exit lets a text pass",
                   not checker.gate("expect_exit.py", "--code", "3", "--text", "other", "--", *code))


def check_sources(checker: Checker) -> None:
    folder = checker.work / "listed"
    folder.mkdir()
    (folder / "good.cpp").write_text(GOOD, encoding="utf-8")
    (checker.work / "listed.json").write_text(json.dumps(
        [{"directory": str(folder), "file": "good.cpp", "command": "cc"}]), encoding="utf-8")
    arguments = ["sources.py", "--commands", "listed.json", str(folder)]
    checker.expect("sources refuses a listed file", checker.gate(*arguments))
    (folder / "forgotten.cpp").write_text(GOOD, encoding="utf-8")
    checker.expect("sources lets a forgotten file pass", not checker.gate(*arguments))


def check_includes(checker: Checker) -> None:
    """A part of three modules, `upper` on `lower` and `alone`, and a part below."""
    root = checker.work / "modules"
    table = {"search": ["include"], "parts": {
        "below": {"public": ["include/below"], "private": [], "below": [], "sees": {".": []}},
        "part": {"public": ["include/part"], "private": ["src"], "files": {"include/part.h": "upper"}, "below": ["below"],
                 "sees": {"lower": [], "alone": [], "upper": ["lower"], "upper/inner": ["lower"]}}}}
    good = {"include/below/base.hpp": "", "include/part.h": '#include "part/lower/lower.hpp"\n',
            "include/part/lower/lower.hpp": "#include <below/base.hpp>\n", "src/lower/own.hpp": "", "src/alone/alone.cpp": "",
            "src/lower/lower.cpp": '#include "own.hpp"\n#include "part/lower/lower.hpp"\n',
            "src/upper/upper.cpp": '#include <cstdint>\n#include "part.h"\n#include "part/lower/lower.hpp"\n',
            "src/upper/inner/inner.cpp": '#include "part/lower/lower.hpp"\n'}

    def passes(changes: dict[str, str], sees: dict[str, list[str]] | None = None) -> bool:
        for name, text in {**good, **changes}.items():
            file = root / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, encoding="utf-8")
        changed = json.loads(json.dumps(table))
        changed["parts"]["part"]["sees"].update(sees or {})
        common.write_json(str(root / "modules.json"), changed)
        verdict = checker.gate("includes.py", "--root", str(root), "--table", str(root / "modules.json"), "below", "part")
        for name in changes.keys() - good.keys():
            (root / name).unlink()
        return verdict

    checker.expect("includes refuses good modules", passes({}))
    checker.expect("includes lets a forbidden edge pass", not passes({"src/alone/alone.cpp": '#include "part/lower/lower.hpp"\n'}))
    checker.expect("includes lets a module see one above", not passes({"src/lower/lower.cpp": '#include "part.h"\n'}))
    checker.expect("includes lets a part see one above", not passes({"include/below/base.hpp": '#include "part.h"\n'}))
    checker.expect("includes lets a private header of another module pass",
                   not passes({"src/upper/upper.cpp": '#include "../lower/own.hpp"\n'}))
    table["parts"]["part"]["open"] = ["lower"]
    checker.expect("includes refuses a private header of an open module", passes({"src/upper/upper.cpp": '#include "../lower/own.hpp"\n'}))
    checker.expect("includes lets an open module be seen by all",
                   not passes({"src/alone/alone.cpp": '#include "../lower/own.hpp"\n'}))
    checker.expect("includes takes a folder inside a module for the module itself",
                   not passes({"src/upper/inner/inner.cpp": '#include "part.h"\n'}))
    checker.expect("includes lets an unknown module pass", not passes({"src/new/new.cpp": ""}))
    checker.expect("includes lets a file beside the modules pass", not passes({"src/stray.cpp": ""}))
    checker.expect("includes lets a missing header pass", not passes({"src/alone/alone.cpp": '#include "gone.hpp"\n'}))
    checker.expect("includes lets a cycle pass", not passes({}, {"lower": ["upper"]}))
    checker.expect("includes lets a longer cycle pass", not passes({}, {"lower": ["alone"], "alone": ["upper"]}))
    checker.expect("includes lets a module without files pass", not passes({}, {"empty": []}))
    checker.expect("includes lets a name that is no module pass", not passes({}, {"alone": ["other"]}))


def check_table(checker: Checker) -> None:
    gates = checker.work / "gates"
    common.write_json(str(gates / "target.json"), {"target": "cortex-m3", "compiler": "cc 1"})
    common.write_json(str(gates / "sizes.json"), {"target": "cortex-m3", "stems": {"vote": 400}, "checks": {"vote": 300}, "coins": 200,
                                                    "firmware": {"sealed_vote": 800}, "library": 900})
    common.write_json(str(gates / "stack.json"), {"target": "cortex-m3", "stems": {"vote": 300}, "worst": 300})
    readme = checker.work / "README.md"
    readme.write_text("a\n<!-- sizes:begin -->\nold\n<!-- sizes:end -->\nb\n", encoding="utf-8")
    checker.expect("the table lets stale text pass", not checker.gate("readme_table.py", ".", "--check", "README.md"))
    checker.expect("the table is not written", checker.gate("readme_table.py", ".", "--write", "README.md"))
    checker.expect("the table refuses its own text", checker.gate("readme_table.py", ".", "--check", "README.md"))
    text = readme.read_text(encoding="utf-8")
    checker.expect("the table changes the rest of the file", text.startswith("a\n") and text.endswith("\nb\n"))
    readme.write_text(text.replace("400", "399"), encoding="utf-8")
    checker.expect("the table lets a number pass", not checker.gate("readme_table.py", ".", "--check", "README.md"))
    readme.write_text(text.replace("400", "399").replace("cc 1", "cc 2"), encoding="utf-8")
    checker.expect("the table compares compilers", checker.gate("readme_table.py", ".", "--check", "README.md"))
    readme.write_text(text, encoding="utf-8")
    short = checker.work / "SHORT.md"
    short.write_text("a\n<!-- sizes-short:begin -->\nold\n<!-- sizes-short:end -->\nb\n", encoding="utf-8")
    both = ("README.md", "SHORT.md")
    checker.expect("the second file of the table is not looked at", not checker.gate("readme_table.py", ".", "--check", *both))
    checker.expect("the short table is not written", checker.gate("readme_table.py", ".", "--write", *both))
    checker.expect("the short table refuses its own text", checker.gate("readme_table.py", ".", "--check", *both))
    short.write_text(short.read_text(encoding="utf-8").replace("800", "799"), encoding="utf-8")
    checker.expect("the short table lets a number pass", not checker.gate("readme_table.py", ".", "--check", *both))
    short.write_text("no marks\n", encoding="utf-8")
    checker.expect("the table lets a file without marks pass", not checker.gate("readme_table.py", ".", "--check", *both))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--commands", required=True)
    parser.add_argument("--source", required=True)
    parser.add_argument("--tools", nargs=3, required=True, metavar=("READELF", "OBJDUMP", "SIZE"))
    parser.add_argument("--processor", required=True)
    parser.add_argument("--bare-metal", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        checker = Checker(args, pathlib.Path(directory).resolve())
        check_objects(checker)
        check_floats(checker)
        check_numbers(checker)
        check_sources(checker)
        check_includes(checker)
        check_table(checker)
    return common.report("self_test", checker.faults, f"{checker.done} expectations")


if __name__ == "__main__":
    sys.exit(main())
