# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto fit: what it prints and writes, and that the numbers of its tables hold (SOTTO_FIT_TABLES, long)."""

import csv
import gzip
import json
import os
import pathlib
import random
import re
import shlex
import shutil
import statistics
import unittest

from fit_case import FitCase
from sotto_case import REFUSED, SOURCE, SottoCase, main
from test_simulate import Page

DATA = pathlib.Path(os.environ.get("SOTTO_DATA_DIR", SOURCE / "../shared/data"))


class Fit(FitCase):
    def test_the_json_has_the_keys_that_scripts_rely_on(self):
        result = self.json(*self.fit("--epsilon", 4, "--seed", 1000))
        for metric in ("validation_loss", "validation_error"):
            self.assertEqual(set(result["metrics"][metric]), {"mean", "sd", "median"})
        self.assertLess(result["metrics"]["validation_error"]["mean"], 0.25)
        privacy = result["privacy"]
        self.assertEqual((privacy["unit"], privacy["adjacency"], privacy["epsilon"], privacy["delta"]), ("row", "add-remove", 4, 1e-5))
        self.assertLessEqual(privacy["epsilon_delivered"], 4)
        self.assertGreater(privacy["sigma"], 0)
        self.assertTrue(privacy["seeded"] and not privacy["proven"], "the seed in the file takes the noise off")
        self.assertFalse(result["metrics_are_private"])
        self.assertEqual({c["name"] for c in result["model"]["coefficients"]}, {"f1", "f4"})
        self.assertTrue(any("from scales.csv" in line for line in result["assumed_public"]))

    def test_scales_are_public_or_paid_for_and_the_result_says_which(self):
        wish = ("fit", self.rows(), "--leave-out", "id", "--nonzeros", 2, "--folds", 0)
        paid = self.json(*wish, "--epsilon", 1, "--out", "paid")
        moments = paid["privacy"]["moments"]
        self.assertEqual((moments["source"], moments["range"]), ("paid", "each"))
        self.assertAlmostEqual(moments["share"], 0.1, places=5)
        self.assertTrue(0 < moments["epsilon"] < 1 and paid["privacy"]["proven"])
        self.assertLessEqual(paid["privacy"]["epsilon_delivered"], 1)
        self.assertTrue(any("were measured with noise and are covered" in line for line in paid["privacy"]["statement"]))
        page = (self.work / "paid/report.html").read_text()
        self.assertIn('<span class="verdict learned">private</span>', page)
        given = self.json(*wish, "--epsilon", 1, "--scales", "scales.csv")
        self.assertEqual(given["privacy"]["moments"], {"source": "public"})
        self.assertTrue(given["privacy"]["proven"])
        exact = self.json(*wish, "--no-privacy")
        self.assertEqual((exact["privacy"]["moments"], exact["privacy"]["proven"]), ({"source": "exact"}, False))
        self.assertTrue(any("computed from these rows, and not paid for" in line for line in exact["assumed_public"]))
        few = self.json("fit", self.rows(60), "--leave-out", "id", "--nonzeros", 2, "--epsilon", 1, "--folds", 0)
        self.assertEqual(few["privacy"]["moments"]["range"], "common")
        self.assertTrue(any("too few rows for a range of each column" in line for line in few["privacy"]["statement"]))

    def test_a_page_of_a_private_model_shows_no_validation_numbers(self):
        ran = self.sotto(*self.fit("--epsilon", 4, "--folds", 2, "--out", "out"))
        self.assertIn("2 folds held out: mean and standard deviation (not private)", ran.stdout)
        page = (self.work / "out/report.html").read_text()
        for part in ("Loss by pass", "keep it with the data", "&plusmn;"):
            self.assertNotIn(part, page)
        self.assertIn("Validation numbers come from rows without noise", page)
        self.sotto("report", "out")  # from fit.json alone
        self.assertEqual((self.work / "out/report.html").read_text(), page)
        self.sotto(*self.fit("--epsilon", 4, "--folds", 2, "--seed", 1, "--out", "out"))
        page = (self.work / "out/report.html").read_text()
        for part in ("Loss by pass", "keep it with the data", "rehearsal", "Always the larger class"):
            self.assertIn(part, page)
        ran = self.sotto(*self.fit("--epsilon", 4, "--folds", 0, "--seed", 3))
        self.assertIn("privacy     rehearsal", ran.stdout)

    def test_the_page_of_another_model_is_not_written_over(self):
        wish = self.fit("--epsilon", 4, "--folds", 0, "--out", "out")
        self.sotto(*wish)  # and below a fit replaces a fit
        for name, text in (("model.json", "{}"), ("fit.json", "{}"), ("fit.json", '{"format": 1}'), ("fit.json", "[")):
            self.sotto(*wish)
            (self.work / "out" / name).write_text(text)
            before = (self.work / "out/report.html").read_bytes()
            self.assertIn("code: fit.out_in_use", self.sotto(*wish, code=REFUSED).stderr)
            self.assertEqual((self.work / "out/report.html").read_bytes(), before)
            (self.work / "out" / name).unlink()
            if name == "fit.json":
                self.assertIn("out/report.html", self.sotto(*wish, code=REFUSED).stderr)
                (self.work / "out/report.html").unlink()

    def test_the_page_of_a_fit_is_written_over_by_nobody_else(self):
        self.sotto(*self.fit("--epsilon", 4, "--folds", 0, "--out", "out"))
        fleet = ("--users", 200, "--dim", 16, "--samples", 20, "--nonzeros", 2, "--epsilon", 4)
        self.sotto("simulate", *fleet, "--out", "run")
        shutil.copy(self.work / "run/model.json", self.work / "out/copy.json")

        def files():
            return {p.name: p.read_bytes() for p in (self.work / "out").iterdir()}
        before = files()
        for words in (("simulate", *fleet, "--out", "out"), ("simulate", "--protocol", "vote", "--users", 100, "--dim", 4, "--epsilon", 1, "--out", "out"),
                      ("report", "out/copy.json")):
            self.assertIn("code: model.page_in_use", self.sotto(*words, code=REFUSED).stderr)
            self.assertEqual(files(), before)
        self.sotto("report", "out/copy.json", "--out", "out/copy.html")  # a page with a name of its own
        # And a study keeps the place of its page.
        (self.work / "s.toml").write_text('name = "s"\n[privacy]\nepsilon = 1\n[question]\nkind = "vote"\nfeatures = 8\n')
        self.sotto("study", "s.toml", "--out", "study")
        for name in ("study", "run"):
            self.assertIn("code: fit.out_in_use", self.sotto(*self.fit("--epsilon", 4, "--folds", 0, "--out", name), code=REFUSED).stderr)
            self.assertFalse((self.work / name / "fit.json").exists())
        # A fit that an earlier release put beside a study: its page stays, too.
        shutil.copy(self.work / "out/fit.json", self.work / "run/fit.json")
        page = (self.work / "run/report.html").read_bytes()
        self.assertIn("code: model.page_in_use", self.sotto("estimate", "run", code=REFUSED).stderr)
        self.assertEqual((self.work / "run/report.html").read_bytes(), page)

    def test_a_seed_repeats_the_model_and_without_one_the_noise_is_new(self):
        seeded = [self.json(*self.fit("--epsilon", 4, "--folds", 0, "--seed", 1000))["model"]["coefficients"] for _ in range(2)]
        self.assertEqual(*seeded)
        fresh = [self.json(*self.fit("--epsilon", 4, "--folds", 0)) for _ in range(2)]
        self.assertNotEqual(fresh[0]["model"]["coefficients"], fresh[1]["model"]["coefficients"])
        self.assertFalse(fresh[0]["privacy"]["seeded"])
        self.assertEqual(fresh[0]["metrics"], {})

    def test_one_command_compares_all_methods_and_writes_the_page(self):
        result = self.json(*self.fit("--epsilon", 4, "--compare", "--limits", "--folds", 3, "--seed", 1000, "--out", "out"))
        table = {row["method"]: row for row in result["comparison"]}
        self.assertEqual(set(table), {"dp-iht", "dp-sgd-ht", "dp-scsg-ht", "dp-scsg-ht-1", "dp-svrg-ht", "peeling", "select-fit", "dpsl-kt",
                                      "dpsl-kt-teacher", "frank-wolfe", "two-stage"})
        for name, row in table.items():
            self.assertLess(row["metrics"]["validation_loss"]["mean"], 0.69, name)
            self.assertIn("epsilon", row["guarantee"])
            self.assertIn("limit_loss", row["metrics"])
        model = json.loads((self.work / "out/fit.json").read_text())
        self.assertEqual(model["format"], "sotto-fit-1")
        self.assertEqual(model, result["model"])
        text = (self.work / "out/report.html").read_text()
        page = Page()
        page.feed(text)
        self.assertEqual((page.wrong, page.open, page.links), ([], [], []))
        for part in ("Loss by pass", "Methods compared", "rehearsal", "Assumed public", "no epsilon covers them"):
            self.assertIn(part, text)

    def test_regressions_and_sparse_rows_are_fitted_too(self):
        coins = random.Random(8)
        lines, sparse = ["y,a,b,c"], []
        for _ in range(2000):
            x = [coins.gauss(0, 1) for _ in range(3)]
            lines.append(",".join(str(round(v, 4)) for v in (3 * x[1] + coins.gauss(0, 0.5), *x)))
            at = sorted(coins.sample(range(1, 40), 5))
            sparse.append(f"{1 if 3 in at or 5 in at else -1} " + " ".join(f"{j}:1" for j in at))
        (self.work / "numbers.csv").write_text("\n".join(lines))
        with gzip.open(self.work / "words.libsvm.gz", "wt") as file:
            file.write("\n".join(sparse) + "\n")
        for loss in ("linear", "huber"):
            result = self.json("fit", "numbers.csv", "--loss", loss, "--nonzeros", 1, "--epsilon", 4, "--seed", 1000)
            self.assertEqual([c["name"] for c in result["model"]["coefficients"]], ["b"])
            self.assertLess(result["metrics"]["validation_mse"]["mean"], 0.5)
            self.assertAlmostEqual(result["model"]["coefficients"][0]["per_unit"], 3, delta=1)
        result = self.json("fit", "words.libsvm.gz", "--features", 40, "--scale", "rows", "--nonzeros", 2, "--epsilon", 8, "--seed", 1000)
        self.assertEqual({c["name"] for c in result["model"]["coefficients"]}, {"3", "5"})

    def test_a_target_in_small_units_gives_the_model_in_these_units(self):
        """Coefficients of 50,000 and -30,000: those of the same rows in units of 1e5, and none at the edge of a grid."""
        for name, unit in (("ones.csv", 1), ("large.csv", 1e5)):
            coins = random.Random(11)
            lines = ["y,a,b"]
            for _ in range(10000):
                a, b = coins.gauss(0, 1), coins.gauss(0, 1)
                lines.append(f"{(50000 * a - 30000 * b + coins.gauss(0, 3000)) / unit:.9g},{a:.4f},{b:.4f}")
            (self.work / name).write_text("\n".join(lines) + "\n")
        wish = ("--target", "y", "--loss", "huber", "--scale", "none", "--row-bound", 4, "--value-bound", 2, "--nonzeros", 2, "--epsilon", 1,
                "--seed", 3, "--folds", 0)
        for method in ("select-fit", "two-stage", "dpsl-kt"):
            with self.subTest(method=method):
                ones, large = ([c["value"] for c in self.json("fit", file, *wish, "--target-bound", bound, "--method", method)["model"]["coefficients"]]
                               for file, bound in (("ones.csv", 100000), ("large.csv", 1)))
                for one, much, truth in zip(ones, large, (50000, -30000)):
                    self.assertLess(abs(one / 1e5 - much), 1e-5)
                    self.assertLess(abs(one - truth), 15000)

    def test_the_printed_transfer_runs_only_as_a_warning(self):
        ran = self.sotto(*self.fit("--epsilon", 1, "--method", "dpsl-kt-paper"), code=REFUSED)
        self.assertIn("fit.unproven", ran.stderr)
        result = self.json(*self.fit("--epsilon", 1, "--method", "dpsl-kt-paper", "--unproven", "--seed", 1000))
        self.assertFalse(result["privacy"]["proven"])
        self.assertIsNone(result["privacy"]["epsilon_delivered"])
        self.assertIn("WARNING", result["privacy"]["statement"][0])

    def test_the_number_of_nonzeros_is_given_or_follows_from_public_numbers(self):
        for rows, epsilon, count in ((1500, 4, 6), (300, 1, 4), (30, 1, 1)):
            wish = ("fit", self.rows(rows), "--leave-out", "id", "--epsilon", epsilon, "--folds", 0, "--out", f"out{rows}")
            model = self.json(*wish)["model"]
            self.assertEqual(model["nonzeros"], count)
            self.assertIn("by a public rule, sqrt(rows * epsilon) / 4", model["why_nonzeros"])
            self.assertIn("by a public rule", (self.work / f"out{rows}/report.html").read_text())
            self.assertNotIn("--nonzeros", model["command"])
        ran = self.sotto(*self.fit("--epsilon", 4, "--folds", 0, "--out", "given"))
        self.assertIn("nonzeros    2, as given", ran.stdout)
        self.assertIn("at most 2, as given", (self.work / "given/report.html").read_text())

    def test_passes_are_the_same_on_the_page_and_in_the_text(self):
        for method in ("dp-sgd-ht", "dp-scsg-ht-1"):
            ran = self.sotto(*self.fit("--epsilon", 4, "--folds", 3, "--seed", 5, "--method", method, "--out", method))
            passes = re.search(r"   (\S+) passes, ", ran.stdout)[1]
            page = (self.work / method / "report.html").read_text()
            self.assertIn(f"steps, {passes} passes", page)
            table = page.split('<section id="validation">')[1].split("</section>")[0]
            self.assertIn(f'<td data-name="passes" class="n">{passes}</td>', table)

    def test_the_command_can_be_given_to_a_shell(self):
        os.rename(self.work / self.rows(50), self.work / "my rows; it's $HOME.csv")
        text = (self.work / "my rows; it's $HOME.csv").read_text().replace("id,y,f0,", "-i d,the `y`,f0,", 1)
        (self.work / "my rows; it's $HOME.csv").write_text(text)
        wish = ["fit", "my rows; it's $HOME.csv", "--target", "the `y`", "--leave-out=-i d", "--nonzeros", "2", "--epsilon", "1", "--folds", "0"]
        command = self.json(*wish)["command"]
        words = shlex.split(command)
        self.assertEqual(words[:3], ["sotto", "fit", "my rows; it's $HOME.csv"])
        self.assertEqual(words[words.index("--target") + 1], "the `y`")
        self.assertIn("--leave-out=-i d", words)
        self.assertEqual(self.json(*words[1:])["command"], command)

    def test_a_column_that_is_left_out_may_be_constant(self):
        lines = (self.work / self.rows(50)).read_text().splitlines()
        (self.work / "same.csv").write_text("\n".join([lines[0], *("7" + line[line.index(","):] for line in lines[1:])]) + "\n")
        result = self.json("fit", "same.csv", "--leave-out", "id", "--nonzeros", 2, "--epsilon", 1, "--folds", 0)
        self.assertEqual((result["model"]["rows"], result["model"]["features"]), (51, 6))

    def test_synthetic_rows_tell_how_far_a_model_is_from_the_truth(self):
        result = self.json("fit", "--synthetic", "800,200,5", "--nonzeros", 5, "--epsilon", 4, "--delta", 0.01, "--seed", 1000, "--repeat", 5)
        self.assertEqual(result["method"], "dp-iht")
        result = self.json("fit", "--synthetic", "800,1000,10", "--nonzeros", 10, "--epsilon", 2.5, "--delta", 0.01, "--seed", 1000, "--repeat", 10)
        self.assertEqual(result["method"], "peeling")
        self.assertLess(result["metrics"]["relative_error"]["mean"], 0.19)
        self.assertTrue(any("not below 1 / rows" in line for line in result["privacy"]["statement"]))


