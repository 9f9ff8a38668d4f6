# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Protocols that collect once: what they learn, what they promise, pictures and predictions. SOTTO_SEEDS asks for the whole table."""

import json
import math
import os
import re

from sotto_case import REFUSED, USAGE, SottoCase, main

SEEDS = int(os.environ.get("SOTTO_SEEDS", "0"))
MEAN = ("simulate", "--protocol", "sparse-mean", "--nonzeros", 10)
LINE = ("simulate", "--protocol", "projected-regression", "--dim", 8, "--nonzeros", 2)
KERNEL = ("simulate", "--protocol", "kernel-ridge", "--dim", 1)
CLASS = ("simulate", "--protocol", "smooth-glm", "--dim", 5)


def zcdp_delta(rho, epsilon):
    """Canonne, Kamath and Steinke's conversion, by brute force over the order: nothing in common with the product's search."""
    best = math.inf
    for i in range(1, 40000):
        alpha = 1 + i / 200
        best = min(best, (alpha - 1) * (alpha * rho - epsilon) - math.log(alpha - 1) + alpha * math.log1p(-1 / alpha))
    return math.exp(best)


def once_study(kind, epsilon=2, delta="delta = 1e-6", **keys):
    """A study file of a protocol that collects once."""
    lines = {"devices": 100000, "features": 8, "sparsity": 2, "norm": 0.73, **keys}
    text = "\n".join(f"{k} = {json.dumps(v)}" for k, v in lines.items())
    return f'name = "once"\n[privacy]\nepsilon = {epsilon}.0\n{delta}\n[study]\nsamples = 1\n[protocol]\nkind = "{kind}"\n{text}\n'


