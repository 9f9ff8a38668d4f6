# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Study, enrolment, real device processes on the POSIX port, estimate: every step as its user runs it, with kill -9 on the way."""

import csv
import os
import random
import shutil
import signal
import subprocess
import time

from sotto_case import REFUSED, SOURCE, SottoCase, main

DEVICE = os.environ["SOTTO_ONE_ANSWER"]


class OneAnswer(SottoCase):
    def setUp(self):
        super().setUp()
        study = self.study(privacy="epsilon = 4.0", question='kind = "vote"\nfeatures = 8\nselector = "given"',
                           extra="[study]\nauthenticated = true")
        self.sotto("study", study, "--out", "run")
        self.credentials = self.enrol(60)

    def enrol(self, count):
        self.sotto("enrol", "run", "--count", count, "--out", "credentials.csv")
        with open(self.work / "credentials.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def command(self, number, answer):
        issued = self.credentials[number]
        return [DEVICE, f"device-{number}.ledger", "run/manifest.bin", "run/round-1.bin", issued["pseudonym"], issued["key"], str(answer)]

    def device(self, number, answer, code=0):
        ran = subprocess.run(self.command(number, answer), capture_output=True, text=True, cwd=self.work, timeout=60)
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stdout.strip() if code == 0 else ran.stderr

    def test_reports_of_devices_become_an_estimate(self):
        reports = [self.device(i, 5 if i % 4 else "none") for i in range(60)]
        self.assertEqual({len(r) for r in reports}, {66})  # 33 bytes in hex
        (self.work / "reports.hex").write_text("\n".join(reports + reports[:7]) + "\n")
        result = self.json("estimate", "run", "reports.hex")
        self.assertEqual(result["reports"]["by_reason"]["accepted"], 60)
        self.assertEqual(result["reports"]["by_reason"]["duplicate"], 7)
        shown = self.sotto("decode", "reports.hex", "--study", "run").stdout
        self.assertIn("vote", shown)

    def test_the_report_of_the_board_is_understood_and_counts(self):
        for example, code in (("firmware", REFUSED), ("number_firmware", 0)):  # one report is no estimate; a round stays open
            shutil.copytree(SOURCE / "examples" / example / "study", self.work / example)
            (self.work / example / "master.key").chmod(0o600)
            report = SOURCE / "examples" / example / "report.hex"  # what the firmware prints on every emulated board
            self.assertIn("this is all that left the device", self.sotto("decode", report, "--study", example).stdout)
            self.assertIn("sealed", self.sotto("decode", report).stdout)
            counted = self.json("estimate", example, report, code=code)
            self.assertEqual(counted["reports"]["by_reason"]["accepted"], 1)

    def test_a_device_that_runs_again_sends_the_same_bytes(self):
        first = self.device(1, 3)
        self.assertEqual(first, self.device(1, 3))
        self.assertEqual(first, self.device(1, 6))  # whatever it would say now

    def test_a_second_process_is_kept_out(self):
        import fcntl
        self.device(2, 3)
        with open(self.work / "device-2.ledger", "rb+") as ledger:
            fcntl.flock(ledger, fcntl.LOCK_EX)
            self.assertIn("Resource temporarily unavailable", self.device(2, 3, code=3))

    def test_a_device_that_was_cut_anywhere_answers_at_its_next_start(self):
        for cut in range(1, 200):
            (self.work / "device-3.ledger").unlink(missing_ok=True)
            ran = subprocess.run(self.command(3, 2), capture_output=True, text=True, cwd=self.work, timeout=60, env={
                **os.environ, "LD_PRELOAD": os.environ["SOTTO_FAILING_DISK"], "SOTTO_DISK_PATH": "device-3.ledger", "SOTTO_DISK_CUT": str(cut)})
            if ran.returncode == 0:
                break
            self.assertEqual(ran.returncode, -signal.SIGKILL, ran.stderr)
            again = subprocess.run(self.command(3, 2), capture_output=True, text=True, cwd=self.work, timeout=60)
            if again.returncode != 0:  # paid for, and lost on the way
                self.assertIn("spent_unsent", again.stderr)
        self.assertGreater(cut, 8)

    def test_kill_9_at_any_moment_never_buys_a_second_draw(self):
        chance = random.Random(3)
        began = time.monotonic()
        self.device(59, 1)
        whole = time.monotonic() - began
        killed = sent = spent = 0
        for number in range(50):
            process = subprocess.Popen(self.command(number, 3), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, cwd=self.work)
            time.sleep(chance.uniform(0, whole))
            process.send_signal(signal.SIGKILL)
            early = process.communicate()[0].strip()
            killed += process.returncode == -signal.SIGKILL
            again = subprocess.run(self.command(number, 4), capture_output=True, text=True, cwd=self.work, timeout=60)
            if again.returncode != 0:  # paid for, and lost on the way
                self.assertIn("spent_unsent", again.stderr)
                self.assertEqual(early, "")
                spent += 1
                continue
            sent += 1
            if early:
                self.assertEqual(early, again.stdout.strip())
            self.assertEqual(again.stdout.strip(), self.device(number, 5))
        self.assertGreater(killed, 0)
        self.assertEqual(sent + spent, 50)


if __name__ == "__main__":
    main()