# Validation loss at most, epsilon 4, delta 1e-5, five folds: rcv1_small (rows), grants, chest_xray, covertype_15k (standard).
TABLE = {
    "dp-iht": (.490, .508, .230, .210), "dp-sgd-ht": (.522, .489, .230, .197), "dp-scsg-ht": (.514, .510, .289, .224),
    "dp-svrg-ht": (.492, .591, .280, .269), "select-fit": (.410, .495, .251, .232), "frank-wolfe": (.674, .537, .342, .277),
    "dpsl-kt": (.475, .512, .271, .225)}
SETS = (("rcv1_small", "rows", 100, .343), ("grants", "standard", 50, .426), ("chest_xray", "standard", 200, .206),
        ("covertype_15k", "standard", 10, .179))


@unittest.skipUnless(os.environ.get("SOTTO_FIT_TABLES"), "the long tables")
class Tables(SottoCase):
    SECONDS = 1800

    def scales(self, file):
        """Means and deviations of a file's columns, which the tables assume to be public."""
        with gzip.open(file, "rt") as text:
            table = list(csv.reader(text))
        lines = ["name,offset,deviation"]
        for at, name in enumerate(table[0]):
            if name not in ("user", "y") and not name.startswith("meta_"):
                values = [float(row[at]) for row in table[1:]]
                lines.append(f"{name},{statistics.fmean(values):.9g},{statistics.pstdev(values) or 1:.9g}")
        (self.work / "scales.csv").write_text("\n".join(lines) + "\n")
        return "scales.csv"

    def test_logistic(self):
        for at, (name, scale, k, limit) in enumerate(SETS):
            file = DATA / f"{name}.csv.gz"
            if not file.exists():
                self.skipTest(f"{file} is not there")
            wish = ("fit", file.resolve(), "--leave-out", "user", "--scale", scale, "--nonzeros", k, "--seed", 1000)
            if scale == "standard":
                wish = (*wish, "--scales", self.scales(file))
            result = self.json(*wish, "--epsilon", 4, "--compare")
            loss = {row["method"]: row["metrics"]["validation_loss"]["mean"] for row in result["comparison"]}
            for method, bars in TABLE.items():
                self.assertLessEqual(loss[method], bars[at], f"{method} on {name}")
            self.assertLessEqual(loss[result["method"]], 1.1 * min(loss.values()), f"auto on {name}")
            limits = self.json(*wish, "--no-privacy", "--method", "dp-iht")
            self.assertLessEqual(limits["metrics"]["validation_loss"]["mean"], 1.03 * limit, f"the limit on {name}")

    def test_linear(self):
        for size, k, bars in (("800,1000,10", 10, {"peeling": .19, "select-fit": .20}), ("4000,5000,50", 50, {"peeling": .122, "select-fit": .167})):
            wish = ("fit", "--synthetic", size, "--nonzeros", k, "--epsilon", 2.5, "--delta", .01, "--seed", 1000, "--repeat", 10)
            error = {m: self.json(*wish, "--method", m)["metrics"]["relative_error"]["mean"] for m in bars}
            for method, bar in bars.items():
                self.assertLessEqual(error[method], bar, f"{method} on {size}")
            chosen = self.json(*wish)
            self.assertLessEqual(chosen["metrics"]["relative_error"]["mean"], 1.1 * min(error.values()), f"auto on {size}")


if __name__ == "__main__":
    main()
