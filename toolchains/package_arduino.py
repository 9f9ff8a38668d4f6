#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""package_arduino.py OUT: the Arduino and PlatformIO library, a directory to copy into `libraries` or `lib`.

The library in one file (amalgamate.py), the ESP-IDF port, the manifests and the example of device/ports/arduino.
"""

import pathlib
import shutil
import sys

import amalgamate


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    out = pathlib.Path(sys.argv[1])
    ports = amalgamate.ROOT / "device/ports"
    for name in ("library.properties", "library.json"):
        text = (ports / "arduino" / name).read_text(encoding="utf-8")
        if amalgamate.version() not in text:
            print(f"package_arduino.py: {name} does not name version {amalgamate.version()}", file=sys.stderr)
            return 1
    shutil.copytree(ports / "arduino", out, ignore=shutil.ignore_patterns("README.md"), dirs_exist_ok=True)
    (out / "src").mkdir(exist_ok=True)
    (out / "src/sotto.cpp").write_text(amalgamate.source_text(), encoding="utf-8")
    (out / "src/sotto.h").write_text(amalgamate.header_text(), encoding="utf-8")
    for name in ("sotto_esp_idf.c", "sotto_esp_idf.h"):
        shutil.copy(ports / "esp-idf" / name, out / "src")
    shutil.copy(amalgamate.ROOT / "examples/first_report/study.h", out / "examples/FirstReport")
    shutil.copy(amalgamate.ROOT / "LICENSE", out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
