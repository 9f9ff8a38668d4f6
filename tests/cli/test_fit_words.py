# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto fit on files with words, dates and missing values, and predictions from such a fit."""

import csv
import json
import statistics

from fit_case import FitCase
from sotto_case import REFUSED, USAGE, main


class FitWords(FitCase):
    def test_words_dates_and_missing_values_are_read_by_public_rules(self):
        wish = ("fit", self.words(4000, "words.csv"), "--target", "y", "--loss", "linear", "--leave-out", "class", "--epsilon", 4)
        ran = self.sotto(*wish, "--leave-out", "number", code=REFUSED)
        for part in ("data.text_column", "kind", "--levels kind=", "not from the rows"):
            self.assertIn(part, ran.stderr)
        wish = (*wish, "--levels", "kind=red,green", "--missing-feature", "b", "--out", "out")
        self.assertIn("warning: the column number looks like an identifier", self.sotto(*wish, "--folds", 0).stderr)
        result = self.json(*wish, "--leave-out", "number", "--test", self.words(1000, "public.csv"), "--folds", 0)
        self.assertEqual(result["warnings"], [])
        for part in ("separated by semicolons", "when holds dates and is left out"):
            self.assertTrue(any(part in note for note in result["notes"]), part)
        for part in ("the levels of kind, which were given: red, green", "stands at its offset", "which columns hold dates, and are left out: when"):
            self.assertTrue(any(part in line for line in result["assumed_public"]), part)
        found = {c["name"]: c["per_unit"] for c in result["model"]["coefficients"]}
        self.assertAlmostEqual(found["a"], 1, delta=0.15)
        self.assertAlmostEqual(found["b is missing"], 2, delta=0.5)
        self.assertAlmostEqual(found["kind=red"] - found.get("kind=other", 0), 3, delta=0.6)
        # The error on a public file is that of the predictions, and is no validation number.
        test = result["test"]
        self.assertLess(test["mse"], 0.35 * test["mean_mse"])
        predicted = self.json("predict", "out", "public.csv")
        self.assertEqual(predicted["verdict"], "private")
        with open(self.work / "public.csv", encoding="utf-8") as file:
            targets = [float(row["y"]) for row in csv.DictReader(file, delimiter=";")]
        mse = statistics.fmean((p - y) ** 2 for p, y in zip(predicted["predictions"], targets))
        self.assertAlmostEqual(mse, test["mse"], places=6)
        page = (self.work / "out/report.html").read_text()
        for part in ("On rows that were held out", "always their mean", "declared public"):
            self.assertIn(part, page)
        self.assertEqual(self.json("report", "out")["verdict"], "private")
        self.assertEqual((self.work / "out/report.html").read_text(), page)

    def test_public_scales_need_no_line_for_levels(self):
        wish = ("fit", self.words(500, "words.csv"), "--target", "y", "--loss", "linear", "--leave-out", "class", "--leave-out", "number", "--epsilon", 4, "--folds", 0,
                "--levels", "kind=red", "--scales", "scales.csv")
        (self.work / "scales.csv").write_text("name,offset,deviation\ny,6,2\na,5,2\nb,0,1\n")
        scales = {c["name"]: (c["offset"], c["deviation"]) for c in self.json(*wish)["model"]["coefficients"]}
        self.assertEqual(scales["a"], (5, 2))
        self.assertEqual(scales["kind=red"], (0, 1))
        (self.work / "scales.csv").write_text("name,offset,deviation\ny,6,2\na,5,2\n")
        self.assertIn("data.missing_scale", self.sotto(*wish, code=REFUSED).stderr)

    def test_a_class_in_words_is_fitted_predicted_and_tested(self):
        wish = ("fit", self.words(3000, "words.csv"), "--target", "class", "--leave-out", "y", "--leave-out", "number", "--levels", "kind=red,green,blue", "--epsilon", 4)
        self.assertIn('--positive "', self.sotto(*wish, code=REFUSED).stderr)
        self.assertIn("data.constant_target", self.sotto(*wish, "--positive", "perhaps", code=REFUSED).stderr)
        self.assertIn("fit.bad_positive", self.sotto(*wish, "--positive", "yes", "--loss", "linear", code=REFUSED).stderr)
        result = self.json(*wish, "--positive", "yes", "--test", self.words(800, "public.csv"), "--out", "out")
        self.assertLess(result["test"]["error"], 0.6 * result["test"]["larger_class_error"])
        self.assertGreater(result["metrics"]["larger_class_error"], 0.2)
        chances = self.json("predict", "out/fit.json", "public.csv")["predictions"]
        self.assertTrue(all(0 <= p <= 1 for p in chances))
        # What the fit clips and fills in, predictions clip and fill in.
        (self.work / "odd.csv").write_text("kind;a;b\nred;1e30;0\nred;15,0;0\nviolet;;\n")
        far, near, empty = self.json("predict", "out", "odd.csv")["predictions"]
        self.assertTrue(near <= far < 1 + 1e-9 and 0 < empty < 1)
        (self.work / "odd.csv").write_text("kind;a;b\nred;tall;0\n")
        self.assertIn("data.not_a_number", self.sotto("predict", "out", "odd.csv", code=REFUSED).stderr)
        for field in ("intercept", "levels", "privacy"):
            model = json.loads((self.work / "out/fit.json").read_text())
            del model[field]
            (self.work / "torn.json").write_text(json.dumps(model))
            for verb in (("predict", "torn.json", "public.csv"), ("report", "torn.json")):
                error = self.sotto(*verb, code=REFUSED).stderr
                self.assertIn("fit.bad_file", error)
                self.assertIn(field, error)
        self.sotto(*self.fit("--epsilon", 4, "--folds", 0, "--scale", "rows", "--out", "scaled")[:4], *self.fit("--epsilon", 4, "--folds", 0, "--scale", "rows", "--out", "scaled")[6:])
        self.assertIn("predict.rows_scaled", self.sotto("predict", "scaled", "rows.csv", code=REFUSED).stderr)

    def test_spaces_and_other_encodings_do_not_change_a_level(self):
        wish = ("--target", "class", "--leave-out", "y", "--leave-out", "number", "--epsilon", 4, "--seed", 1, "--folds", 0, "--test", self.words(300, "public.csv"))
        plain = self.json("fit", self.words(2000, "words.csv"), *wish, "--levels", "kind=red,green", "--positive", "yes")
        spaced = self.json("fit", "words.csv", *wish, "--levels", "kind= red, green ", "--positive", " yes ")
        self.assertEqual(spaced["test"], plain["test"])
        self.assertEqual(spaced["model"]["coefficients"], plain["model"]["coefficients"])
        self.assertIn("a blank is no level", self.sotto("fit", "words.csv", *wish, "--positive", " ", code=USAGE).stderr)
        self.assertIn("data.bad_levels", self.sotto("fit", "words.csv", *wish, "--levels", "kind=red, red", code=REFUSED).stderr)
        # A file in Latin-1: its levels stand escaped in fit.json, and predictions know them all the same.
        for name in ("words.csv", "public.csv"):
            (self.work / name).write_bytes((self.work / name).read_bytes().replace(b"red", b"caf\xe9"))
        levels = b"kind=caf\xe9,green".decode("utf-8", "surrogateescape")
        latin = self.json("fit", "words.csv", *wish, "--levels", levels, "--positive", "yes", "--out", "latin")
        self.assertEqual(latin["test"], plain["test"])
        with open(self.work / "public.csv", encoding="latin-1") as file:
            classes = [row["class"] == "yes" for row in csv.DictReader(file, delimiter=";")]
        chances = self.json("predict", "latin", "public.csv")["predictions"]
        self.assertAlmostEqual(statistics.fmean((p > 0.5) != y for p, y in zip(chances, classes)), latin["test"]["error"], places=9)


if __name__ == "__main__":
    main()
