# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Targets and features of other kinds: classes, counts, words and missing values, in simulate, study, fit and predict."""

import json
import random

from sotto_case import REFUSED, SOURCE, SottoCase, main

RIDES = SOURCE / "examples/rides.csv"
WORDS = ("--leave-out", "day", "--levels", "assist=eco,tour,sport", "--missing-feature", "temperature")


class Kinds(SottoCase):
    def fleet(self, name, target, users=300, rows=20):
        """The target follows x0 and x3, beside a level that differs from user to user. Fixed seed."""
        draw = random.Random(7)
        lines = ["user," + ",".join(f"x{j}" for j in range(8)) + ",y"]
        for user in range(users):
            shift = [draw.gauss(0, 5) for _ in range(8)]
            for _ in range(rows):
                x = [draw.gauss(0, 1) for _ in range(8)]
                score = 1.5 * x[0] - 1.2 * x[3] + draw.gauss(0, 0.7)
                lines.append(f"{user}," + ",".join(f"{v + s:.3f}" for v, s in zip(x, shift)) + f",{target(score)}")
        (self.work / name).write_text("\n".join(lines) + "\n")
        return ("simulate", "--data", name, "--user-column", "user", "--target", "y", "--assume-sparsity", 2)

    def rides(self, target, *more):
        others = [name for name in ("used", "flat", "alarms") if name != target]
        return ("simulate", "--data", RIDES, "--user-column", "bike", "--target", target, *WORDS, *(v for o in others for v in ("--leave-out", o)),
                "--epsilon", 6, *more)

    def test_zeros_and_ones_are_classes_and_learned_by_themselves(self):
        wish = self.fleet("classes.csv", lambda score: int(score > 0.5))
        result = self.json(*wish, "--epsilon", 4, "--out", "made")
        self.assertIn(result["protocol"], ("cascade", "boost"))
        self.assertEqual(result["verdict"], "learned")
        self.assertTrue(any("is taken for a class" in note for note in result["notes"]))
        metrics = result["metrics"]
        self.assertLess(metrics["device_error"]["mean"], 0.5 * metrics["device_error_chance"]["mean"])
        self.assertLess(result["validation"]["low"], metrics["true_gain"]["mean"])
        self.assertIn('kind = "class"', (self.work / "made/study.toml").read_text())
        model = json.loads((self.work / "made/model.json").read_text())
        self.assertEqual((model["target"]["kind"], model["link"], model["validation"]["classes"]), ("class", "identity", True))
        self.assertIn("larger class", model["why_verdict"])
        # The same study is written by its author, and planned in the same way.
        again = self.json("study", "made/study.toml")["protocol"]
        self.assertEqual((again["kind"], again["target_kind"]), (result["protocol"], "class"))
        number = self.json(*wish, "--epsilon", 4, "--target-kind", "number")["metrics"]
        self.assertIn("test_mse_ratio", number)
        self.assertNotIn("test_error", number)
        logistic = self.json(*wish, "--protocol", "federated-ht", "--epsilon", 8)
        self.assertEqual(logistic["protocol"], "federated-ht")
        self.assertIn("device_error", logistic["metrics"])

    def test_a_class_that_nothing_explains_is_not_learned(self):
        draw = random.Random(11)
        result = self.json(*self.fleet("null.csv", lambda _: int(draw.random() < 0.4)), "--epsilon", 4, "--repeat", 3)
        self.assertEqual(result["verdicts"]["learned"], 0)

    def test_a_target_that_is_no_class_or_count_is_refused_by_its_value(self):
        wish = (*self.fleet("number.csv", lambda score: f"{score:.2f}", users=20), "--epsilon", 4)
        ran = self.sotto(*wish, "--target-kind", "class", code=REFUSED)
        for part in ("data.bad_class", "the target y is not a class", "more than two values", "threshold"):
            self.assertIn(part, ran.stderr)
        ran = self.sotto(*wish, "--target-kind", "count", code=REFUSED)
        for part in ("data.bad_count", "the target y is not a count"):
            self.assertIn(part, ran.stderr)

    def test_counts_are_modelled_by_their_logarithm_and_say_so(self):
        result = self.json(*self.fleet("counts.csv", lambda score: int(2.718 ** max(0, 1.5 + score))), "--epsilon", 4, "--target-kind", "count", "--out", "made")
        self.assertEqual(result["verdict"], "learned")
        self.assertTrue(any("log(1 + y)" in note for note in result["notes"]))
        self.assertTrue(any("log(1 + count)" in text for text in result["assumed_public"]))
        self.assertEqual(json.loads((self.work / "made/model.json").read_text())["target"]["kind"], "count")
        self.assertEqual(self.json("study", "made/study.toml")["protocol"]["target_kind"], "count")

    def test_words_and_missing_values_of_a_file_make_the_study_that_the_example_states(self):
        result = self.json(*self.rides("used", "--assume-correlated", "false", "--assume-sparsity", 4, "--out", "made"))
        names = {row["name"] for row in result["coefficients"]}
        self.assertLessEqual({"hills", "assist=sport"}, names)
        notes = "\n".join(result["notes"])
        for part in ("temperature: ", "values are missing; each is replaced by the mean of its device", "assist: "):
            self.assertIn(part, notes)
        text = (self.work / "made/study.toml").read_text()
        for line in ('missing_features = ["temperature"]', 'features = ["assist", "temperature", "load", "hills", "rest"]', '"assist" = ["eco", "tour", "sport"]'):
            self.assertIn(line, text)
        made, example = (self.json("study", file)["protocol"] for file in ("made/study.toml", SOURCE / "examples/rides.toml"))
        self.assertEqual(made["columns"], example["columns"])
        self.assertEqual(example["features"], 9)
        self.assertEqual(example["columns"][0], {"name": "assist", "first": 0, "features": 4, "levels": ["eco", "tour", "sport"], "missing_feature": False})
        self.assertEqual(example["columns"][1], {"name": "temperature", "first": 4, "features": 2, "levels": [], "missing_feature": True})
        told = self.sotto("study", SOURCE / "examples/rides.toml").stdout
        self.assertIn("numbers 0 to 3 of a row: 1 at eco, tour, sport or other, 0 elsewhere", told)
        self.assertIn("number 5 is 1 where it is missing", told)

    def test_a_date_is_left_out_with_a_sentence(self):
        given = [option for option in self.rides("used") if option != "day"]
        given.remove("--leave-out")  # that of day
        self.assertIn("day holds dates and is left out", "\n".join(self.json(*given)["notes"]))

    def test_a_level_and_a_missing_feature_name_columns_of_the_study(self):
        text = (SOURCE / "examples/rides.toml").read_text()
        for old, new, *parts in (
                ("assist = [", "asist = [", 'do not name "asist", which stands in [levels]', 'is it "assist"?'),
                ('["temperature"]', '["temperatur"]', 'do not name "temperatur", which stands in study.missing_features', 'is it "temperature"?'),
                ('"sport"]', '"sport", "other"]', 'levels.assist lists "other"', "another name"),
                ('"sport"]', '"sport", "eco"]', "levels.assist holds a name that is empty, repeated or not a string"),
                ('["eco", "tour", "sport"]', "[]", "levels.assist has no level")):
            self.assertIn(old, text)
            (self.work / "bad.toml").write_text(text.replace(old, new))
            ran = self.sotto("study", "bad.toml", code=REFUSED)
            for part in ("bad.toml", "fix:", *parts):
                self.assertIn(part, ran.stderr)

    def test_a_model_in_stated_units_predicts_from_words(self):
        """Offsets and scales are stated: the coefficients have units, and a file can be predicted."""
        self.sotto(*self.rides("used", "--units", "stated", "--protocol", "cascade", "--out", "made"))
        text = (self.work / "made/study.toml").read_text()
        self.assertIn('name = "assist=sport"', text)  # a scale for each feature
        model = json.loads((self.work / "made/model.json").read_text())
        model["columns"] = [{"name": "assist", "levels": ["eco", "tour", "sport"]}, {"name": "temperature", "levels": []}]
        (self.work / "model.json").write_text(json.dumps(model))
        per_unit = {c["name"]: c["per_unit"] for c in model["coefficients"]}
        self.assertIn("assist=sport", per_unit)
        header = "assist,temperature,load,hills,rest\n"
        (self.work / "asked.csv").write_text(header + "tour,8,20,12,30\nsport,8,20,12,30\nzeppelin,8,20,12,30\n")
        tour, sport, other = map(float, self.sotto("predict", "model.json", "asked.csv").stdout.split()[1:])
        self.assertAlmostEqual(sport - tour, per_unit["assist=sport"] - per_unit.get("assist=tour", 0), places=5)
        self.assertAlmostEqual(other - tour, per_unit.get("assist=other", 0) - per_unit.get("assist=tour", 0), places=5)
        (self.work / "asked.csv").write_text(header + "tour,8,20,,30\n")
        ran = self.sotto("predict", "model.json", "asked.csv", code=REFUSED)
        for part in ("asked.csv:2: hills is missing", "fix:"):
            self.assertIn(part, ran.stderr)

    def test_a_fit_of_counts_predicts_counts(self):
        draw = random.Random(5)
        lines = ["a,b,y"]
        for _ in range(3000):
            a, b = draw.gauss(0, 1), draw.gauss(0, 1)
            lines.append(f"{a:.3f},{b:.3f},{round(2.718281828 ** max(0, 2 + 0.8 * a + draw.gauss(0, 0.2)) - 1)}")
        (self.work / "public.csv").write_text("\n".join([lines[0], *lines[2001:]]) + "\n")
        (self.work / "counts.csv").write_text("\n".join(lines[:2001]) + "\n")
        wish = ("fit", "counts.csv", "--epsilon", 4, "--seed", 1, "--folds", 0, "--nonzeros", 1)
        made = self.json(*wish, "--target-kind", "count", "--out", "made", "--test", "public.csv")
        self.assertTrue(json.loads((self.work / "made/fit.json").read_text())["count"])
        self.assertIn("--target-kind count", made["command"])
        self.assertTrue(any("log(1 + y)" in text for text in made["assumed_public"]))
        self.assertLess(made["test"]["mse"], 0.5 * made["test"]["mean_mse"])
        (self.work / "asked.csv").write_text("a\n0\n1\n")
        zero, one = map(float, self.sotto("predict", "made", "asked.csv").stdout.split()[1:])
        self.assertTrue(5.4 < zero < 7.4 and 12 < one < 18, (zero, one))  # e^2 - 1 and e^2.8 - 1
        self.assertIn("fit.bad_kind", self.sotto(*wish, "--target-kind", "count", "--loss", "logistic", code=REFUSED).stderr)
        (self.work / "bad.csv").write_text("a,b,y\n1,2,3\n1,3,-1\n")
        self.assertIn("data.bad_count", self.sotto("fit", "bad.csv", *wish[2:], "--target-kind", "count", code=REFUSED).stderr)


if __name__ == "__main__":
    main()
