# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Studies that a protocol asks, and fleets that answer them: simulated ones, and real device processes."""

import concurrent.futures
import csv
import os
import random
import subprocess

from sotto_case import SottoCase

DEVICE = os.environ["SOTTO_ONE_ANSWER"]
NAMES = ["door", "drain", "drum", "inlet", "motor", "pump"]
FLEET = ("simulate", "--users", 400, "--dim", 64, "--samples", 40, "--nonzeros", 3, "--signal", 0.5, "--epsilon", 4)


class ProtocolCase(SottoCase):
    def protocol(self, protocol='kind = "auto"\ndevices = 60\nsparsity = 2', epsilon="4.0", study="minimum = 1", extra="", features=NAMES):
        """Writes a study file with [protocol]; returns its name."""
        tables = "".join(f'[[feature]]\nname = "{name}"\nunit = "K"\nlow = -400\nhigh = 400\n' for name in features)
        (self.work / "study.toml").write_text(f'name = "laundry"\n[privacy]\nepsilon = {epsilon}\n[protocol]\n{protocol}\n'
                                              f'[study]\nsamples = 20\n{study}\n[target]\nname = "energy"\nunit = "Wh"\nlow = -400\nhigh = 400\n'
                                              f"{tables}{extra}")
        return "study.toml"

    def enrol(self, count, directory="run"):
        self.sotto("enrol", directory, "--count", count, "--out", f"{directory}.csv")
        with open(self.work / f"{directory}.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def readings(self, number):
        """What a device holds: 20 days, with the drum behind the energy. Returns the name of the file."""
        draw = random.Random(number)
        lines = []
        for _ in range(20):
            row = [draw.gauss(0, 100) for _ in NAMES]
            row.append(0.9 * row[2] + draw.gauss(0, 30))
            lines.append(",".join(f"{round(value)}" for value in row))
        (self.work / f"device-{number}.csv").write_text("\n".join(lines) + "\n")
        return f"device-{number}.csv"

    def answers(self, credentials, number, directory="run"):
        """Reports of the devices that the round asks, as hexadecimal lines in round-<n>.hex; the others say that they are not asked."""
        def ask(i):
            return subprocess.run([DEVICE, f"{directory}-{i}.ledger", f"{directory}/manifest.bin", f"{directory}/round-{number}.bin",
                                   credentials[i]["pseudonym"], credentials[i]["key"], "@" + self.readings(i)], capture_output=True, text=True,
                                  cwd=self.work, timeout=60)
        # Every device belongs to one cohort; asking one again that has answered would only take time. They mostly wait for the disk.
        asked = [i for i, issued in enumerate(credentials) if "answered" not in issued]
        reports = []
        with concurrent.futures.ThreadPoolExecutor(16) as at_once:
            for i, ran in zip(asked, at_once.map(ask, asked)):
                if ran.returncode != 0:
                    self.assertIn("not_in_cohort", ran.stderr)
                    continue
                credentials[i]["answered"] = number
                reports.append(ran.stdout.strip())
        (self.work / f"round-{number}.hex").write_text("\n".join(reports) + "\n" if reports else "")
        return reports
