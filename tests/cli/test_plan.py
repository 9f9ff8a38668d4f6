# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto plan: what it says of fleets, and how it refuses."""

import os
import subprocess
import sys

from sotto_case import REFUSED, SOTTO, SOURCE, USAGE, SottoCase, main

FLEET = ("--users", 400, "--samples", 100, "--dim", 64, "--nonzeros", 4, "--signal", 0.3)
KEYS = ("protocol", "metric", "predicted", "low", "high", "verdict")


class Plan(SottoCase):
    def test_it_recommends_a_protocol_and_says_what_it_predicts(self):
        plan = self.json("plan", *FLEET, "--epsilon", 4, "--quick")
        best = plan["recommended"]
        for row in [best, *plan["protocols"]]:
            for key in KEYS:
                self.assertIn(key, row)
            self.assertLessEqual(row["low"], row["predicted"])
            self.assertLessEqual(row["predicted"], row["high"])
        self.assertEqual(best["metric"], "l2_squared_error")
        self.assertIn(best["verdict"], ("learnable", "uncertain"))
        self.assertLess(best["predicted"], 0.05 * best["zero_model"])
        self.assertIn("cascade", [row["protocol"] for row in plan["protocols"]])
        self.assertGreater(best["device"]["instructions_m0"], best["device"]["instructions_m4"])
        self.assertIn("Theorem 2.4", plan["lower_bound"]["source"])
        self.assertGreater(plan["lower_bound"]["value"], 0)
        self.assertIsNone(plan["devices_needed"])

    def test_what_is_planned_is_what_devices_measure(self):
        fleet = (*FLEET, "--epsilon", 4, "--protocol", "cascade")
        best = self.json("plan", *fleet, "--quick")["recommended"]
        measured = self.json("simulate", *fleet, "--repeat", 8, "--seed", 4242)["metrics"][best["metric"]]["mean"]
        self.assertNotEqual(best["verdict"], "cannot learn")
        # Eight fleets each: half as much again is allowed, and a quarter for their own chance.
        self.assertLess(best["predicted"], 1.9 * measured)
        self.assertGreater(best["predicted"], measured / 1.9)

    def test_a_hopeless_fleet_is_told_so(self):
        plan = self.json("plan", "--users", 200, "--samples", 10, "--dim", 500, "--epsilon", 0.5, "--quick")
        self.assertEqual(plan["recommended"]["verdict"], "cannot learn")
        self.assertGreaterEqual(plan["recommended"]["predicted"], 0.8 * plan["recommended"]["zero_model"])

    def test_the_devices_that_an_error_needs_have_it(self):
        goal = (*FLEET, "--epsilon", 1, "--protocol", "cascade", "--quick", "--want-error", 0.05)
        needed = self.json("plan", *goal)["devices_needed"]
        self.assertGreater(needed, 400)
        there = self.json("plan", "--users", needed, *goal[2:])["recommended"]["predicted"]
        self.assertLess(there, 1.4 * 0.05)
        self.assertGreater(there, 0.05 / 4)  # not many more than are needed: the error falls steeply here

    def test_curves_mark_the_fleet_itself_and_guesses_are_varied(self):
        plan = self.json("plan", *FLEET, "--epsilon", 4, "--protocol", "cascade")
        self.assertIn(400, [point["devices"] for point in plan["by_devices"]])
        self.assertIn(4, [point["epsilon"] for point in plan["by_epsilon"]])
        first, last = plan["by_devices"][0]["predicted"], plan["by_devices"][-1]["predicted"]
        self.assertLess(last, first)
        self.assertGreater(len(plan["if_wrong"]), 6)
        text = self.sotto("plan", *FLEET, "--epsilon", 4, "--protocol", "cascade").stdout
        for word in ("verdict", "bound", "<- this fleet", "if a guess is wrong"):
            self.assertIn(word, text)

    def test_a_study_is_planned_as_it_stands(self):
        plan = self.json("plan", SOURCE / "examples/energy.toml", "--quick", "--rate", 100)
        self.assertEqual((plan["devices"], plan["epsilon"]), (120, 3))
        self.assertGreater(plan["recommended"]["days"], 1)

    def test_the_page_stands_alone(self):
        self.sotto("plan", *FLEET, "--epsilon", 4, "--quick", "--out", "plan")
        page = (self.work / "plan/plan.html").read_text()
        self.assertIn("What 400 devices could tell at epsilon 4", page)
        self.assertNotIn("<script", page)

    def test_everyday_questions_are_planned_by_the_flags_of_a_simulation(self):
        for kind, metric, flags in (("number", "mean_error", ("--law", "lognormal", "--range-sd", 30, "--samples", 2)),
                                    ("count", "relative_error", ("--mean", 3)), ("event", "share_error", ("--share", 0.1)),
                                    ("category", "share_error", ("--categories", 20, "--zipf", 1)),
                                    ("crosstab", "share_error", ("--association", 0.5)),
                                    ("top", "top10_error", ("--of", "id64", "--zipf", 1.5))):
            plan = self.json("plan", "--protocol", kind, "--users", 5000, "--epsilon", 3, *flags, "--quick")
            best = plan["recommended"]
            for key in KEYS:
                self.assertIn(key, best)
            self.assertEqual((best["protocol"], best["metric"]), (kind, metric))
            self.assertEqual(plan["protocols"][0]["protocol"], kind)
            self.assertGreater(best["predicted"], 0)
            self.assertLessEqual(best["low"], best["predicted"])
            self.assertLessEqual(best["predicted"], best["high"])
            self.assertGreater(plan["lower_bound"]["value"], 0)
            self.assertIn("Duchi", plan["lower_bound"]["source"])
            measured = self.json("simulate", "--protocol", kind, "--users", 500, "--epsilon", 3, *flags)
            self.assertIn(metric, measured["metrics"])

    def test_an_everyday_plan_is_what_devices_measure(self):
        for fleet in (("--protocol", "category", "--users", 4000, "--epsilon", 3),
                      ("--protocol", "event", "--users", 4000, "--epsilon", 2, "--share", 0.1)):
            best = self.json("plan", *fleet, "--quick")["recommended"]
            measured = self.json("simulate", *fleet, "--repeat", 12, "--seed", 99)["metrics"][best["metric"]]["mean"]
            self.assertEqual(best["verdict"], "learnable")
            self.assertLess(best["predicted"], 1.8 * measured)
            self.assertGreater(best["predicted"], measured / 1.8)

    def test_protocols_that_collect_once_are_planned(self):
        for name, metric, dim in (("sparse-mean-once", "l2_error", 16), ("kernel-ridge", "function_error", 1),
                                  ("smooth-glm", "excess_risk_ratio", 8)):
            plan = self.json("plan", "--protocol", name, "--users", 3000, "--dim", dim, "--epsilon", 4, "--quick")
            self.assertEqual((plan["recommended"]["protocol"], plan["recommended"]["metric"]), (name, metric))
            self.assertIn("verdict", plan["recommended"])
            self.assertGreater(plan["lower_bound"]["value"], 0)

    def test_the_devices_of_an_everyday_goal_are_found(self):
        goal = ("--protocol", "category", "--users", 500, "--epsilon", 2, "--quick", "--want-error", 0.05)
        needed = self.json("plan", *goal)["devices_needed"]
        self.assertGreater(needed, 500)
        flags = ("--protocol", "category", "--users", needed, "--epsilon", 2, "--quick")
        self.assertLess(self.json("plan", *flags)["recommended"]["predicted"], 1.3 * 0.05)

    def test_everyday_studies_and_studies_that_collect_once_are_planned(self):
        for name, protocol in (("number", "number"), ("event", "event"), ("top", "top"), ("crosstab", "crosstab"),
                               ("function", "kernel-ridge")):
            plan = self.json("plan", SOURCE / f"examples/{name}.toml", "--quick")
            self.assertEqual(plan["recommended"]["protocol"], protocol)
        ran = self.sotto("plan", SOURCE / "examples/vote.toml", code=REFUSED)
        self.assertIn("plan.no_protocol", ran.stderr)

    def test_nothing_is_ever_not_a_number(self):
        for flags in (("--users", 1, "--dim", 2, "--nonzeros", 1, "--epsilon", 1),
                      ("--users", 4294967295, "--dim", 8, "--nonzeros", 2, "--epsilon", 12),
                      ("--users", 50, "--dim", 8, "--nonzeros", 8, "--samples", 1, "--epsilon", 0.01),
                      ("--users", 300, "--dim", 8, "--nonzeros", 2, "--epsilon", 1, "--empty", 1),
                      ("--users", 300, "--dim", 8, "--nonzeros", 2, "--epsilon", 1, "--dropout", 1),
                      ("--users", 300, "--dim", 8, "--nonzeros", 2, "--epsilon", 1, "--signal", 0),
                      ("--protocol", "event", "--users", 1, "--epsilon", 1),
                      ("--protocol", "number", "--users", 4294967295, "--epsilon", 0.5),
                      ("--protocol", "category", "--users", 4294967295, "--epsilon", 1, "--categories", 2),
                      ("--protocol", "top", "--users", 1, "--epsilon", 0.1, "--of", "string"),
                      ("--protocol", "kernel-ridge", "--users", 3, "--dim", 1, "--epsilon", 1)):
            ran = subprocess.run([SOTTO, "plan", *map(str, flags), "--quick", "--json"], capture_output=True, text=True)
            self.assertIn(ran.returncode, (0, REFUSED), (flags, ran.stderr))
            for word in ("nan", "NaN", "inf,", "Infinity"):
                self.assertNotIn(word, ran.stdout, flags)

    def test_bad_input_is_named(self):
        for flags, code, word in ((("--users", 400, "--dim", 8), USAGE, "--epsilon"),
                                  (("--epsilon", 1), USAGE, "--users"),
                                  (("--users", 9, "--dim", 8, "--epsilon", 1, "--signal", "loud"), REFUSED, "loud"),
                                  ((*FLEET, "--epsilon", -1), REFUSED, "-1"),
                                  ((*FLEET, "--epsilon", "nan"), REFUSED, "nan"),
                                  ((*FLEET, "--epsilon", 1, "--dropout", "nan"), USAGE, "dropout"),
                                  ((*FLEET, "--epsilon", 1, "--want-error", 0), REFUSED, "wanted error"),
                                  (("--protocol", "event", "--epsilon", 1), USAGE, "--users"),
                                  (("--protocol", "event", "--users", 9, "--epsilon", 1, "--zipf", 2), USAGE, "--zipf"),
                                  (("--protocol", "number", "--users", 9, "--epsilon", 1, "--empty", 1), REFUSED, "--empty"),
                                  ((*FLEET, "--epsilon", 1, "--mechanism", "binned"), USAGE, "binned"),
                                  (("--users", -5, "--dim", 8, "--epsilon", 1), USAGE, "-5"),
                                  (("--users", 9, "--dim", 1, "--epsilon", 1), REFUSED, "--dim"),
                                  ((*FLEET, "--epsilon", 1000), REFUSED, "1000"),
                                  ((*FLEET, "--epsilon", 1, "--want-error", "nan"), REFUSED, "wanted error"),
                                  ((*FLEET, "--epsilon", 1, "--noise", "pink"), REFUSED, "pink")):
            ran = self.sotto("plan", *flags, code=code)
            self.assertEqual(ran.stdout, "")
            self.assertIn(word, ran.stderr)

    def test_fleets_drawn_at_random_measure_what_was_planned(self):
        settings = os.environ.get("SOTTO_PLANNED")
        if settings is None:
            self.skipTest("minutes of simulated devices: only as cli_plan_deep")
        grid = [sys.executable, SOURCE / "tests/statistical/plan_grid.py"]
        measured = self.work / "grid.jsonl"
        ran = subprocess.run([*grid, "measure", "--settings", settings, "--out", measured], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        ran = subprocess.run([*grid, "compare", measured], capture_output=True, text=True)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)


if __name__ == "__main__":
    main()
