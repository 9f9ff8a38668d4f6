# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The stage between devices as a user runs it: whether it is worth asking, a synthetic fleet, and columns of a file."""

import json
import random

from sotto_case import REFUSED, USAGE, SottoCase, main

STUDY = """name = "levels"
[privacy]
epsilon = 8.0
[study]
samples = 20
units = "stated"
[protocol]
devices = {devices}
features = 24
sparsity = 2
[target]
offset = 0.0
scale = 4.0
[feature]
offset = 0.0
scale = 4.0
[between]
features = [{features}]
variables = 1
{more}
"""
COLUMNS = ", ".join(f'"feature {j}"' for j in range(16, 24))
FLEET = ("--users", 900, "--dim", 6, "--nonzeros", 2, "--signal", 0.6, "--samples", 10, "--epsilon", 8, "--units", "stated")


def fleet():
    """A machine's age tells its level; its site does not."""
    draw = random.Random(5)
    lines = ["device,a,b,age,site,y"]
    for device in range(900):
        age, site = draw.gauss(10, 3), draw.gauss(0, 1)
        level = 50 + 4 * (age - 10) / 3 * 0.8 + draw.gauss(0, 2.4)
        for _ in range(10):
            a, b = draw.gauss(0, 1), draw.gauss(0, 1)
            lines.append(f"m{device},{a:.3f},{b:.3f},{age:.3f},{site:.3f},{level + 4 * a + draw.gauss(0, 2):.3f}")
    return "\n".join(lines) + "\n"


class Between(SottoCase):
    def study(self, devices, features=COLUMNS, more=""):
        (self.work / "study.toml").write_text(STUDY.format(devices=devices, features=features, more=more))
        return "study", "study.toml"

    def test_a_study_says_whether_the_stage_is_worth_asking(self):
        text = self.sotto(*self.study(2000)).stdout
        self.assertIn("worth asking where z_b", text)
        self.assertIn("between: level times each of 8 columns", text)
        plan = self.json(*self.study(2000))["protocol"]["between"]
        self.assertGreater(plan["strength"], 4)
        self.assertEqual(plan["columns"], list(range(16, 24)))
        self.assertEqual(plan["devices"], 1000)

    def test_what_could_hardly_be_found_is_refused_with_its_numbers(self):
        error = self.json(*self.study(400, more="explained = 0.05"), code=REFUSED)["error"]
        self.assertEqual(error["code"], "protocol.between_weak")
        self.assertIn("z_b", error["what"])
        self.assertIn("insist", error["fix"])
        text = self.sotto(*self.study(400, more="explained = 0.05\ninsist = true")).stdout
        self.assertIn("nothing found is no sign that there is none", text)

    def test_bad_tables_are_refused_by_name(self):
        for features, more, said in (('"feature 24"', "", "feature 24"), (COLUMNS, "share = 0.95", "share"),
                                     (COLUMNS, "explained = 0", "explained"), (COLUMNS, "varables = 1", "varables")):
            error = self.json(*self.study(2000, features, more), code=REFUSED)["error"]
            self.assertIn(said, error["what"] + error["value"])
        self.study(2000)
        text = (self.work / "study.toml").read_text()
        (self.work / "study.toml").write_text(text.replace('units = "stated"', 'units = "device"'))
        self.assertIn("stated", self.json("study", "study.toml", code=REFUSED)["error"]["fix"])

    def test_a_synthetic_effect_is_found_measured_and_shown(self):
        simulate = ("simulate", *FLEET, "--between", 4, "--between-effect", 0.7, "--seed", 11)
        result = self.json(*simulate, "--out", "run")
        self.assertEqual(result["between"]["verdict"], "learned")
        self.assertEqual([row["feature"] for row in result["between"]["coefficients"]], [6])
        self.assertEqual(result["metrics"]["between_found"]["mean"], 1)
        self.assertEqual(result["metrics"]["between_false_found"]["mean"], 0)
        self.assertIn("--between 4", result["command"])
        self.json("report", "run")  # reads the model and writes the page again
        model = json.loads((self.work / "run/model.json").read_text())
        self.assertEqual(model["between"]["verdict"], "learned")
        self.assertIn("What tells devices apart", (self.work / "run/report.html").read_text())
        self.assertIn("between devices", self.sotto(*simulate).stdout)

    def test_columns_of_a_file_are_asked_by_name(self):
        (self.work / "rows.csv").write_text(fleet())
        ask = ("simulate", "--data", "rows.csv", "--user-column", "device", "--target", "y", "--epsilon", 8, "--seed", 4)
        result = self.json(*ask, "--units", "stated", "--between", "age,site", "--between-explained", 0.6)
        found = {row["name"]: row["estimate"] for row in result["between"]["coefficients"]}
        self.assertEqual(list(found), ["age"])
        self.assertGreater(found["age"], 0)
        self.assertGreater(result["metrics"]["between_true_r2"]["mean"], 0.4)
        self.json(*ask, "--between", "age", code=USAGE)
        error = self.json(*ask, "--units", "stated", "--between", "agee", code=REFUSED)["error"]
        self.assertIn("agee", error["what"])


if __name__ == "__main__":
    main()
