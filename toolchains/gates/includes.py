#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""includes.py --root DIR --table modules.json PART...: which module may include which.

A module is a folder of a part (shared, device, analyzer): its sources, its private headers beside them, and its public headers in
the folder of the same name below include/. The table says for every module which others of its part it sees, and for every part
which parts below. Fails when
- an include goes to a module that the table does not allow,
- a file lies in no module of the table, or a module of the table has no file,
- a private header (below src) is included from another module, by whatever path. The table may call a module open: those of its
  part that see it then see its private headers, too,
- the table allows a cycle, so that none can grow,
- an include names a file that is not there.
"""

import argparse
import pathlib
import re
import sys
from typing import NamedTuple

import common

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*(?:"([^"]+)"|<(sotto[^>]*)>)', re.MULTILINE)
SUFFIXES = {".c", ".cpp", ".h", ".hpp"}


class Place(NamedTuple):
    part: str
    module: str
    private: bool  # a header that only its own module includes

    def __str__(self) -> str:
        return f"{self.part}/{self.module}"


class Modules:
    """The table of modules, and the module to which a file belongs."""

    def __init__(self, root: pathlib.Path, table: dict) -> None:
        self.root = root
        self.parts = table["parts"]
        self.search = [root / folder for folder in table["search"]]

    def place_of(self, file: pathlib.Path) -> Place | None:
        """The module is the longest folder that the table names; "." are the files beside the folders."""
        path = file.relative_to(self.root)
        for name, part in self.parts.items():
            own = part.get("files", {}).get(path.as_posix())
            if own:
                return Place(name, own, False)
            for kind in ("public", "private"):
                for folder in part[kind]:
                    if not path.is_relative_to(folder):
                        continue
                    inside = path.relative_to(folder).parent
                    for module in [inside, *inside.parents]:
                        if module.as_posix() in part["sees"] and (module != pathlib.PurePath(".") or inside == module):
                            return Place(name, module.as_posix(), kind == "private")
                    return None
        return None

    def resolve(self, file: pathlib.Path, name: str) -> pathlib.Path | None:
        for folder in [file.parent, *self.search]:
            found = (folder / name).resolve()
            if found.is_file():
                return found
        return None

    def allows(self, source: Place, target: Place) -> bool:
        if source.part != target.part:
            return target.part in self.parts[source.part]["below"]
        return target.module == source.module or target.module in self.parts[source.part]["sees"][source.module]

    def files_of(self, part: str) -> list[pathlib.Path]:
        entry = self.parts[part]
        files = {self.root / file for file in entry.get("files", {})}
        for folder in entry["public"] + entry["private"]:
            files |= {file for file in (self.root / folder).rglob("*") if file.suffix in SUFFIXES}
        return sorted(files)


def cycle_in(sees: dict[str, list[str]]) -> list[str]:
    """The modules of an include cycle, if there is one."""
    done: set[str] = set()

    def visit(module: str, way: list[str]) -> list[str]:
        if module in way:
            return way[way.index(module):] + [module]
        if module in done:
            return []
        for other in sees.get(module, []):
            if ring := visit(other, way + [module]):
                return ring
        done.add(module)
        return []

    return next((ring for module in sees if (ring := visit(module, []))), [])


def table_faults(modules: Modules, part: str) -> list[str]:
    sees = modules.parts[part]["sees"]
    faults = [f"the table lets {part}/{module} see {other}, which is no module of {part}"
              for module, others in sees.items() for other in others if other not in sees]
    if ring := cycle_in(sees):
        faults.append(f"the table allows a cycle in {part}: {' -> '.join(ring)}")
    if ring := cycle_in({name: entry["below"] for name, entry in modules.parts.items()}):
        faults.append(f"the table allows a cycle of parts: {' -> '.join(ring)}")
    return faults


def file_faults(modules: Modules, file: pathlib.Path, source: Place) -> list[str]:
    faults = []
    name = file.relative_to(modules.root)
    for match in INCLUDE.finditer(file.read_text(encoding="utf-8")):
        included = match[1] or match[2]
        found = modules.resolve(file, included)
        if found is None:
            faults.append(f"{name} includes {included}, which is not there")
            continue
        target = modules.place_of(found) if found.is_relative_to(modules.root) else None
        if target is None:
            faults.append(f"{name} includes {included}, which is in no module of the table")
        elif (source.part, source.module) != (target.part, target.module):
            if target.private and not (source.part == target.part and target.module in modules.parts[target.part].get("open", [])):
                faults.append(f"{name} includes {included}, a private header of {target}")
            elif not modules.allows(source, target):
                faults.append(f"{name} includes {included}, but {source} does not see {target}")
    return faults


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True)
    parser.add_argument("--table", required=True)
    parser.add_argument("parts", nargs="+")
    args = parser.parse_args()
    modules = Modules(pathlib.Path(args.root).resolve(), common.read_json(args.table))
    faults: list[str] = []
    files = 0
    for part in args.parts:
        faults += table_faults(modules, part)
        empty = set(modules.parts[part]["sees"])
        for file in modules.files_of(part):
            files += 1
            source = modules.place_of(file)
            if source is None:
                faults.append(f"{file.relative_to(modules.root)} is in no module of the table")
                continue
            empty.discard(source.module)
            faults += file_faults(modules, file, source)
        faults += [f"{part}/{module} is in the table and has no file" for module in sorted(empty)]
    return common.report("includes", faults, f"{files} files of {', '.join(args.parts)}")


if __name__ == "__main__":
    sys.exit(main())