class Once(SottoCase):
    def error(self, name, *arguments):
        return self.json(*arguments)["metrics"][name]["mean"]

    def planned(self, kind, **keys):
        (self.work / "study.toml").write_text(once_study(kind, **keys))
        return self.json("study", "study.toml")

    def test_every_way_learns_what_it_is_said_to(self):
        # Fewer devices than the table, more epsilon: a way that is broken stays near 1 (a mean near 0.5).
        self.assertLess(self.error("l2_error", *MEAN, "--users", 20000, "--dim", 64, "--epsilon", 4, "--mechanism", "direct"), 0.06)
        self.assertLess(self.error("l2_error", *MEAN, "--users", 4000, "--dim", 64, "--epsilon", 8, "--projected"), 0.3)
        self.assertLess(self.error("excess_risk_ratio", *LINE, "--users", 80000, "--epsilon", 8, "--mechanism", "paper"), 0.6)
        self.assertLess(self.error("excess_risk_ratio", *LINE, "--users", 20000, "--epsilon", 4, "--mechanism", "moments"), 0.2)
        self.assertLess(self.error("function_error", *KERNEL, "--users", 50000, "--epsilon", 8, "--mechanism", "paper"), 0.8)
        self.assertLess(self.error("function_error", *KERNEL, "--users", 10000, "--epsilon", 8, "--mechanism", "moments"), 0.5)
        self.assertLess(self.error("function_error", *KERNEL, "--users", 10000, "--epsilon", 2, "--mechanism", "binned"), 0.3)
        self.assertLess(self.error("excess_risk_ratio", *CLASS, "--users", 10000, "--epsilon", 1, "--mechanism", "direct"), 0.2)
        self.assertLess(self.error("excess_risk_ratio", *CLASS, "--link", "identity", "--users", 10000, "--epsilon", 4), 0.1)
        self.assertLess(self.error("excess_risk_ratio", *CLASS, "--users", 100000, "--epsilon", 8, "--mechanism", "paper"), 0.6)

    def test_a_sparse_mean_counts_what_it_may_have_missed(self):
        # Noise hides some of the means of so small a fleet: intervals know why a number is looked at, and not every run is sure.
        result = self.json("simulate", "--protocol", "sparse-mean", "--users", 2100, "--dim", 200, "--nonzeros", 5, "--epsilon", 1,
                           "--mechanism", "direct", "--repeat", 40)
        self.assertGreater(result["metrics"]["coverage"]["mean"], 0.90)
        self.assertGreater(result["verdicts"]["uncertain"], 0)

    def test_auto_takes_the_way_with_the_least_predicted_error_and_says_so(self):
        for kind, way, keys in (("projected-regression", "moments", {}), ("kernel-ridge", "binned", {"features": 1, "sparsity": 1}),
                                ("sparse-mean-once", "direct", {}), ("smooth-glm", "direct", {"link": "logistic", "isotropic": True})):
            why = self.planned(kind, **keys)["protocol"]["why"]
            self.assertIn(f"way {way}, whose predicted error is the least", why)
            self.assertIn("paper: ", why)
        # Too many features for a direction: the projection is what is left.
        self.assertIn("way paper", self.planned("sparse-mean-once", features=4096, sparsity=10)["protocol"]["why"])

    def test_the_delivered_epsilon_follows_from_the_integers(self):
        for kind, keys in (("projected-regression", {}), ("kernel-ridge", {"features": 1, "sparsity": 1}),
                           ("sparse-mean-once", {"features": 64}), ("smooth-glm", {"link": "logistic"})):
            for epsilon in (1, 2, 8):
                study = self.planned(kind, epsilon=epsilon, mechanism="paper", devices=4 * 10**9, **keys)
                channel, privacy = study["channel"], study["privacy"]
                self.assertEqual(channel["stem"], "gaussian")
                rho = (2 * channel["radius"]) ** 2 / (2 * channel["variance"])
                delta = privacy["delta"] - channel["dimension"] * 2.0**-64
                self.assertLessEqual(zcdp_delta(rho, privacy["epsilon_delivered"]), delta * (1 + 1e-4))
                self.assertGreater(zcdp_delta(rho, privacy["epsilon_delivered"] - 0.002), delta)
                self.assertLessEqual(privacy["epsilon_delivered"], epsilon)
                self.assertGreater(privacy["epsilon_delivered"], epsilon - 0.02)
        self.assertEqual(self.planned("projected-regression", mechanism="moments")["privacy"]["delta"], 0)

    def test_a_sketch_of_64_numbers_fits_200_bytes(self):
        study = self.planned("sparse-mean-once", features=256, projected=64, mechanism="paper")
        self.assertEqual(study["channel"]["dimension"], 65)
        self.assertLessEqual(study["channel"]["payload_bits"] / 8, 200)

    def test_a_degree_that_the_fleet_cannot_carry_is_refused_with_the_devices_it_would_take(self):
        (self.work / "study.toml").write_text(once_study("smooth-glm", epsilon=8, features=5, norm=4, link="logistic", degree=3,
                                                         mechanism="paper"))
        refused = self.sotto("study", "study.toml", code=REFUSED)
        self.assertIn("code: protocol.small_fleet", refused.stderr)
        self.assertRegex(refused.stderr, r"100000 devices, about [0-9.e+]+ needed")
        self.planned("smooth-glm", epsilon=8, features=5, norm=4, link="logistic", degree=1, mechanism="paper")

    def test_nobody_is_asked_for_nothing(self):
        for kind, keys in (("sparse-mean-once", {"features": 1024, "sparsity": 10, "norm": 0.5}), ("projected-regression", {}),
                           ("kernel-ridge", {"features": 1, "sparsity": 1}),
                           ("smooth-glm", {"features": 5, "norm": 4, "link": "logistic", "isotropic": True})):
            (self.work / "study.toml").write_text(once_study(kind, epsilon=1, **{"devices": 30, **keys}))
            refused = self.sotto("study", "study.toml", code=REFUSED)
            self.assertIn("code: protocol.small_fleet", refused.stderr)
            needed = float(re.search(r"30 devices, about ([0-9.e+]+) needed", refused.stderr)[1])
            self.assertGreater(needed, 30)
            # With twice as many as that there is something to learn.
            self.planned(kind, epsilon=1, **{**keys, "devices": int(2 * needed)})

    def test_ways_are_compared_on_the_same_fleets_and_hopeless_ones_are_told(self):
        result = self.json(*KERNEL, "--users", 2000, "--epsilon", 4, "--compare")
        self.assertEqual([row["mechanism"] for row in result["comparison"]], ["paper", "moments", "binned"])
        paper, moments, binned = result["comparison"]
        self.assertIn("protocol.small_fleet", paper["refused"]["code"])
        self.assertLess(binned["metrics"]["function_error"]["mean"], moments["metrics"]["function_error"]["mean"])
        self.assertAlmostEqual(binned["metrics"]["excess_risk_ratio"]["mean"], binned["metrics"]["function_error"]["mean"] ** 2, delta=1e-9)
        self.assertEqual(binned["reports"]["count"], 2000)
        self.assertTrue(any("holds a record" in said for said in result["assumed_public"]))
        table = self.sotto(*KERNEL, "--users", 2000, "--epsilon", 4, "--compare").stdout
        self.assertRegex(table, r"kernel-ridge \(paper\) +not asked: .* devices, about")
        self.assertRegex(table, r"kernel-ridge \(binned\) +0\.")
        hopeless = self.sotto(*KERNEL, "--users", 20, "--epsilon", 1, "--compare", code=REFUSED).stderr
        self.assertIn("protocol.small_fleet", hopeless)
        self.assertEqual(hopeless.count("20 devices, about"), 3)
        self.assertNotIn("study.toml", hopeless)

    def test_what_a_study_cannot_have_is_refused(self):
        cases = (("protocol.no_way", once_study("projected-regression", delta="", mechanism="paper"), "delta"),
                 ("protocol.no_way", once_study("projected-regression", epsilon=3, mechanism="paper"), "certified"),
                 ("protocol.no_way", once_study("smooth-glm", mechanism="direct", link="logistic"), "isotropic"),
                 ("protocol.no_way", once_study("kernel-ridge", mechanism="direct"), "way"),
                 ("study.bad_value", once_study("cascade", delta="", mechanism="binned"), "mechanism"),
                 ("study.bad_value", once_study("projected-regression", projected=12), "multiple of 8"))
        for code, text, part in cases:
            (self.work / "study.toml").write_text(text)
            refused = self.sotto("study", "study.toml", code=REFUSED)
            self.assertIn(f"code: {code}", refused.stderr)
            self.assertIn(part, refused.stderr)
        self.sotto(*KERNEL, "--users", 100, "--epsilon", 1, "--mechanism", "nonsense", code=USAGE)
        self.sotto(*CLASS, "--users", 100, "--epsilon", 1, "--link", "cosine", code=USAGE)

    def test_a_run_is_stored_goes_on_and_is_estimated_again_to_the_same_model(self):
        for arguments in ((*LINE, "--mechanism", "paper"), (*CLASS, "--mechanism", "paper"), (*KERNEL, "--mechanism", "binned"),
                          (*MEAN, "--projected", "--dim", 512)):  # reports of 800 bytes
            out = f"run-{arguments[2]}"
            users = {"smooth-glm": 60000, "sparse-mean": 3000}.get(arguments[2], 20000)
            command = (*arguments, "--users", users, "--epsilon", 8, "--out", out)
            self.sotto(*command)
            model = (self.work / out / "model.json").read_bytes()
            self.sotto(*command)
            self.assertEqual((self.work / out / "model.json").read_bytes(), model)
            self.sotto("estimate", out)
            self.assertEqual((self.work / out / "model.json").read_bytes(), model)

    def test_a_function_is_drawn_and_predicts(self):
        self.sotto(*KERNEL, "--users", 20000, "--epsilon", 4, "--out", "run")
        page = (self.work / "run/report.html").read_text()
        for part in ("The function", "class=\"band\"", "class=\"curve\"", "class=\"true-line\"", "sum of 16 bumps"):
            self.assertIn(part, page)
        (self.work / "data.csv").write_text("id,x\na,0.25\nb,0.75\nc,0.5\n")
        result = self.json("predict", "run", "data.csv")
        self.assertAlmostEqual(result["predictions"][0], 0.8, delta=0.25)
        self.assertAlmostEqual(result["predictions"][1], -0.8, delta=0.25)
        lines = self.sotto("predict", "run/model.json", "data.csv").stdout.splitlines()
        self.assertEqual(lines[0], "y")
        self.assertAlmostEqual(float(lines[1]), result["predictions"][0], delta=1e-6)
        # Without the simulation nobody knows the truth.
        self.sotto("report", "run")
        self.assertNotIn("class=\"true-line\"", (self.work / "run/report.html").read_text())

    def test_coefficients_predict_and_a_class_by_its_chance(self):
        self.sotto(*CLASS, "--users", 20000, "--epsilon", 4, "--out", "class")
        model = json.loads((self.work / "class/model.json").read_text())
        names = {c["name"]: c["per_unit"] for c in model["coefficients"]}
        (self.work / "x.csv").write_text(",".join(names) + "\n" + ",".join("0.2" for _ in names) + "\n")
        chance = self.json("predict", "class", "x.csv")["predictions"][0]
        self.assertAlmostEqual(chance, 1 / (1 + math.exp(-0.2 * sum(names.values()))), delta=1e-9)
        (self.work / "x.csv").write_text("other\n1\n")
        self.assertIn("data.unknown_column", self.sotto("predict", "class", "x.csv", code=REFUSED).stderr)
        (self.work / "x.csv").write_text(",".join(names) + "\n" + ",".join("x" for _ in names) + "\n")
        self.assertIn("data.not_a_number", self.sotto("predict", "class", "x.csv", code=REFUSED).stderr)
        self.sotto(*MEAN, "--users", 2000, "--dim", 16, "--epsilon", 4, "--mechanism", "direct", "--out", "mean")
        self.assertIn("predict.no_target", self.sotto("predict", "mean", "x.csv", code=REFUSED).stderr)

    def test_bench_solvers_reach_the_plain_methods_objectives(self):
        for name, row in self.json("bench", "solvers", "--seconds", 0.01)["solvers"].items():
            self.assertLessEqual(row["objective"] - row["reference_objective"], 1e-8 * max(1, abs(row["objective"])), name)
            self.assertAlmostEqual(row["reference_ratio"], row["problems_per_second"] / row["reference_problems_per_second"], delta=1e-6)

    if SEEDS:
        def test_the_table(self):
            rows = (("l2_error", 0.21, (*MEAN, "--users", 100000, "--dim", 1024, "--epsilon", 2, "--mechanism", "projected")),
                    ("l2_error", 0.032, (*MEAN, "--users", 100000, "--dim", 1024, "--epsilon", 1, "--mechanism", "direct")),
                    ("excess_risk_ratio", 0.33, (*LINE, "--users", 100000, "--epsilon", 8, "--mechanism", "paper")),
                    ("excess_risk_ratio", 0.43, (*LINE, "--users", 100000, "--epsilon", 2, "--mechanism", "moments")),
                    ("function_error", 0.53, (*KERNEL, "--users", 100000, "--epsilon", 8, "--mechanism", "paper")),
                    ("function_error", 0.43, (*KERNEL, "--users", 100000, "--epsilon", 4, "--mechanism", "moments")),
                    ("function_error", 0.32, (*KERNEL, "--users", 100000, "--epsilon", 1, "--mechanism", "binned")),
                    ("excess_risk_ratio", 0.27, (*CLASS, "--users", 1000000, "--epsilon", 8, "--mechanism", "paper")),
                    ("excess_risk_ratio", 0.10, (*CLASS, "--users", 10000, "--epsilon", 1, "--mechanism", "direct")))
            for name, most, arguments in rows:
                # One seed a run: a run of all of them would outlast the patience of the harness.
                errors = [self.error(name, *arguments, "--seed", 1000 + r) for r in range(SEEDS)]
                self.assertLessEqual(sum(errors) / SEEDS, most, arguments)


if __name__ == "__main__":
    main()
