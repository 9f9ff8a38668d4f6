# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto estimate of a protocol study: real devices from the first round to the model, and stored runs that give the same model again."""

import fcntl
import json
import os
import shutil

from protocol_case import FLEET, NAMES, ProtocolCase
from sotto_case import INPUT_OUTPUT, REFUSED, USAGE, main


class RealDevices(ProtocolCase):
    def setUp(self):
        super().setUp()
        self.rounds = self.json("study", self.protocol(), "--out", "run")["protocol"]["rounds"]
        self.credentials = self.enrol(60)

    def test_rounds_of_device_processes_become_a_model(self):
        used = 0
        for number in range(1, self.rounds + 1):
            reports = self.answers(self.credentials, number)
            used += len(reports)
            files = [f"round-{number}.hex"] if reports else []  # a cohort of 7 % may be nobody among 60
            interim = self.json("estimate", "run", *files)
            self.assertEqual((interim["round"], interim["rounds"], interim["closed"]), (number, self.rounds, False))
            self.assertEqual(interim["reports"]["by_reason"]["accepted"], len(reports))
            self.assertIsNone(interim["next_round"])
            for key in ("model", "estimates"):  # no peeking
                self.assertNotIn(key, interim)
            self.assertFalse((self.work / "run/model.json").exists())
            again = self.json("estimate", "run", *files)["reports"]["by_reason"]
            self.assertEqual((again["accepted"], again["duplicate"]), (len(reports), len(reports)))
            closed = self.json("estimate", "run", "--close")
            self.assertTrue(closed["closed"])
            if number < self.rounds:
                self.assertEqual(closed["next_round"]["number"], number + 1)
                self.assertEqual((self.work / f"run/round-{number + 1}.bin").stat().st_size, closed["next_round"]["bytes"])
                self.assertNotIn("model", closed)
        self.assertEqual(used, 60)  # every device belongs to one cohort
        self.assertIsNone(closed["next_round"])
        model = closed["model"]
        self.assertEqual(json.loads((self.work / "run/model.json").read_text()), model)
        self.assertEqual((model["study"]["name"], model["target"]["name"], model["reports"]["used"]), ("laundry", "energy", 60))
        self.assertEqual(model["reports"]["refused_by_reason"], {"duplicate": 60})
        self.assertFalse(model["simulated"])
        self.assertLessEqual(set(c["name"] for c in model["coefficients"]), set(NAMES))
        self.assertTrue((self.work / "run/report.html").exists())

        before = (self.work / "run/model.json").read_bytes()
        self.assertIn(model["why_verdict"], self.sotto("estimate", "run").stdout)
        self.assertEqual((self.work / "run/model.json").read_bytes(), before)
        late = self.sotto("estimate", "run", "round-1.hex", code=REFUSED)
        self.assertIn("code: collect.finished", late.stderr)
        self.assertIn("code: collect.finished", self.sotto("estimate", "run", "--close", code=REFUSED).stderr)

    def test_a_round_below_the_minimum_stays_open_and_keeps_its_reports(self):
        self.sotto("study", self.protocol(study="minimum = 50"), "--out", "other")
        reports = self.answers(self.enrol(12, "other"), 1, "other")
        refused = self.json("estimate", "other", "round-1.hex", "--close", code=REFUSED)
        self.assertEqual(refused["error"]["code"], "protocol.too_few")
        self.assertIn("50 needed", refused["error"]["value"])
        self.assertEqual(refused["reports"]["by_reason"]["accepted"], len(reports))
        self.assertFalse((self.work / "other/round-2.bin").exists())
        interim = self.json("estimate", "other")
        self.assertEqual((interim["round"], interim["closed"], interim["reports"]["used"]), (1, False, len(reports)))

    def test_bad_reports_are_counted_and_late_ones_after_the_close(self):
        reports = self.answers(self.credentials, 1)
        broken = [reports[0][:-2] + ("00" if reports[0][-2:] != "00" else "01"), "01" * 20]
        (self.work / "broken.hex").write_text("\n".join(broken) + "\n")
        counted = self.json("estimate", "run", "broken.hex")["reports"]
        self.assertEqual((counted["used"], counted["refused"]), (0, 2))
        self.assertEqual(counted["by_reason"]["forged"], 1)
        text = self.sotto("estimate", "run", "round-1.hex", "--close").stdout
        self.assertIn(f"{len(reports) + 2} seen, {len(reports)} used", text)
        self.assertIn("run/round-2.bin", text)
        self.assertIn("broadcast it", text)
        late = self.json("estimate", "run", "round-1.hex")
        self.assertEqual((late["round"], late["reports"]["by_reason"]["late"], late["reports"]["used"]), (2, len(reports), 0))
        self.assertEqual(late["all_reports"]["by_reason"]["accepted"], len(reports))

    def test_what_devices_were_asked_cannot_be_changed_behind_their_back(self):
        self.answers(self.credentials, 1)
        self.sotto("estimate", "run", "round-1.hex")
        good = (self.work / "run/study.toml").read_text()
        (self.work / "run/study.toml").write_text(good.replace("samples = ", "samples = 1", 1))
        self.assertIn("code: study.changed", self.sotto("estimate", "run", code=REFUSED).stderr)
        (self.work / "run/study.sha256").unlink()
        self.assertIn("code: collect.other_study", self.sotto("estimate", "run", code=REFUSED).stderr)
        (self.work / "run/study.toml").write_text(good)
        first = (self.work / "run/round-1.bin").read_bytes()
        self.sotto("estimate", "run", "--close")
        second = (self.work / "run/round-2.bin").read_bytes()
        (self.work / "run/round-2.bin").write_bytes(first)
        self.assertIn("code: estimate.other_round", self.sotto("estimate", "run", code=REFUSED).stderr)
        (self.work / "run/round-2.bin").unlink()  # what a process that was cut did not write is written by the next one
        self.sotto("estimate", "run")
        self.assertEqual((self.work / "run/round-2.bin").read_bytes(), second)

    def test_one_process_at_a_time(self):
        (self.work / "report.hex").write_text("01" * 20 + "\n")
        held = os.open(self.work / "run", os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
        self.assertIn("code: store.busy", self.sotto("estimate", "run", "report.hex", code=REFUSED).stderr)
        self.assertFalse((self.work / "run/run.sqlite").exists())
        os.close(held)
        self.sotto("estimate", "run", "report.hex")

    def test_without_key_or_reports_there_is_a_reason(self):
        self.assertIn("code: estimate.no_run", self.sotto("estimate", "run", code=REFUSED).stderr)
        self.assertIn("code: io.cannot_read", self.sotto("estimate", "run", "missing.hex", code=INPUT_OUTPUT).stderr)
        self.assertFalse((self.work / "run/run.sqlite").exists())
        self.assertIn("--round", self.sotto("estimate", "run", "--round", 1, code=USAGE).stderr)
        (self.work / "report.hex").write_text("01" * 20 + "\n")
        (self.work / "run/master.key").unlink()
        self.assertIn("code: estimate.no_key", self.sotto("estimate", "run", "report.hex", code=REFUSED).stderr)
        self.assertFalse((self.work / "run/run.sqlite").exists())


class StoredRuns(ProtocolCase):
    def check_replay(self, *arguments):
        self.sotto(*arguments, "--out", "made")
        made = (self.work / "made/model.json").read_bytes()
        self.sotto("report", "made", "--out", "page.html")  # without the truth, which only the simulation knows
        page = (self.work / "page.html").read_bytes()
        (self.work / "made/model.json").unlink()
        (self.work / "made/report.html").unlink()
        told = self.json("estimate", "made")
        self.assertEqual((self.work / "made/model.json").read_bytes(), made)
        self.assertEqual((self.work / "made/report.html").read_bytes(), page)
        self.assertEqual(told["model"], json.loads(made))
        self.assertEqual(told["all_reports"]["used"], told["model"]["reports"]["used"])
        self.assertTrue(told["model"]["simulated"])
        self.assertRegex(told["model"]["made_by"], r"^sotto \d+\.\d+")
        return told

    def test_a_simulated_run_gives_the_same_model_byte_for_byte(self):
        told = self.check_replay(*FLEET)
        self.assertEqual((told["round"], told["closed"]), (told["rounds"], True))
        self.assertIn("--users 400", told["model"]["command"])

    def test_so_do_other_protocols_and_fleets_with_dropouts(self):
        self.check_replay(*FLEET, "--protocol", "boost", "--dropout", 0.2)
        shutil.rmtree(self.work / "made")
        self.check_replay(*FLEET, "--protocol", "sparse-mean", "--empty", 0.2)

    def test_a_run_without_its_study_file_is_refused(self):
        self.sotto(*FLEET, "--out", "made")
        (self.work / "made/study.toml").unlink()
        self.assertIn("code: estimate.no_study", self.sotto("estimate", "made", code=REFUSED).stderr)
        (self.work / "made/manifest.bin").unlink()
        self.sotto("estimate", "made", code=INPUT_OUTPUT)


if __name__ == "__main__":
    main()
