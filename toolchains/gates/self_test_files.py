#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""self_test_files.py: proves that the checks of the project's files can fail: layout.py, markdown.py, paths.py, tidy.py,
doxygen.py.

Writes good and bad files into an empty directory and runs the checks there, as on the project.
"""

import json
import pathlib
import shutil
import subprocess
import sys
import tempfile

import common

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
HEAD = "// SPDX-License-Identifier: Apache-2.0\n// Copyright The Sotto Authors\n"
WORDS = "word " * 30  # 150 characters
LONG = "https://example.org/" + "a" * 130

GOOD = {
    "good.cpp": HEAD + "int good(int a) { return a * 3; }\n",
    "good.py": "#!/usr/bin/env python3\n# SPDX-License-Identifier: Apache-2.0\n# Copyright The Sotto Authors\n",
    "good.md": f"# {WORDS.strip()}\n\n```\n{WORDS.strip()}\n```\n\n    {WORDS.strip()}\n\n| {WORDS}|\n| --- |\n\n- Item\n  {LONG}\n"
               f"<!-- made:begin -->\n{WORDS.strip()}\n<!-- made:end -->\n",
}
BAD = {
    "format": {"bad.cpp": HEAD + "int  bad( int a ){return a*3;}\n", "bad.hpp": HEAD + "#pragma once\nint   bad();\n"},
    "licence": {"bad.cpp": "int bad(int a) { return a * 3; }\n", "bad.py": "print()\n", "CMakeLists.txt": "project(bad)\n"},
    "markdown": {"bad.md": WORDS.strip() + "\n", "item.md": "- " + WORDS.strip() + "\n", "link.md": f"[a]({LONG}) {WORDS.strip()}\n",
                 "behind.md": f"<!-- made:begin -->\n<!-- made:end -->\n{WORDS.strip()}\n"},
    "text": {"bad.json": "{} \n", "end.toml": "a = 1", "bytes.md": b"\xff\n"},
}
# What wrapping must do: a paragraph, an item, and words that would begin something else at the start of a line.
WRAPPED = {
    "a " * 100 + "b\n": "a " * 59 + "a\n" + "a " * 39 + "a b\n",
    "- " + "a " * 60 + "b\n": "- " + "a " * 58 + "a\n  a b\n",
    "a " * 60 + "- b\n": "a " * 58 + "a\na - b\n",
    "a " * 58 + "`code of words` b\n": "a " * 57 + "a\n`code of words` b\n",
    "x  \n" + "a " * 60 + "b\n": "x  \n" + "a " * 59 + "a\nb\n",
}
TIDY_GOOD = "int good(int a) { return a * 3; }\n"
TIDY_BAD = {  # one that every run finds, and one that the static analyzer finds, which takes the options of freestanding sources
    "copy": ("struct Large {\n  int number[100];\n  Large(const Large&);\n};\nint bad(Large text) { return text.number[0]; }\n", []),
    "null": ("int bad(bool b) {\n  int* p = nullptr;\n  return b ? 0 : *p;\n}\n", ["-ffreestanding"]),
    "error": ("int bad() { return nothing; }\n", []),
}
DOXYGEN_GOOD = HEAD + "#pragma once\n/// @file\n/// A number, for the test.\n\n/// Three times the number `a`.\nint good(int a);\n"
DOXYGEN_BAD = {
    "parameter": DOXYGEN_GOOD.replace("Three", "@param b none\n/// Three"),
    "command": DOXYGEN_GOOD.replace("Three", "@nonsense Three"),
    "silence": HEAD + "#pragma once\n\nint good(int a);\n",
}
PATHS_GOOD = ("A file `part/src/room/one.cpp` beside `two.cpp`, `room/two.cpp`, `part/src/room/two.cpp`, `three.cpp`\n"
              "and `part/src/<room>/one.cpp`; not `a.out`.\n"
              "```text\n| room/   two of them (part/src/room/one.cpp) |\n```\n[here](../part/src/room)\n"
              "| module | what |\n| --- | --- |\n| `room` | two files |\n")
PATHS_BAD = {  # what stands in the good document, and what is not there
    "a file": ("part/src/room/one.cpp` beside", "part/src/room/other.cpp` beside"),
    "a file of another folder": ("part/src/room/one.cpp` beside", "part/room/one.cpp` beside"),
    "a short name": ("`two.cpp`", "`other.cpp`"),
    "a file beside another": ("`three.cpp`", "`four.cpp`"),
    "the end of a path": ("`room/two.cpp`", "`room/other.cpp`"),
    "a pattern": ("<room>/one.cpp", "<room>/other.cpp"),
    "a folder of a drawing": ("| room/ ", "| hall/ "),
    "a file of a drawing": ("(part/src/room/one.cpp)", "(part/src/room/other.cpp)"),
    "a link": ("../part/src/room", "../part/src/hall"),
    "a module": ("| `room` |", "| `hall` |"),
}


class Checker:
    def __init__(self, work: pathlib.Path) -> None:
        self.work = work
        self.faults: list[str] = []
        self.done = 0

    def write(self, name: str, text: str | bytes) -> str:
        data = text.encode() if isinstance(text, str) else text
        (self.work / name).parent.mkdir(parents=True, exist_ok=True)
        (self.work / name).write_bytes(data)
        return name

    def passes(self, script: str, *arguments: str) -> bool:
        return subprocess.run([sys.executable, str(HERE / script), *arguments], cwd=self.work, stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL, check=False).returncode == 0

    def expect(self, what: str, fact: bool) -> None:
        self.done += 1
        if not fact:
            self.faults.append(what)


def check_layout(checker: Checker) -> None:
    shutil.copy(ROOT / ".clang-format", checker.work)
    good = [checker.write(name, text) for name, text in GOOD.items()]
    checker.expect("layout refuses good files", checker.passes("layout.py", *good))
    checker.expect("layout refuses a directory of good files", checker.passes("layout.py"))
    for check, files in BAD.items():
        for name, text in files.items():
            path = checker.write(name, text)
            checker.expect(f"layout lets {check} of {name} pass", not checker.passes("layout.py", "--only", check, path))
            checker.expect(f"layout does not look for {name}", not checker.passes("layout.py"))
            (checker.work / path).unlink()


def check_wrapping(checker: Checker) -> None:
    for text, expected in WRAPPED.items():
        path = checker.write("wrap.md", text)
        checker.expect("markdown refuses what it wrapped", checker.passes("markdown.py", "--write", path))
        checker.expect(f"markdown wraps {text!r}", (checker.work / path).read_text() == expected)


def check_paths(checker: Checker) -> None:
    def passes(text: str) -> bool:
        return checker.passes("paths.py", checker.write("part/PAGE.md", text))

    for name in ("room/one.cpp", "room/two.cpp", "room/three.cpp", "four.cpp"):
        checker.write(f"part/src/{name}", HEAD)
    checker.expect("paths refuses a good document", passes(PATHS_GOOD))
    for name, (there, missing) in PATHS_BAD.items():
        checker.expect(f"paths lets {name} pass", PATHS_GOOD.count(there) == 1 and not passes(PATHS_GOOD.replace(there, missing)))
    checker.expect("paths passes without a path", not passes("Words.\n"))
    shutil.rmtree(checker.work / "part")


def check_tidy(checker: Checker) -> None:
    def passes(text: str, options: list[str], batch: bool, *arguments: str) -> bool:
        path = checker.work / checker.write("src/shared/one.cpp", text)
        if batch:
            path = checker.work / checker.write("batch.cxx", f'#include "{path}"\n')
        command = ["c++", "-std=c++20", *options, "-c", str(path)]
        checker.write("compile_commands.json", json.dumps([{"directory": str(checker.work), "file": str(path), "arguments": command}]))
        return checker.passes("tidy.py", "--commands", "compile_commands.json", "--root", str(ROOT), *arguments, "--", "src")

    checker.expect("tidy refuses good code", passes(TIDY_GOOD, [], True, "--deep", "--without-plugin"))
    for name, (text, options) in TIDY_BAD.items():
        checker.expect(f"tidy lets {name} pass", not passes(text, options, False, "--without-plugin"))
        checker.expect(f"tidy --deep lets {name} in a batch pass", not passes(text, [], True, "--deep", "--without-plugin"))
    checker.expect("tidy with its plugin lets a copy pass", not passes(*TIDY_BAD["copy"], True))
    checker.expect("tidy passes without sources", not checker.passes(
        "tidy.py", "--commands", "compile_commands.json", "--root", str(ROOT), "--", "nowhere"))


def check_doxygen(checker: Checker) -> None:
    def passes(text: str) -> bool:
        checker.write("include/good.hpp", text)
        return checker.passes("doxygen.py", "--output", "pages", "include")

    checker.expect("doxygen refuses a good header", passes(DOXYGEN_GOOD))
    for name, text in DOXYGEN_BAD.items():
        checker.expect(f"doxygen lets {name} pass", not passes(text))


def main() -> int:
    with tempfile.TemporaryDirectory() as directory:
        checker = Checker(pathlib.Path(directory).resolve())
        check_layout(checker)
        check_wrapping(checker)
        check_paths(checker)
        check_tidy(checker)
        check_doxygen(checker)
    return common.report("self_test_files", checker.faults, f"{checker.done} expectations")


if __name__ == "__main__":
    sys.exit(main())
