#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""fleet.py DIR CREDENTIALS ROUND: plays the washing machines of energy.toml, each as a device process of its own.

Asks every machine of CREDENTIALS (the file of `sotto enroll`) to answer DIR/round-ROUND.bin by the program linux_device, which
must be on the PATH, and prints the reports, one as hexadecimal digits on a line. A machine that belongs to another cohort sends
nothing. Ledgers and readings are kept in the directory fleet: they are what a machine has in its own flash.
"""

import concurrent.futures
import csv
import pathlib
import random
import subprocess
import sys

FLEET = pathlib.Path("fleet")
WASHES = 40
DEVIATIONS = {"drum temperature": 100, "duration": 1000, "inlet temperature": 30, "load": 1000, "mains voltage": 50,
              "room temperature": 30, "spin speed": 300, "water": 4000}
# The truth, which the study does not know: Wh per unit of a reading, and the standard deviation of the residual.
TRUTH, UNEXPLAINED = {"drum temperature": 2.1, "load": 0.15}, 150


def readings(machine: int) -> pathlib.Path:
    """The machine's washes: its features in the order of the study, and the energy last."""
    path = FLEET / f"{machine}.csv"
    if path.exists():
        return path
    draw = random.Random(machine)
    lines = []
    for _ in range(WASHES):
        wash = {name: round(draw.gauss(0, deviation)) for name, deviation in DEVIATIONS.items()}
        energy = sum(effect * wash[name] for name, effect in TRUTH.items()) + draw.gauss(0, UNEXPLAINED)
        lines.append(",".join(map(str, [*wash.values(), round(energy)])))
    path.write_text("\n".join(lines) + "\n")
    return path


def main() -> int:
    if len(sys.argv) != 4:
        print(__doc__, file=sys.stderr)
        return 2
    directory, credentials, number = sys.argv[1:]
    FLEET.mkdir(exist_ok=True)
    with open(credentials, newline="", encoding="utf-8") as file:
        issued = list(csv.DictReader(file))

    def ask(machine: int) -> subprocess.CompletedProcess:
        return subprocess.run(["linux_device", FLEET / f"{machine}.ledger", f"{directory}/manifest.bin", f"{directory}/round-{number}.bin",
                               issued[machine]["pseudonym"], issued[machine]["key"], f"@{readings(machine)}"], capture_output=True, text=True)

    # A machine that has answered belongs to the cohort of that round, and to no other.
    waiting = [machine for machine in range(len(issued)) if not (FLEET / f"{machine}.sent").exists()]
    with concurrent.futures.ThreadPoolExecutor(8) as at_once:
        for machine, ran in zip(waiting, at_once.map(ask, waiting)):
            if ran.returncode == 0:
                (FLEET / f"{machine}.sent").touch()
                print(ran.stdout.strip())
            elif "not_in_cohort" not in ran.stderr:
                print(ran.stderr, end="", file=sys.stderr)
                return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
