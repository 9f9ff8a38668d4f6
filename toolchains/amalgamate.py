#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The device library as one C++ file and one C header, for projects without CMake.

amalgamate.py --out DIR           writes DIR/sotto.cpp and DIR/sotto.h
              --calls FILE...     with only those functions of sotto.h that these sources of a firmware name
amalgamate.py --sources           prints device/sources.mk: the same library file by file, for a Makefile
amalgamate.py --check-sources     fails unless device/sources.mk is what --sources prints

The sources are those that shared/CMakeLists.txt and device/CMakeLists.txt name; the same tree gives the same bytes.

In one file the anonymous namespaces of all sources become one. Two helpers of one name would then be an error, or,
where their parameters differ, overloads of each other, and a call could silently change its meaning. So every name that
is local to a source gets the name of its source as an ending, whether it clashes today or not. What this script does
not recognise as local fails later: tests/amalgamation refuses local functions without the ending.
"""

import argparse
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ("shared", "device")
WIDTH = 120
C_HEADERS = ("sotto/questions.h", "sotto/statuses.h")  # the parts of sotto.h

TOKEN = re.compile(r"""
    (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<string>"(?:\\.|[^"\\\n])*")
  | (?P<char>(?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+')
  | (?P<directive>^[ \t]*\#[^\n]*(?:\\\n[^\n]*)*)
  | (?P<number>[0-9](?:'?[0-9A-Za-z_.])*)
  | (?P<name>[A-Za-z_][A-Za-z0-9_]*)
  | (?P<space>\s+)
  | (?P<mark>::|->|\[\[|\]\]|.)
""", re.VERBOSE | re.DOTALL | re.MULTILINE)


class Unreadable(Exception):
    """A source that this script cannot put into one file with the others."""


def tokens(text: str) -> list[tuple[str, str]]:
    if re.search(r'(?<!\w)(u8|u|U|L)?R"', text):
        raise Unreadable("has a raw string, which this script does not read")
    return [(m.lastgroup, m.group()) for m in TOKEN.finditer(text)]


def version() -> str:
    found = re.search(r"project\(sotto VERSION (\d+\.\d+\.\d+)", (ROOT / "CMakeLists.txt").read_text(encoding="utf-8"))
    if not found:
        raise Unreadable("CMakeLists.txt: no project(sotto VERSION ...)")
    return found.group(1)


def sources() -> list[pathlib.Path]:
    """Relative to the root, sorted, as the two CMakeLists.txt name them."""
    found = []
    for part in PARTS:
        text = (ROOT / part / "CMakeLists.txt").read_text(encoding="utf-8")
        listed = re.search(rf"target_sources\(sotto_{part} PRIVATE(.*?)\)", text, re.DOTALL)
        if not listed:
            raise Unreadable(f"{part}/CMakeLists.txt: no target_sources(sotto_{part} PRIVATE ...)")
        found += sorted(pathlib.Path(part) / name for name in listed.group(1).split())
    return found


# -- Names that are local to a source --------------------------------------------------------------------------------


def balanced(code: list[str], at: int, opening: str, closing: str) -> int:
    """The place behind the bracket that closes the one at `at`."""
    depth = 0
    for place in range(at, len(code)):
        depth += (code[place] == opening) - (code[place] == closing)
        if depth == 0:
            return place + 1
    raise Unreadable(f"'{opening}' is not closed")


def is_name(token: str) -> bool:
    return re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", token) is not None


def behind_angles(code: list[str], at: int) -> int:
    return balanced(code, at, "<", ">")


def declared(code: list[str], at: int) -> tuple[list[str], bool, int]:
    """The names that the declaration at `at` introduces, whether it says static, and the place behind it."""
    names: list[str] = []
    static = False
    last = ""        # the name that a bracket, '=' or ';' would belong to
    qualified = False
    taken = False    # the current declarator has its name
    while at < len(code):
        token = code[at]
        if token == "[[":
            at = balanced(code, at, "[[", "]]")
        elif token == "template":
            at = behind_angles(code, at + 1)
        elif token in ("static_assert", "asm", "__asm__"):
            at = balanced(code, at + 1, "(", ")")
            taken = True
        elif token in ("alignas", "decltype", "__attribute__") and code[at + 1] == "(":
            at = balanced(code, at + 1, "(", ")")
        elif token == "static":
            static = True
            at += 1
        elif token == "using":
            end = code.index(";", at)
            if code[at + 2] == "=":
                names.append(code[at + 1])
            return names, static, end + 1
        elif token == "concept":
            return [code[at + 1]], static, code.index(";", at) + 1
        elif token in ("struct", "class", "union", "enum") and not names:
            scoped = token != "enum" or code[at + 1] in ("struct", "class")
            at += 1 + (token == "enum" and scoped)
            while code[at] == "[[":
                at = balanced(code, at, "[[", "]]")
            if not is_name(code[at]):
                raise Unreadable(f"a {token} without a name among the local names")
            kind = code[at]
            at += 1
            if code[at] == "<":  # a specialization
                at = behind_angles(code, at)
                kind = ""
            if code[at] in ("{", ":", ";"):
                while code[at] not in ("{", ";"):
                    at += 1
                if kind:
                    names.append(kind)
                if code[at] == "{":
                    end = balanced(code, at, "{", "}")
                    if not scoped:
                        inside = code[at + 1:end - 1]
                        names += [t for i, t in enumerate(inside) if is_name(t) and (i == 0 or inside[i - 1] == ",")]
                    at = end
                taken = True
            else:
                last, qualified = kind, False
        elif token == "operator":
            taken = True
            at += 1
        elif token == "<" and last and not taken:
            at = behind_angles(code, at)
        elif token in ("(", "[", "=", "{", ";", ",", ":"):
            if last and not qualified and not taken:
                names.append(last)
            taken = True
            if token == "(":
                at = balanced(code, at, "(", ")")
                while code[at] in ("const", "noexcept"):
                    at = balanced(code, at + 1, "(", ")") if code[at + 1] == "(" else at + 1
                if code[at] == "->":
                    while code[at] not in ("{", ";"):
                        at += 1
                if code[at] == "{":
                    return names, static, balanced(code, at, "{", "}")
            elif token == "[":
                at = balanced(code, at, "[", "]")
            elif token == "{":
                at = balanced(code, at, "{", "}")
            elif token == "=":
                at += 1
                while code[at] not in (";", ","):  # commas of arguments are inside of brackets
                    at = balanced(code, at, code[at], {"(": ")", "{": "}", "[": "]"}[code[at]]) if code[at] in "({[" \
                        else at + 1
            elif token == ";":
                return names, static, at + 1
            elif token == ",":
                taken, last = False, ""
                at += 1
            else:
                at += 1
        else:
            if is_name(token) and not taken:
                last, qualified = token, code[at - 1] == "::"
            at += 1
    raise Unreadable("a declaration does not end")


def local_names(text: str) -> set[str]:
    """Names of anonymous namespaces and of static functions and variables."""
    code = [t for kind, t in tokens(text) if kind not in ("comment", "space", "directive")]
    names: set[str] = set()
    scopes: list[bool] = []  # of the open namespaces: whether it is anonymous
    at = 0
    while at < len(code):
        if code[at] == "namespace" and code[at + 1] == "{":
            scopes.append(True)
            at += 2
        elif code[at] == "namespace":
            if code[at + 2] == "=":
                raise Unreadable("renames a namespace, which would last for all files behind it")
            opening = code.index("{", at)
            if any(scopes):
                names.add(code[at + 1])
                at = balanced(code, opening, "{", "}")
            else:
                scopes.append(False)
                at = opening + 1
        elif code[at] == "extern" and code[at + 1] == '"C"' and code[at + 2] == "{":
            scopes.append(False)
            at += 3
        elif code[at] == "}":
            scopes.pop()
            at += 1
        elif code[at] == ";":
            at += 1
        elif code[at] == "using" and code[at + 1] == "namespace":
            at = code.index(";", at) + 1
        else:
            found, static, at = declared(code, at)
            if static or any(scopes):
                names.update(found)
    return names


def with_ending(text: str, names: set[str], ending: str) -> str:
    """The same text with these names made unique. What a member or a qualified name says is not one of them."""
    out = []
    before = ""
    for kind, token in tokens(text):
        if kind == "directive" and names & set(re.findall(r"\w+", token)):
            raise Unreadable(f"has a local name in a directive: {token.strip()}")
        out.append(token + ending if kind == "name" and token in names and before not in (".", "->", "::") else token)
        if kind not in ("comment", "space"):
            before = token
    return "".join(out)


# -- One file -------------------------------------------------------------------------------------------------------------


def directives(path: pathlib.Path) -> tuple[str, ...]:
    """The using-directives of a source, in order."""
    return tuple(re.findall(r"^\s*using namespace [^;]+;", (ROOT / path).read_text(encoding="utf-8"), re.MULTILINE))


def ordered() -> list[pathlib.Path]:
    """The sources. A using-directive lasts to the end of the one file: sources that have some come last, and must all
    have the same."""
    plain = [path for path in sources() if not directives(path)]
    using = [path for path in sources() if directives(path)]
    if len({directives(path) for path in using}) > 1:
        raise Unreadable("sources with different using-directives: "
                         + ", ".join(f"{path} ({' '.join(directives(path))})" for path in using))
    return plain + using


# A function of sotto.h, as .clang-format writes it: from its name at the left margin to the brace at the left margin.
C_FUNCTION = re.compile(r"^(?:const )?\w+[ *]+(sotto_\w+)\([^;{}]*\) \{(?:[^\n]*\}|.*?^\})\n", re.MULTILINE | re.DOTALL)


class Assembly:
    def __init__(self, calls: set[str] | None = None) -> None:
        self.calls = calls
        self.seen: set[str] = set()
        self.system: set[str] = set()
        self.placed: dict[pathlib.Path, bool] = {}  # headers, and whether inside of a condition
        self.headers: list[str] = []
        self.bodies: list[str] = []

    def find(self, source: pathlib.Path, name: str) -> pathlib.Path:
        for place in (source.parent, *(pathlib.Path(part) / "include" for part in PARTS)):
            if (ROOT / place / name).is_file():
                return (place / name)
        raise Unreadable(f'{source}: "{name}" is not there')

    def text(self, path: pathlib.Path) -> str:
        """The file without its licence, includes and guard; what it includes is placed before."""
        lines = []
        depth = 0
        content = (ROOT / path).read_text(encoding="utf-8")
        for line in content.splitlines():
            include = re.match(r'\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)', line)
            if include and include.group(2):
                if depth:
                    raise Unreadable(f"{path}: <{include.group(2)}> is included under a condition")
                self.system.add(include.group(2))
            elif include and include.group(1) == "sotto.h":
                pass  # of all: the first line of the file
            elif include:
                header = self.find(path, include.group(1))
                if depth and header not in self.placed:
                    # Only this place includes it: it stands here. The check below keeps it so.
                    self.placed[header] = True
                    lines.append(self.text(header))
                elif depth == 0 and self.placed.get(header):
                    raise Unreadable(f"{header} is included both under a condition and without")
                else:
                    self.header(header)
            elif re.match(r"\s*#\s*pragma once|// SPDX-License-Identifier|// Copyright The Sotto", line):
                pass
            else:
                depth += bool(re.match(r"\s*#\s*if", line)) - bool(re.match(r"\s*#\s*endif", line))
                lines.append(line.rstrip())
        return "\n".join(lines).strip("\n") + "\n"

    def header(self, path: pathlib.Path) -> None:
        if path in self.placed or path in (pathlib.Path("device/include") / name for name in C_HEADERS):
            return
        self.placed[path] = False
        text = self.text(path)
        try:
            local = local_names(text) if re.search(r"namespace\s*{", text) else set()
        except Unreadable as error:
            raise Unreadable(f"{path}: {error}") from error
        if local:
            raise Unreadable(f"{path}: a header with an anonymous namespace")
        self.headers.append(banner(path) + text)

    def source(self, path: pathlib.Path) -> None:
        text = self.text(path)
        part, _, *folders = path.with_suffix("").parts
        ending = "_in_" + "_".join(folders if part == "device" else [part, *folders])
        try:
            text = with_ending(text, local_names(text), ending)
        except (Unreadable, ValueError, IndexError) as error:
            raise Unreadable(f"{path}: {error}") from error
        if self.calls is not None and path.parts[:3] == ("device", "src", "c_api"):
            self.seen.update(C_FUNCTION.findall(text))
            text = C_FUNCTION.sub(lambda found: found.group() if found.group(1) in self.calls else "", text)
        made = re.findall(r"^\s*#\s*define\s+(\w+)", text, re.MULTILINE)
        undo = "".join(f"#undef {name}\n" for name in made)
        self.bodies.append(banner(path) + text + undo)


def banner(path: pathlib.Path) -> str:
    return f"\n// -- {path} ".ljust(WIDTH, "-") + "\n\n"


def header_text() -> str:
    """sotto.h with its parts in it."""
    include = ROOT / "device/include"
    text = (include / "sotto.h").read_text(encoding="utf-8")
    if sorted(re.findall(r'#include "([^"]+)"\n', text)) != sorted(C_HEADERS):
        raise Unreadable(f"device/include/sotto.h: includes of this library other than {', '.join(C_HEADERS)}")
    for name in C_HEADERS:
        inner = "".join(line for line in (include / name).read_text(encoding="utf-8").splitlines(keepends=True)
                        if not re.match(r"/\* (SPDX|Copyright)|#include", line)).strip("\n") + "\n"
        text = text.replace(f'#include "{name}"\n', inner)
    guard = "#ifndef SOTTO_H\n"
    return text.replace(guard, f"/* Sotto {version()} in two files: this one and sotto.cpp. */\n" + guard, 1)


def localised(text: str) -> str:
    """The namespace of the library through the two macros that source_text() defines."""
    lines = []
    closing = {}
    for line in text.splitlines():
        opened = re.fullmatch(r"namespace (sotto(?:::(\w+))?) \{", line)
        if opened:
            inner = opened.group(2)
            lines.append("SOTTO_BEGIN" + (f" namespace {inner} {{" if inner else ""))
            closing[f"}}  // namespace {opened.group(1)}"] = "SOTTO_END" if not inner else f"}} SOTTO_END"
        else:
            lines.append(closing.get(line, line))
    opened, closed = (sum(bool(re.match(mark, line)) for line in lines) for mark in ("SOTTO_BEGIN", "(?:} )?SOTTO_END"))
    if opened != closed:
        raise Unreadable(f"namespace sotto is opened {opened} times and closed {closed} times, as far as this script sees")
    return "\n".join(lines) + "\n"


def called_in(files: list[pathlib.Path]) -> set[str]:
    """What a firmware names of sotto.h; names that are no functions do no harm."""
    return {name for file in files for name in re.findall(r"\bsotto_\w+", file.read_text(encoding="utf-8"))}


def source_text(calls: set[str] | None = None) -> str:
    assembly = Assembly(calls)
    for path in ordered():
        assembly.source(path)
    if calls is not None and not calls & assembly.seen:
        raise Unreadable("the firmware calls no function of sotto.h")
    major, minor, patch = map(int, version().split("."))
    kept = "" if calls is None else "It has only the functions of sotto.h that one firmware names (--calls)."
    head = f"""// SPDX-License-Identifier: Apache-2.0
// Copyright The Sotto Authors

// Sotto {version()}: the device library in one C++20 file. Firmware, in C or C++, includes sotto.h and links this.
//
//   g++ -std=c++20 -Os -ffreestanding -fno-exceptions -fno-rtti -ffunction-sections -fdata-sections -c sotto.cpp
//
// Link with -Wl,--gc-sections: questions that the firmware does not list are then left out. Made by toolchains/amalgamate.py
// of the sources named below; change those. {kept}
#include "sotto.h"

"""
    system = "".join(f"#include <{name}>\n" for name in sorted(assembly.system))
    local = """
// Everything but the functions of sotto.h is local to this file: the compiler sees every call of a function, and makes a
// firmware of it a tenth smaller. With SOTTO_EXPOSED the names are those of the library, for tests of its parts.
#if defined(SOTTO_EXPOSED)
#define SOTTO_BEGIN namespace sotto {
#define SOTTO_END }
#else
#define SOTTO_BEGIN namespace sotto { namespace {
#define SOTTO_END } }
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wunused-const-variable"
#endif
"""
    number = major * 10000 + minor * 100 + patch
    defined = f"\n#ifndef SOTTO_VERSION_NUMBER\n#define SOTTO_VERSION_NUMBER {number}\n#endif\n"
    return head + system + defined + local + localised("".join(assembly.headers) + "".join(assembly.bodies))


def sources_text() -> str:
    lines = ["# SPDX-License-Identifier: Apache-2.0", "# Copyright The Sotto Authors", "",
             "# The device library file by file, for a Makefile: set SOTTO_ROOT to the source tree, compile as C++20 with",
             "# these options, link with -Wl,--gc-sections. Made by toolchains/amalgamate.py --sources.",
             "SOTTO_INCLUDES = " + " ".join(f"-I$(SOTTO_ROOT)/{part}/include" for part in PARTS),
             "SOTTO_CXXFLAGS = -std=c++20 -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics "
             "-ffunction-sections -fdata-sections",
             "SOTTO_DEFINES = -DSOTTO_VERSION_NUMBER=" + str(sum(int(n) * w for n, w in zip(version().split("."), (10000, 100, 1)))),
             "SOTTO_SOURCES = \\"]
    paths = [path.as_posix() for path in sources()]
    return "\n".join(lines + [f"  {path} \\" for path in paths[:-1]] + [f"  {paths[-1]}", ""])


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    what = arguments.add_mutually_exclusive_group(required=True)
    what.add_argument("--out", type=pathlib.Path, metavar="DIR")
    what.add_argument("--sources", action="store_true")
    what.add_argument("--check-sources", action="store_true")
    arguments.add_argument("--calls", nargs="+", type=pathlib.Path, metavar="FILE")
    chosen = arguments.parse_args()
    try:
        if chosen.sources:
            sys.stdout.write(sources_text())
        elif chosen.check_sources:
            if (ROOT / "device/sources.mk").read_text(encoding="utf-8") != sources_text():
                print("device/sources.mk is stale: python3 toolchains/amalgamate.py --sources > device/sources.mk",
                      file=sys.stderr)
                return 1
        else:
            calls = called_in(chosen.calls) if chosen.calls else None
            files = {"sotto.cpp": source_text(calls), "sotto.h": header_text()}
            chosen.out.mkdir(parents=True, exist_ok=True)
            for name, text in files.items():
                (chosen.out / name).write_text(text, encoding="utf-8")
    except Unreadable as error:
        print(f"amalgamate.py: {error}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
