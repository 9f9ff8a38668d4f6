#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""fleet.py DIR CREDENTIALS ROUND: plays the washing machines of energy.toml, each as a device process of its own.

Asks every machine of CREDENTIALS (the file of `sotto enrol`) to answer DIR/round-ROUND.bin by the program sotto-device, which
must be on the PATH, and prints the reports, one as hexadecimal digits on a line. A machine that belongs to another cohort sends
nothing. The directory fleet has a home for each machine: what it keeps in its own flash.
"""

import concurrent.futures
import csv
import pathlib
import random
import shutil
import subprocess
import sys

FLEET = pathlib.Path("fleet")
WASHES = 40
DEVIATIONS = {"drum temperature": 100, "duration": 1000, "inlet temperature": 30, "load": 1000, "mains voltage": 50,
              "room temperature": 30, "spin speed": 300, "water": 4000}
# The truth, which the study does not know: Wh per unit of a reading, and the standard deviation of the residual.
TRUTH, UNEXPLAINED = {"drum temperature": 2.1, "load": 0.15}, 150


def readings(machine: int) -> str:
    """The machine's washes: its features in the order of the study, and the energy last."""
    draw = random.Random(machine)
    lines = []
    for _ in range(WASHES):
        wash = {name: round(draw.gauss(0, deviation)) for name, deviation in DEVIATIONS.items()}
        energy = sum(effect * wash[name] for name, effect in TRUTH.items()) + draw.gauss(0, UNEXPLAINED)
        lines.append(",".join(map(str, [*wash.values(), round(energy)])))
    return "\n".join(lines) + "\n"


def device(command: str, home: pathlib.Path, *options) -> None:
    subprocess.run(["sotto-device", command, home, *options], check=True, stdout=subprocess.DEVNULL)


def home_of(machine: int, issued: dict, directory: str) -> pathlib.Path:
    """The machine's home, made when it is new: its owner agrees once."""
    home = FLEET / str(machine)
    if not home.exists():
        (home / "inbox").mkdir(parents=True)
        shutil.copy(f"{directory}/manifest.bin", home)
        (home / "credential").write_text(f"{issued['pseudonym']} {issued['key']}\n")
        (home / "readings.csv").write_text(readings(machine))
        device("agree", home)
    return home


def main() -> int:
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    directory, credentials, number = sys.argv[1:]
    with open(credentials, newline="", encoding="utf-8") as file:
        issued = list(csv.DictReader(file))

    def ask(machine: int) -> str:
        home = home_of(machine, issued[machine], directory)
        shutil.copy(f"{directory}/round-{number}.bin", home / "inbox")
        device("run", home, "--data", home / "readings.csv")
        report = home / f"outbox/round-{number}.hex"
        return report.read_text() if report.exists() else ""

    with concurrent.futures.ThreadPoolExecutor(8) as at_once:
        for report in at_once.map(ask, range(len(issued))):
            print(report, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
