# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto decode of a run: its rounds, and that the first reports of each are all that left the devices."""

import json

from protocol_case import FLEET, ProtocolCase
from sotto_case import INPUT_OUTPUT, REFUSED, main


class DecodeRun(ProtocolCase):
    def setUp(self):
        super().setUp()
        self.sotto(*FLEET, "--out", "made")
        self.rounds = len(list((self.work / "made").glob("round-*.bin")))

    def test_a_run_lists_its_rounds_and_first_reports(self):
        told = self.json("decode", "made")
        self.assertEqual(told, self.json("decode", "made/run.sqlite"))
        self.assertEqual([r["fields"]["round"] for r in told["rounds"]], [str(n + 1) for n in range(self.rounds)])
        self.assertEqual(sum(r["reports"]["used"] for r in told["rounds"]), 400)
        for number, stored in enumerate(told["rounds"], 1):
            self.assertTrue(stored["closed"])
            self.assertEqual(len(stored["first"]), 3)
            for report in stored["first"]:
                self.assertEqual(report["fields"]["round"], str(number))
                self.assertEqual(report["bytes"] * stored["reports"]["count"], stored["reports"]["bytes"])
        model = json.loads((self.work / "made/model.json").read_text())
        self.assertEqual(model["study"]["digest"], told["study_digest"])
        self.assertEqual(len(self.json("decode", "made", "--first", 7)["rounds"][0]["first"]), 7)

    def test_the_text_says_that_this_is_all(self):
        text = self.sotto("decode", "made").stdout
        self.assertIn("this is all that left the devices", text)
        self.assertIn("sealed", text)
        self.assertRegex(text, r"and \d+ more")

    def test_a_direction_round_names_recipe_radius_and_candidates(self):
        rounds = self.json("decode", "made")["rounds"]
        direction = next(r["fields"] for r in rounds if r["fields"]["question"] == "direction")
        self.assertRegex(direction["radius"], r"^[0-9.]+: answers are pulled into a ball")
        self.assertRegex(direction["candidates"], r"^feature \d+")
        alone = self.json("decode", f"made/round-{direction['round']}.bin")["objects"][0]["fields"]
        self.assertEqual(alone, direction)

    def test_candidates_have_the_names_of_the_study_beside_them(self):
        self.sotto("study", self.protocol(), "--out", "run")
        credentials = self.enrol(60)
        number = 1
        while True:  # until a round asks about chosen features
            told = self.json("decode", f"run/round-{number}.bin")["objects"][0]["fields"]
            if told["question"] == "direction":
                break
            self.answers(credentials, number)
            self.sotto("estimate", "run", f"round-{number}.hex", "--close")
            number += 1
        self.assertLessEqual(set(told["candidates"].split(", ")), {"door", "drain", "drum", "inlet", "motor", "pump"})
        report = self.json("decode", "run")["rounds"][0]["first"][0]["fields"]["payload"]
        self.assertIn("outcomes", report)  # the directory's key opens it
        self.assertIn("randomized", report)

    def test_what_is_no_run_is_refused(self):
        (self.work / "empty").mkdir()
        self.assertIn("holds no run", self.sotto("decode", "empty", code=INPUT_OUTPUT).stderr)
        (self.work / "other.sqlite").write_bytes(b"SQLite format 3\0" + b"x" * 200)
        self.assertIn("code: store.", self.sotto("decode", "other.sqlite", code=REFUSED).stderr)


if __name__ == "__main__":
    main()
