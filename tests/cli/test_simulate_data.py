# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto simulate --data: what it learns from a file of users, and bad files that are refused by file and line."""

import gzip
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
        self.bad(GOOD.replace("u1,", "u1,nan,", 1).replace("nan,3,", "nan,", 1), "data.not_finite", "bad.csv:5:", "a is not a finite")
        self.bad("\n".join(lines[:7] + ["u3,1,inf,3,4"]), "data.not_finite", "bad.csv:8:", "b is not a finite")
        self.bad("\n".join(lines[:7] + ["u3,1,red,3,4"]), "data.not_a_number", "bad.csv:8:", "(red)", "meta_b")
        self.bad("\n".join(lines[:7] + ["u3,1,,3,4"]), "data.not_a_number", "bad.csv:8:", "b is missing")
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
