# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto-device: dozens of agents with a home each answer a cascade to a model; what an agent refuses, retries and remembers."""

import csv
import os
import random
import shutil
import stat
import subprocess

from sotto_case import INPUT_OUTPUT, MEMORY, USAGE, SottoCase, main

AGENT = os.environ["SOTTO_AGENT"]
STUDY = """name = "agents"
[privacy]
epsilon = 4.0
[study]
samples = 20
minimum = 5
[protocol]
kind = "auto"
devices = 48
features = 6
sparsity = 1
noise = 0.5
[feature]
low = -100
high = 100
[target]
low = -100
high = 100
"""


class Agents(SottoCase):
    PLACE = MEMORY

    def agent(self, command, home, *arguments, code=0):
        ran = subprocess.run([AGENT, command, home, *map(str, arguments)], capture_output=True, text=True, cwd=self.work, timeout=60)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def homes(self, count, text=STUDY):
        (self.work / "study.toml").write_text(text)
        self.sotto("study", "study.toml", "--out", "run")
        self.sotto("enrol", "run", "--count", count, "--out", "credentials.csv")
        with open(self.work / "credentials.csv", newline="", encoding="utf-8") as file:
            issued = list(csv.DictReader(file))
        draw = random.Random(7)
        for number, row in enumerate(issued):
            home = self.work / f"home-{number}"
            (home / "inbox").mkdir(parents=True)
            shutil.copy(self.work / "run/manifest.bin", home)
            (home / "credential").write_text(f"{row['pseudonym']} {row['key']}\n")
            rows = [[round(draw.gauss(0, 25)) for _ in range(6)] for _ in range(20)]
            (home / "readings.csv").write_text(
                "".join(",".join(map(str, [*r, round(0.9 * r[2] + draw.gauss(0, 10))])) + "\n" for r in rows))
        return [f"home-{number}" for number in range(count)]

    def ask(self, homes, number):
        for home in homes:
            shutil.copy(self.work / f"run/round-{number}.bin", self.work / home / "inbox")

    def first_asked(self, homes, number=1):
        """A home whose device belongs to the cohort of the round, with consent and the round."""
        self.ask(homes, number)
        for home in homes:
            self.agent("agree", home)
            if "asks cohort" not in self.agent("run", home, "--data", f"{home}/readings.csv"):
                return home
        self.fail("no device is asked")

    def test_two_rounds_of_one_number_are_refused_by_name(self):
        homes = self.homes(24)
        home = self.first_asked(homes)
        shutil.copy(self.work / "run/round-1.bin", self.work / home / "inbox/again.bin")
        self.assertIn("two files of the inbox are round 1", self.agent("run", home, "--data", f"{home}/readings.csv", code=1))

    def test_a_round_is_answered_while_it_is_open(self):
        for opens, said in (("2021-01-04T06:00:00Z", "has closed"), ("2199-01-04T06:00:00Z", "has not opened yet")):
            shutil.rmtree(self.work / "run", ignore_errors=True)
            (self.work / "credentials.csv").unlink(missing_ok=True)
            homes = self.homes(24, STUDY.replace("[protocol]", f"[rounds]\nopens = {opens}\nlength = 3600\n[protocol]"))
            self.ask(homes, 1)
            told = ""
            for home in homes:
                self.agent("agree", home)
                told += self.agent("run", home, "--data", f"{home}/readings.csv")
            self.assertIn(said, told)
            self.assertFalse(list(self.work.glob("home-*/outbox/*.hex")))
            for home in homes:
                shutil.rmtree(self.work / home)

    def test_a_cascade_becomes_a_model(self):
        homes = self.homes(48, STUDY.replace("minimum = 5", "minimum = 1"))  # cohorts are drawn at random
        for home in homes:
            self.agent("agree", home)
        number, answered = 1, 0
        while not (self.work / "run/model.json").exists():
            self.ask(homes, number)
            reports = []
            for home in homes:
                said = self.agent("run", home, "--data", f"{home}/readings.csv")
                report = self.work / home / f"outbox/round-{number}.hex"
                self.assertEqual(report.exists(), f"round {number}: " in said, said)
                if report.exists():
                    reports.append(report.read_text())
                    (self.work / home / f"inbox/round-{number}.ack").touch()
            answered += len(reports)
            (self.work / "reports.hex").write_text("".join(reports))
            result = self.json("estimate", "run", "reports.hex", "--close")
            self.assertEqual(result["reports"]["by_reason"], {**result["reports"]["by_reason"], "accepted": len(reports)})
            number += 1
        self.assertEqual(answered, 48)  # every device answered one round
        for home in homes:
            self.agent("run", home, "--data", f"{home}/readings.csv")
            self.assertEqual(list((self.work / home / "outbox").iterdir()), [])

    def test_the_same_bytes_however_often(self):
        home = self.first_asked(self.homes(24))
        report = self.work / home / "outbox/round-1.hex"
        first = report.read_text()
        report.unlink()  # lost on the way
        (self.work / home / "readings.csv").write_text("1,2,3,4,5,6,7\n")
        self.agent("run", home, "--data", f"{home}/readings.csv")
        self.assertEqual(report.read_text(), first)

    def test_nothing_without_the_owner(self):
        homes = self.homes(1)
        self.ask(homes, 1)
        self.assertIn("has not agreed: sotto-device agree", self.agent("run", homes[0], "--data", "home-0/readings.csv", code=1))
        self.agent("agree", homes[0])
        self.agent("withdraw", homes[0])
        self.assertIn("has not agreed", self.agent("run", homes[0], "--data", "home-0/readings.csv", code=1))

    def test_a_device_that_takes_part_is_never_silent_because_of_a_reading(self):
        homes = self.homes(24)
        for home in homes:
            self.agent("agree", home)
            self.agent("run", home, "--data", f"{home}/readings.csv")  # joins; there is no round yet
        self.ask(homes, 1)
        bad = ("1,2,,4,5,6,7\n", "1,2,3,4.5,5,6,7\n", "1,2,3,4,5,6,99999999999\n", "a,b,c,d,e,f,energy\n", "1,2,3\n1,2,3,4,5,6,7\n", None)
        answered = 0
        for at, home in enumerate(homes):
            readings = self.work / home / "readings.csv"
            if bad[at % len(bad)] is None:
                readings.unlink()
            else:
                readings.write_text(bad[at % len(bad)])
            said = self.agent("run", home, "--data", f"{home}/readings.csv")
            self.assertIn("readings.csv", said)  # its owner is told
            report = self.work / home / "outbox/round-1.hex"
            self.assertNotEqual(report.exists(), "asks cohort" in said, said)
            answered += report.exists()
        self.assertGreater(answered, 0)

    def test_a_report_of_an_earlier_study_is_not_sent_for_this_one(self):
        home = self.first_asked(self.homes(24))
        report = self.work / home / "outbox/round-1.hex"
        first = report.read_text()
        report.write_text("00" * 20 + "\n")
        self.agent("run", home, "--data", f"{home}/readings.csv")
        self.assertEqual(report.read_text(), first)

    def test_bad_readings_are_refused_before_anything_is_spent(self):
        home = self.homes(1)[0]
        self.ask([home], 1)
        for text, reasons in (("1,2,3\n", ("readings.csv:1: 3 columns", "6 features and a target: 7")),
                              ("a,b,c,d,e,f,energy\n1,2,3,4,5,6,7\n", ("readings.csv:1, column 1: 'a'", "no header line")),
                              ("1,2,3,4,5,6,7\n1,2,3,4.5,5,6,7\n", ("readings.csv:2, column 4: 4.5", "multiply")),
                              ("1,2,3,4,5,6,99999999999\n", ("column 7", "beyond 32 bits")),
                              ("1,2,,4,5,6,7\n", ("column 3", "no reading"))):
            (self.work / home / "readings.csv").write_text(text)
            for option in ("--data", "--check"):
                said = self.agent("run", home, option, f"{home}/readings.csv", code=INPUT_OUTPUT)
                for reason in reasons:
                    self.assertIn(reason, said)
        self.assertFalse((self.work / home / "ledger").exists())

    def test_check_shows_what_would_be_answered_and_opens_no_ledger(self):
        home = self.homes(1, STUDY.replace("low = -100", "low = -50").replace("high = 100", "high = 50"))[0]
        (self.work / home / "readings.csv").write_text("10,0,7,0,0,0,0\n90,1,7,0,0,0,0\n-10,2,7,1,1,1,1\n-20,3,7,1,1,1,1\n")
        said = self.agent("run", home, "--check", f"{home}/readings.csv")
        for part in ("columns   7: 6 features and the target", "units     ", "rows      4; the study expects 20", "feature 0      -20 to 90",
                     "constant: it tells nothing", "nothing was spent"):
            self.assertIn(part, said)
        self.assertFalse((self.work / home / "ledger").exists())

    def test_sending_waits_for_the_slot_and_tries_again(self):
        home = self.first_asked(self.homes(24))
        program = self.work / "send"
        arguments = ("--data", f"{home}/readings.csv", "--send", str(program))
        report = self.work / home / "outbox/round-1.hex"

        def server(answer):
            program.write_text(f"#!/bin/sh\ncat \"$1\" >> {self.work}/received\nexit {answer}\n")
            program.chmod(program.stat().st_mode | stat.S_IXUSR)
        server(1)
        self.assertIn("the next start tries again", self.agent("run", home, *arguments, code=1))
        self.assertTrue(report.exists())
        self.assertIn("to be sent in", self.agent("run", home, *arguments, "--window", 10**9))
        self.assertEqual(len((self.work / "received").read_text().splitlines()), 1)
        server(0)
        self.assertIn("the server has the report", self.agent("run", home, *arguments))
        self.assertFalse(report.exists())
        self.agent("run", home, *arguments)
        received = (self.work / "received").read_text().splitlines()
        self.assertEqual((len(received), len(set(received))), (2, 1))

    def test_misuse(self):
        for arguments in (("run",), ("run", "home"), ("dance", "home"), ("run", "home", "--data"), ("run", "home", "--color", "red"),
                          ("run", "home", "--answer", "x")):
            ran = subprocess.run([AGENT, *arguments], capture_output=True, text=True, cwd=self.work, timeout=60)
            self.assertEqual(ran.returncode, USAGE, arguments)
        self.assertIn("manifest.bin", self.agent("run", "nowhere", "--answer", 1, code=INPUT_OUTPUT))


if __name__ == "__main__":
    main()
