# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto simulate --data: what it learns from a file of users, and bad files that are refused by file and line."""

import gzip
import math
import random

from protocol_case import ProtocolCase
from sotto_case import INPUT_OUTPUT, REFUSED, USAGE, main

GOOD = "user,a,b,c,y\n" + "".join(f"u{i // 3},{i % 7},{i % 5},{i % 3},{2 * (i % 7) + i % 2}\n" for i in range(60))


class SimulateData(ProtocolCase):
    def fleet(self, users=500, rows=30):
        """y follows a and c; other columns do not matter. Fixed seed."""
        draw = random.Random(3)
        lines = ["who,a,b,c,d,e,f,meta_note,y"]
        for user in range(users):
            for _ in range(rows):
                x = [draw.gauss(0, 1) for _ in range(6)]
                y = 10 + 2 * x[0] - 1.5 * x[2] + draw.gauss(0, 1)
                lines.append(f"person {user}," + ",".join(f"{v:.3f}" for v in x) + f",free text,{y:.3f}")
        return "\n".join(lines) + "\n"

    def test_a_file_of_users_is_learned_and_compared_with_a_lasso(self):
        (self.work / "fleet.csv").write_text(self.fleet())
        run = ("simulate", "--data", "fleet.csv", "--user-column", "who", "--target", "y", "--epsilon", 8, "--assume-sparsity", 3)
        result = self.json(*run)
        for metric in ("test_mse_ratio", "mean_mse_ratio"):
            self.assertEqual(set(result["metrics"][metric]), {"mean", "sd", "median"})
        self.assertNotIn("f1", result["metrics"])
        # Predicting the mean costs seven times what the Lasso does; anything learned is far below.
        self.assertGreater(result["metrics"]["mean_mse_ratio"]["mean"], 4)
        self.assertLess(result["metrics"]["test_mse_ratio"]["mean"], 2)
        self.assertEqual(result["reports"]["count"], 400)  # a fifth of the users is held out
        self.assertEqual({row["name"] for row in result["coefficients"]} & {"a", "c"}, {"a", "c"})
        with gzip.open(self.work / "fleet.csv.gz", "wt") as packed:
            packed.write(self.fleet())
        self.assertEqual(self.json(*run[:2], "fleet.csv.gz", *run[3:])["metrics"], result["metrics"])

    def bad(self, text, code, *parts, exit_code=REFUSED, target="y", user="user", name="bad.csv"):
        if text is not None:
            (self.work / name).write_bytes(text if isinstance(text, bytes) else text.encode())
        ran = self.sotto("simulate", "--data", name, "--user-column", user, "--target", target, "--epsilon", 4, "--out", "made", code=exit_code)
        self.assertEqual(ran.stdout, "")
        for part in (f"code: {code}", "fix:", name, *parts):
            self.assertIn(part, ran.stderr)
        self.assertFalse((self.work / "made").exists())

    def test_a_good_file_is_the_measure(self):
        (self.work / "good.csv").write_text(GOOD)
        self.json("simulate", "--data", "good.csv", "--user-column", "user", "--target", "y", "--epsilon", 4, "--out", "made")
        self.assertTrue((self.work / "made/model.json").exists())

    def test_bad_files_are_refused_with_file_and_line(self):
        lines = GOOD.splitlines()
        self.bad("\n".join(lines[:9] + ["u3,1,2,3"] + lines[9:]), "data.ragged_row", "bad.csv:10:", "5 fields")
        self.bad("\n".join(lines[:7] + ["u3,1,inf,3,4"]), "data.not_finite", "bad.csv:8:", "b is not a finite")
        self.bad("\n".join(lines[:7] + ["u3,1,red,3,4"]), "data.not_a_number", "bad.csv:8:", "(red)", "--leave-out b", "meta_b")
        self.bad("\n".join(lines[:7] + ["u3,1,2,3,"]), "data.not_a_number", "bad.csv:8:", "the target y is missing")
        self.bad("\n".join(lines[:7] + ["u3,1,2,3,high"]), "data.not_a_number", "bad.csv:8:", "the target y is not a number", '--positive "high"')
        self.bad("\n".join(line.rsplit(",", 1)[0] + (",7" if at else ",y") for at, line in enumerate(lines)), "data.constant_target", "the target y is the same", "(7)")
        self.bad("\n".join([lines[0]] + [f"u{i % 9},word{i},1,2,{i}" for i in range(60)]), "data.many_levels", "bad.csv:52:", "--leave-out a")
        self.bad("\n".join(lines[:7] + ['u3,1,"2,3,4']), "data.open_quote", "bad.csv:8:")
        self.bad(GOOD, "data.unknown_column", "bad.csv:1:", "target", "(x)", target="x")
        self.bad(GOOD, "data.unknown_column", "bad.csv:1:", "did you mean user?", user="usr")
        self.bad(GOOD, "data.same_column", "bad.csv:1:", target="user")
        self.bad(GOOD.replace("a,b,c", "a,a,c", 1), "data.duplicate_column", "bad.csv:1:")
        self.bad("user,y\nu1,1\nu2,2\n", "data.no_features", "bad.csv:1:")
        self.bad("user,a,y\nu1,1,2\nu2,2,3\n", "simulate.bad_features", "(a)")
        self.bad("", "data.empty_file")
        self.bad(lines[0] + "\n", "data.no_rows")
        self.bad("\n".join([lines[0]] + ["u0" + line[line.index(","):] for line in lines[1:]]), "data.one_user", "(u0)")
        self.bad("user," + ",".join(f"x{i}" for i in range(65536)) + ",y\n", "data.too_many_features", "bad.csv:1:", "(65536)")
        self.bad(None, "io.cannot_read", exit_code=INPUT_OUTPUT, name="missing.csv")

    def mixed(self):
        """Semicolons and decimal commas, a row number, dates, words, missing values, and one number that is far too large."""
        draw = random.Random(4)
        lines = ["number;when;kind;a;b;y;class"]
        for i in range(3000):
            a, b, kind = draw.gauss(0, 1), draw.gauss(0, 1), draw.choice(["red", "green", "blue"])
            y = 2 * a - b + 3 * (kind == "red") + draw.gauss(0, 1)
            told = ["NA" if i % 10 == 0 else f"{a:.3f}".replace(".", ","), "1e9" if i == 17 else f"{b:.3f}", f"{y:.3f}", "yes" if y > 1 else "no"]
            lines.append(";".join([str(i), f"2024-01-{i % 28 + 1:02}", kind, *told]))
        (self.work / "mixed.csv").write_text("\n".join(lines) + "\n")
        return "simulate", "--data", "mixed.csv", "--protocol", "ldp-iht", "--epsilon", 8

    def test_a_file_as_people_have_it_is_read_and_what_was_made_of_it_is_said(self):
        wish = (*self.mixed(), "--target", "y", "--leave-out", "class")
        result = self.json(*wish, "--leave-out", "number")
        notes = "\n".join(result["notes"])
        for part in ("separated by semicolons", "when holds dates and is left out", "kind holds text. Its 3 levels were taken from the rows",
                     "a: 300 of 3000 values are missing", "b: 1 of 3000 values lie beyond"):
            self.assertIn(part, notes)
        self.assertEqual(result["warnings"], [])
        self.assertLess(result["metrics"]["test_mse_ratio"]["mean"], 2.5, "the outlier does not set the scale of b")
        self.assertLessEqual({row["name"] for row in result["coefficients"]}, {"a", "b", "kind=red", "kind=green", "kind=blue"})
        told = self.sotto(*wish).stderr
        self.assertIn("sotto: warning: the column number looks like an identifier", told)
        self.assertIn("--leave-out number", told)
        given = self.json(*wish, "--leave-out", "number", "--levels", "kind=red", "--missing-feature", "a")
        self.assertNotIn("kind holds text", "\n".join(given["notes"]))
        self.assertLessEqual({row["name"] for row in given["coefficients"]}, {"a", "a is missing", "b", "kind=red", "kind=other"})

    def test_a_target_in_words_is_a_class_of_which_one_level_is_named(self):
        wish = (*self.mixed(), "--target", "class", "--leave-out", "y", "--leave-out", "number", "--link", "logistic")
        result = self.json(*wish, "--positive", "yes")
        self.assertLess(result["metrics"]["test_error"]["mean"], 0.3)
        self.assertIn("data.constant_target", self.sotto(*wish, "--positive", "Yes", code=REFUSED).stderr)
        for levels in ("kind", "=a", "kind=", "kind=a,a", "kind=a,"):
            self.assertIn("data.bad_levels", self.sotto(*wish, "--positive", "yes", "--levels", levels, code=REFUSED).stderr)
        self.assertIn("data.unknown_column", self.sotto(*wish, "--positive", "yes", "--levels", "color=a", code=REFUSED).stderr)

    def test_rows_of_a_file_are_records_of_protocols_that_collect_once(self):
        wish = self.mixed()[:3]
        left = ("--leave-out", "number", "--leave-out", "class")
        line = self.json(*wish, *left, "--target", "y", "--protocol", "projected-regression", "--epsilon", 8)
        self.assertEqual((line["reports"]["count"], line["protocol"]), (2400, "projected-regression"))
        self.assertLess(line["metrics"]["test_mse_ratio"]["mean"], 0.5 * line["metrics"]["mean_mse_ratio"]["mean"])
        self.assertTrue(any("computed from the training rows" in text for text in line["assumed_public"]))
        classes = (*wish, "--target", "class", "--positive", "yes", "--leave-out", "number", "--leave-out", "y", "--protocol", "smooth-glm", "--epsilon", 8)
        glm = self.json(*classes, "--mechanism", "direct")["metrics"]
        self.assertLess(glm["test_error"]["mean"], 0.6 * glm["test_error_chance"]["mean"])
        self.assertIn("--mechanism direct needs fewer", self.sotto(*classes, code=REFUSED).stderr)
        draw = random.Random(5)
        rows = [(t, 50 + 8 * math.sin(t / 3) + draw.gauss(0, 1)) for t in (draw.uniform(10, 30) for _ in range(8000))]
        (self.work / "curve.csv").write_text("t,y\n" + "".join(f"{t:.3f},{y:.3f}\n" for t, y in rows))
        curve = self.json("simulate", "--data", "curve.csv", "--target", "y", "--protocol", "kernel-ridge", "--epsilon", 4, "--out", "curve")
        self.assertLess(curve["metrics"]["test_mse"]["mean"], 0.25, "of 1, the mean's")
        (self.work / "asked.csv").write_text("t\n14\n23\n")
        low, high = map(float, self.sotto("predict", "curve", "asked.csv").stdout.split()[1:])
        self.assertTrue(38 < low < 47 and 53 < high < 63, (low, high))
        (self.work / "means.csv").write_text("a,b,c,d\n" + "".join(f"{draw.gauss(3, 1):.3f},{draw.gauss(0, 1):.3f},{draw.gauss(0, 1):.3f},{draw.gauss(-2, 1):.3f}\n" for _ in range(6000)))
        mean = self.json("simulate", "--data", "means.csv", "--protocol", "sparse-mean", "--mechanism", "direct", "--epsilon", 4)
        self.assertLess(mean["metrics"]["l2_error"]["mean"], 0.3 * mean["metrics"]["mean_length"]["mean"])
        self.assertEqual({row["name"] for row in mean["coefficients"] if row["found"]}, {"a", "d"})

    def test_arguments_that_do_not_go_together(self):
        (self.work / "good.csv").write_text(GOOD)
        self.assertIn("--target", self.sotto("simulate", "--data", "good.csv", "--epsilon", 4, code=USAGE).stderr)
        for share in (1.5, "nan"):
            self.sotto("simulate", "--data", "good.csv", "--target", "y", "--test-share", share, "--epsilon", 4, code=USAGE)
        self.sotto("simulate", "--data", "good.csv", "--target", "y", "--transform", "root", "--epsilon", 4, code=USAGE)
        over = self.sotto("simulate", "--data", "good.csv", "--target", "y", "--epsilon", 12.5, "--out", "made", code=REFUSED)
        self.assertIn("code: study.bad_epsilon", over.stderr)
        self.assertFalse((self.work / "made").exists())


if __name__ == "__main__":
    main()
