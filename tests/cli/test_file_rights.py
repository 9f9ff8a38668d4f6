# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Who may read what was written: rows of people lead to files of their owner, what goes to devices is for everybody."""

import json
import os
import stat

from protocol_case import ProtocolCase
from sotto_case import main


class FileRights(ProtocolCase):
    def setUp(self):
        super().setUp()
        before = os.umask(0o022)  # the usual one, whatever the machine has
        self.addCleanup(os.umask, before)

    def rights(self, path):
        return stat.S_IMODE((self.work / path).stat().st_mode)

    def owners_alone(self, directory):
        self.assertEqual(self.rights(directory), 0o700)
        files = [p for p in (self.work / directory).rglob("*") if p.is_file()]
        self.assertGreater(len(files), 1)
        for file in files:
            self.assertEqual(stat.S_IMODE(file.stat().st_mode), 0o600, file.name)

    def rows(self):
        lines = ["user,a,b,c,y"] + [f"u{i % 60},{i % 7},{i % 5},{i % 3},{i % 7 + i % 2}" for i in range(600)]
        (self.work / "rows.csv").write_text("\n".join(lines) + "\n")
        return "rows.csv"

    def test_a_simulation_on_peoples_rows(self):
        self.sotto("simulate", "--data", self.rows(), "--user-column", "user", "--target", "y", "--epsilon", 8, "--out", "run")
        self.owners_alone("run")

    def test_a_fit(self):
        self.sotto("fit", self.rows(), "--target", "y", "--leave-out", "user", "--nonzeros", 2, "--epsilon", 8, "--folds", 2, "--loss", "linear",
                   "--out", "new/fit")
        self.owners_alone("new/fit")

    def test_a_simulated_fleet_is_nobody_and_predictions_are_about_rows(self):
        self.sotto("simulate", "--users", 400, "--dim", 16, "--samples", 20, "--nonzeros", 2, "--epsilon", 8, "--out", "run")
        self.assertEqual((self.rights("run"), self.rights("run/model.json"), self.rights("run/manifest.bin")), (0o755, 0o644, 0o644))
        names = [c["name"] for c in json.loads((self.work / "run/model.json").read_text())["coefficients"]]
        (self.work / "new.csv").write_text(",".join(names) + "\n" + ",".join("1" for _ in names) + "\n")
        self.sotto("predict", "run", "new.csv", "--out", "predicted.csv")
        self.assertEqual(self.rights("predicted.csv"), 0o600)

    def test_a_study_is_for_everybody_and_its_reports_are_not(self):
        self.sotto("study", self.protocol(), "--out", "run")
        self.assertEqual([self.rights(f"run/{name}") for name in ("manifest.bin", "round-1.bin", "study.toml")], [0o644] * 3)
        self.enrol(3)
        (self.work / "junk.hex").write_text("11" * 34)  # counted as no report of this study, and kept
        self.sotto("estimate", "run", "junk.hex")
        self.assertEqual(self.rights("run/run.sqlite"), 0o600)
        self.assertEqual(self.rights("run/master.key"), 0o600)
        self.assertEqual(self.rights("run.csv"), 0o600)


if __name__ == "__main__":
    main()
