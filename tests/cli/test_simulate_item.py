# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto simulate of an item-level study: one row a device, links, blocks of signs, and what cannot be asked."""

import json

from protocol_case import ProtocolCase
from sotto_case import REFUSED, USAGE, main

FLEET = ("simulate", "--protocol", "ldp-iht", "--users", 3000, "--samples", 1, "--dim", 16, "--nonzeros", 2, "--signal", "uniform",
         "--noise", "uniform:0.05", "--design", "rademacher", "--epsilon", 4)


class SimulateItem(ProtocolCase):
    def test_a_run_is_written_told_and_shown_like_any_other(self):
        result = self.json(*FLEET, "--out", "made")
        self.assertEqual((result["protocol"], result["verdict"]), ("ldp-iht", "learned"))
        self.assertEqual(result["metrics"]["f1"]["mean"], 1)
        self.assertLess(result["metrics"]["relative_error"]["mean"], 0.1)
        self.assertEqual(result["reports"]["count"], 3000)
        self.assertEqual(result["reports"]["bytes_per_report"], 33)
        self.assertLessEqual(result["privacy"]["epsilon_delivered"], 4)
        self.assertTrue(any("features are signs" in sentence for sentence in result["assumed_public"]))
        told = self.json("decode", "made", "--first", 1)
        self.assertEqual(sum(r["reports"]["used"] for r in told["rounds"]), 3000)
        self.assertIn("signs", json.dumps(told["rounds"][0]))
        study = self.json("study", "made/study.toml")["protocol"]
        self.assertEqual((study["kind"], study["rounds"]), ("ldp-iht", len(told["rounds"])))
        model = json.loads((self.work / "made/model.json").read_text())
        self.assertEqual([r["recipe"] for r in model["rounds"]][-4:], ["gain"] * 4)
        self.assertEqual({r["question"] for r in model["rounds"][:-4]}, {"block"})
        validation = model["validation"]
        self.assertEqual((validation["against"], validation["classes"]), ("all", False))
        self.assertEqual(validation["devices"], sum(r["reports"] for r in model["rounds"][-4:]))
        self.assertLess(validation["low"], result["validation"]["r2"])
        self.assertIn("predicts better than the mean of all by R^2 = ", model["why_verdict"])
        self.assertIn("devices that taught nothing", (self.work / "made/report.html").read_text())
        self.assertTrue(all(c["low"] <= c["last_cohort"] <= c["high"] for c in model["coefficients"]))
        again = self.json("estimate", "made")
        self.assertEqual((again["protocol"], again["model"]["coefficients"]), ("ldp-iht", model["coefficients"]))
        self.sotto("report", "made/model.json", "--out", "page.html")
        self.assertIn("ldp-iht", (self.work / "page.html").read_text())

    def test_nothing_is_learned_without_a_measurement(self):
        result = self.json(*FLEET, "--validation", 0)
        self.assertEqual((result["verdict"], result["validation"]["devices"]), ("not measured", 0))
        self.assertEqual(result["verdicts"]["not measured"], 1)
        text = self.sotto(*FLEET, "--validation", 0).stdout
        self.assertRegex(text, r"verdict +not measured: nothing was measured: validation = 0; ")

    def test_classes_of_single_rows_tell_their_error(self):
        result = self.json("simulate", "--protocol", "ldp-iht", "--users", 6000, "--samples", 1, "--dim", 8, "--nonzeros", 2, "--signal", 1.5,
                           "--design", "rademacher", "--link", "logistic", "--epsilon", 6)
        validation = result["validation"]
        self.assertEqual(result["verdict"], "learned")
        self.assertLess(validation["error_low"], validation["error"])
        self.assertAlmostEqual(validation["error"], result["metrics"]["test_error"]["mean"], delta=0.15)

    def test_one_row_a_device_chooses_it(self):
        result = self.json(*(word for word in FLEET if word not in ("--protocol", "ldp-iht")))
        self.assertEqual(result["protocol"], "ldp-iht")
        self.assertIn("one row", result["why_protocol"])

    def test_links_are_named_and_kept(self):
        result = self.json(*FLEET, "--link", "cosine", "--out", "made")
        self.assertLess(result["metrics"]["relative_error"]["mean"], 0.1)
        self.assertIn("--link cosine", result["command"])
        self.assertIn('link = "cosine"', (self.work / "made/study.toml").read_text())
        self.assertIn("--link", self.sotto(*FLEET, "--link", "probit", code=USAGE).stderr)
        other = self.sotto("simulate", "--protocol", "cascade", "--users", 400, "--dim", 16, "--epsilon", 4, "--link", "logistic", code=REFUSED)
        self.assertIn("code: protocol.no_link", other.stderr)

    def test_the_default_beside_the_paper(self):
        rows = self.json(*FLEET, "--compare")["comparison"]
        self.assertEqual([(row["protocol"], row["mechanism"]) for row in rows], [("ldp-iht", "default"), ("ldp-iht", "paper")])
        ours, paper = (row["metrics"]["relative_error"]["mean"] for row in rows)
        self.assertLess(ours, paper)

    def test_rows_of_a_file_are_devices(self):
        lines = ["user,y,a,b,c"]
        for i in range(4000):
            a, b, c = ((i * k % 7) - 3 for k in (1, 2, 3))
            lines.append(f"{i % 5},{a - b},{a},{b},{c}")
        (self.work / "rows.csv").write_text("\n".join(lines) + "\n")
        result = self.json("simulate", "--data", "rows.csv", "--user-column", "user", "--row-is-device", "--target", "y", "--epsilon", 4, "--protocol", "ldp-iht")
        self.assertEqual(result["reports"]["count"], 3200)
        self.assertLess(result["metrics"]["test_mse"]["mean"], 0.7)  # of 1

    def test_a_fleet_that_cannot_learn_is_not_asked(self):
        result = self.json("simulate", "--protocol", "ldp-iht", "--users", 1000, "--samples", 1, "--dim", 100, "--design", "rademacher", "--epsilon", 0.5)
        self.assertEqual((result["verdict"], result["reports"]["count"]), ("cannot learn", 0))
        self.assertEqual(result["coefficients"], [])
        text = self.sotto("simulate", "--protocol", "ldp-iht", "--users", 1000, "--samples", 1, "--dim", 100, "--design", "rademacher", "--epsilon", 0.5).stdout
        self.assertRegex(text, r"verdict +cannot learn: this fleet is too small.*eed about \d+ devices")
        self.assertNotIn("stored before", text, "nobody was asked")

    def test_what_cannot_be_asked_is_refused_by_name(self):
        many = self.sotto(*FLEET, "--rounds", 200, code=REFUSED)
        self.assertIn("protocol.too_many_rounds", many.stderr)
        self.assertIn("at most 64 rounds", many.stderr)
        few = self.sotto(*FLEET[:4], 20, *FLEET[5:], code=REFUSED)
        self.assertIn("protocol.small_fleet", few.stderr)
        self.sotto("simulate", "--protocol", "ldp-iht", "--users", 3000, "--samples", 1, "--dim", 0, "--epsilon", 4, code=USAGE)

    def test_bench_tells_reports_a_second_and_the_coins_share(self):
        result = self.json("bench", "ldp-iht", "--users", 20000, "--seconds", 0.01)
        self.assertEqual((result["setting"]["users"], result["setting"]["dim"]), (20000, 200))
        self.assertGreater(result["reports_per_second"], 10000)
        self.assertAlmostEqual(result["coins_ratio"], result["coins_per_second"] / result["reports_per_second"], delta=1e-6 * result["coins_ratio"])
        self.assertIn("coins", self.sotto("bench", "ldp-iht", "--users", 20000, "--seconds", 0.01).stdout)


if __name__ == "__main__":
    main()
