# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Several processes at once on one file or directory: what is reported as done is there, and files belong together."""

import csv
import hashlib
import os
import subprocess

from sotto_case import SOTTO, main
from wire_case import WireCase, wire

TIMES = int(os.environ.get("SOTTO_RACES", "20"))


class Races(WireCase):
    def at_once(self, *commands):
        running = [subprocess.Popen([SOTTO, *map(str, command)], cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                   for command in commands]
        ended = []
        for process in running:
            out, said = process.communicate(timeout=self.SECONDS)
            ended.append((process.returncode, out, said))
        return ended

    def test_every_credential_that_was_issued_is_in_the_file(self):
        self.compile()
        issued = set()
        for turn in range(TIMES):
            for name in "ab":
                (self.work / name).write_text("".join(f"{name}-{turn}-{i}\n" for i in range(30)))
            for code, _, said in self.at_once(*(("enrol", "d", "--ids", name, "--out", "c.csv") for name in "ab")):
                self.assertEqual(code, 0, said)
            issued |= {f"{name}-{turn}-{i}" for name in "ab" for i in range(30)}
            with open(self.work / "c.csv", newline="") as file:
                rows = list(csv.DictReader(file))
            self.assertEqual({row["id"] for row in rows}, issued)
            self.assertEqual(len(rows), len(issued))
        self.assertEqual(sorted(p.name for p in self.work.glob("*.partial")), [])

    def test_a_master_key_is_drawn_once(self):
        for turn in range(TIMES // 4):
            self.compile(f"d{turn}", terms=f"samples = {turn + 1}")
            for code, _, said in self.at_once(*(("enrol", f"d{turn}", "--count", 1, "--out", f"c{turn}-{n}.csv") for n in range(3))):
                self.assertEqual(code, 0, said)
            for n in range(3):  # each of the files is of the key that stayed
                self.sotto("enrol", f"d{turn}", "--count", 1, "--out", f"c{turn}-{n}.csv")

    def test_a_directory_holds_one_study(self):
        for epsilon in (1, 2, 3):
            (self.work / f"{epsilon}.toml").write_text(f'name = "s{epsilon}"\n[privacy]\nepsilon = {epsilon}\n[question]\nkind = "vote"\nfeatures = 8\n')
        for turn in range(TIMES):
            ended = self.at_once(*(("study", f"{epsilon}.toml", "--out", f"d{turn}") for epsilon in (1, 2, 3)))
            done = [i + 1 for i, (code, _, _) in enumerate(ended) if code == 0]
            self.assertEqual(len(done), 1, ended)
            for code, _, said in ended:
                self.assertTrue(code == 0 or "code: study.exists" in said or "code: store.busy" in said, said)
            directory = self.work / f"d{turn}"
            manifest = (directory / "manifest.bin").read_bytes()
            round_ = wire.decode_round((directory / "round-1.bin").read_bytes())
            self.assertEqual(round_[8:40], wire.digest(manifest))
            self.assertEqual((directory / "study.toml").read_text(), (self.work / f"{done[0]}.toml").read_text())
            for line in (directory / "study.sha256").read_text().splitlines():
                digest, name = line.split("  ")
                self.assertEqual(hashlib.sha256((directory / name).read_bytes()).hexdigest(), digest)

    def test_one_run_at_a_time(self):
        fleet = ("simulate", "--users", 200, "--dim", 16, "--samples", 20, "--nonzeros", 2, "--epsilon", 4)
        models = set()
        for turn in range(TIMES // 4):
            ended = self.at_once(*((*fleet, "--out", f"r{turn}") for _ in range(2)))
            self.assertIn(0, [code for code, _, _ in ended])
            for code, _, said in ended:
                self.assertTrue(code == 0 or "code: store.busy" in said, said)
            ended = self.at_once(*(("estimate", f"r{turn}") for _ in range(2)))
            self.assertIn(0, [code for code, _, _ in ended])
            models.add((self.work / f"r{turn}/model.json").read_bytes())
        self.assertEqual(len(models), 1)

    def test_model_and_page_of_one_fit(self):
        for turn in range(TIMES // 4):
            ended = self.at_once(*(("fit", "--synthetic", "60,4,2", "--nonzeros", 2, "--epsilon", epsilon, "--delta", 1e-6, "--out", "f") for epsilon in (1, 2)))
            self.assertIn(0, [code for code, _, _ in ended])
            for code, _, said in ended:
                self.assertTrue(code == 0 or "code: store.busy" in said, said)


if __name__ == "__main__":
    main()
