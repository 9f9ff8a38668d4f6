# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto serve: for each kind of protocol the reports of a simulated fleet give over HTTP, byte for byte, the rounds and the
model that sotto estimate gives from files."""

import hashlib
import json
import random
import shutil
import sqlite3
import struct

from serve_case import ServeCase, seal_report, wire
from sotto_case import SOURCE, main

SEED = 7
LAUNDRY = SOURCE / "examples/laundry-energy.csv"
# Fleets of a second each.
FLEETS = {
    "cascade": ("--effects", LAUNDRY, "--target", "energy", "--users", 600, "--samples", 20),
    "boost": ("--protocol", "boost", "--users", 600, "--samples", 20, "--dim", 12, "--nonzeros", 2, "--signal", "0.5"),
    "ldp-iht": ("--protocol", "ldp-iht", "--users", 3000, "--samples", 1, "--dim", 8, "--nonzeros", 2, "--signal", "0.5"),
    "label-iht": ("--protocol", "label-iht", "--users", 2000, "--dim", 16, "--nonzeros", 2, "--signal", "0.5"),
    "federated-ht": ("--protocol", "federated-ht", "--users", 600, "--samples", 20, "--dim", 12, "--nonzeros", 2, "--signal", "1"),
    "kernel-ridge": ("--protocol", "kernel-ridge", "--users", 4000, "--dim", 1),
    "number": ("--protocol", "number", "--users", 3000),
    "category": ("--protocol", "category", "--users", 2000, "--periods", 2),
    "top": ("--protocol", "top", "--users", 4000, "--zipf", "1.5"),
}


class Protocols(ServeCase):
    def fleet(self, name, options):
        """A study directory, and the batches of each round that a simulated fleet sent."""
        self.sotto("simulate", *options, "--epsilon", 8, "--seed", SEED, "--threads", 1, "--out", "made")
        (self.work / "run").mkdir()
        for path in (self.work / "made").iterdir():
            if path.name in ("study.toml", "manifest.bin", "round-1.bin", "design.bin"):
                shutil.copy(path, self.work / "run" / path.name)
        # A simulation needs no minimum, and a collection does; devices are not told of it.
        study = self.work / "run/study.toml"
        study.write_text(study.read_text().replace("minimum = 0", "minimum = 1"))
        key = self.work / "run/master.key"
        key.write_bytes(hashlib.sha256(b"sotto-simulated-master" + struct.pack("<Q", SEED)).digest())
        key.chmod(0o600)
        batches = {}
        store = sqlite3.connect(self.work / "made/run.sqlite")
        for number, batch in store.execute("SELECT round, bytes FROM batches ORDER BY round, number"):
            batches.setdefault(number, []).append(batch)
        store.close()
        return batches

    def same_from_files_and_over_http(self, name):
        batches = self.fleet(name, FLEETS[name])
        model = self.work / "run/model.json"
        number = 0
        while not model.exists():
            number += 1
            for at, batch in enumerate(batches.get(number, [])):
                (self.work / f"{number}-{at}.bin").write_bytes(batch)
            files = [f"{number}-{at}.bin" for at in range(len(batches.get(number, [])))]
            self.sotto("estimate", "run", *files)
            self.sotto("estimate", "run", "--close")
        self.assertGreaterEqual(number, max(batches))
        self.serve()
        for served in range(1, number + 1):
            self.assertEqual(self.ask("GET", "round")[2], (self.work / f"run/round-{served}.bin").read_bytes(), (name, served))
            for batch in reversed(batches.get(served, [])):  # in any order
                self.assertEqual(self.ask("POST", "reports", batch)[0], 200)
            self.order("close")
        own = self.work / "data" / self.digest[:16]
        self.assertEqual((own / "model.json").read_bytes(), model.read_bytes(), name)
        self.assertEqual((own / "report.html").read_bytes(), (self.work / "run/report.html").read_bytes(), name)
        self.stop()


class Votes(ServeCase):
    QUESTIONS = {"names": 'kind = "vote"\nnames = ["door", "drain", "drum", "inlet", "motor", "pump", "temperature", "vibration"]',
                 "many": 'kind = "vote"\nfeatures = 600'}

    def test_a_vote_is_the_same_from_files_and_over_http(self):
        for name, question in self.QUESTIONS.items():
            with self.subTest(name):
                self.sotto("study", self.study(privacy="epsilon = 4", question=question), "--out", name)
                credentials = self.enrol(300, name)
                study, asked = (wire.digest((self.work / name / file).read_bytes()) for file in ("manifest.bin", "round-1.bin"))
                draw = random.Random(5)
                reports = [seal_report(bytes.fromhex(row["key"]), study, asked, struct.pack("<BBHIQ", 0x11, 1, 1, 0, 0)[:4] + study[:4] +
                                       struct.pack("<Q", int(row["pseudonym"], 16)), bytes([draw.choice((2, 2, 2, draw.randrange(8)))] + self.tail(name)))
                           for row in credentials]
                reports += [reports[0], reports[1][:-1] + b"x", reports[2][:20]]  # twice, forged, cut
                (self.work / "reports.bin").write_bytes(self.batch(reports))
                said = self.json("estimate", name, "reports.bin", "--close")
                self.assertEqual(said["reports"]["used"], 300)
                self.serve(directories=(name,), data=f"data-{name}")
                self.assertEqual(self.ask("GET", "round")[2], (self.work / name / "round-1.bin").read_bytes())
                self.assertEqual(self.status()["protocol"], "vote")
                self.assertEqual(self.order("close", status=409)["error"]["code"], "serve.below_minimum")
                for at in range(len(reports), 0, -100):
                    self.post(reports[max(0, at - 100):at])
                self.assertEqual(self.order("close")["state"], "finished")
                self.assertEqual(self.post(reports[:3]), {"late": 3})
                own = self.work / f"data-{name}" / self.digest[:16]
                self.assertEqual((own / "model.json").read_bytes(), (self.work / name / "model.json").read_bytes())
                self.assertEqual((own / "report.html").read_bytes(), (self.work / name / "report.html").read_bytes())
                self.assertNotIn("Nothing could be learned", (own / "report.html").read_text())
                cells = {cell["name"]: cell for cell in json.loads((own / "model.json").read_text())["everyday"]["cells"]}
                for row in said["estimates"]:
                    self.assertAlmostEqual(cells[row["answer"]]["share"], row["share"], 9)
                    self.assertAlmostEqual(cells[row["answer"]]["low"], row["low"], 9)
                self.stop()
                self.serve(directories=(name,), data=f"data-{name}")  # a closed vote shows the same again
                self.assertEqual(self.status()["state"], "finished")
                self.assertEqual(self.ask("GET", "model", operator=True)[2], (self.work / name / "model.json").read_bytes())
                self.stop()
                self.sotto("report", f"data-{name}/{self.digest[:16]}")

    def tail(self, name):
        """What follows the first byte of a payload."""
        told = self.json("study", "study.toml")
        return [0] * ((told["channel"]["payload_bits"] + 7) // 8 - 1)


def add_test(name):
    setattr(Protocols, f"test_{name.replace('-', '_')}_is_the_same_from_files_and_over_http",
            lambda self: self.same_from_files_and_over_http(name))


for kind in FLEETS:
    add_test(kind)


if __name__ == "__main__":
    main()
