# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto fit: what it refuses, by name and with the fix."""

from fit_case import FitCase
from sotto_case import INPUT_OUTPUT, REFUSED, USAGE, main


class FitRefusals(FitCase):
    def test_what_cannot_be_done_is_refused_by_name(self):
        for code, options in (("fit.bad_nonzeros", ("--epsilon", 1, "--nonzeros", 0)), ("fit.bad_nonzeros", ("--epsilon", 1, "--nonzeros", 7)),
                              ("accountant.bad_delta", ("--epsilon", 1, "--delta", 0)), ("accountant.bad_epsilon", ("--epsilon", 0)),
                              ("accountant.bad_epsilon", ("--epsilon", -2)), ("accountant.bad_epsilon", ("--epsilon", 1000)), ("fit.no_epsilon", ()), ("fit.bad_folds", ("--epsilon", 1, "--folds", 1)),
                              ("data.unknown_column", ("--epsilon", 1, "--target", "z")), ("data.bad_bound", ("--epsilon", 1, "--scale", "none"))):
            wish = ["fit", self.rows(50), "--leave-out", "id", *options]
            ran = self.sotto(*wish, *(() if "--nonzeros" in options else ("--nonzeros", 2)), code=REFUSED)
            self.assertIn(f"code: {code}", ran.stderr)
            self.assertIn("fix:", ran.stderr)
        for code, text in (("data.bad_label", "y,a\n0,1\n7,2\n"), ("data.not_finite", "y,a\n0,inf\n1,2\n"), ("data.constant_target", "y,a\n1,3\n1,2\n"),
                           ("data.text_column", "y,a\n0,red\n1,2\n"), ("data.not_a_date", "y,a,b\n0,2024-03-01,1\n1,2,3\n")):
            (self.work / "bad.csv").write_text(text)
            self.assertIn(code, self.sotto("fit", "bad.csv", "--nonzeros", 1, "--epsilon", 1, code=REFUSED).stderr)
        self.sotto("fit", "nowhere.csv", "--nonzeros", 1, "--epsilon", 1, code=INPUT_OUTPUT)
        self.assertIn("fit.bad_synthetic", self.sotto("fit", "--synthetic", "80,8,2", "--loss", "logistic", "--nonzeros", 1, "--epsilon", 1, code=REFUSED).stderr)
        self.assertIn("fit.too_large", self.sotto("fit", "--synthetic", "100,16777217,5", "--nonzeros", 5, "--epsilon", 1, code=REFUSED).stderr)
        (self.work / "wide.svm").write_text("1 1:1\n0 2:1 16777216:1\n" * 3)
        self.assertIn("data.no_feature_count", self.sotto("fit", "wide.svm", "--scale", "rows", "--nonzeros", 1, "--epsilon", 1, code=REFUSED).stderr)
        self.assertIn("fit.bad_synthetic", self.sotto("fit", "--synthetic", "8,3,4", "--nonzeros", 1, "--epsilon", 1, code=REFUSED).stderr)

    def test_the_protected_rows_are_no_public_test(self):
        wish = ("fit", self.words(300, "words.csv"), "--target", "class", "--positive", "yes", "--leave-out", "y", "--levels", "kind=red", "--epsilon", 4, "--folds", 0)
        (self.work / "copy.csv").write_bytes((self.work / "words.csv").read_bytes())
        (self.work / "link.csv").symlink_to("words.csv")
        for name in ("words.csv", "./words.csv", "copy.csv", "link.csv"):
            ran = self.sotto(*wish, "--test", name, "--out", "out", code=REFUSED)
            self.assertIn("fit.test_is_data", ran.stderr)
            self.assertFalse((self.work / "out").exists())

    def test_a_budget_out_of_range_is_told_which_way_to_go(self):
        wish = ("fit", self.rows(50), "--leave-out", "id", "--nonzeros", 2, "--folds", 0)
        for options, code, fix in ((("--epsilon", 1000), "accountant.bad_epsilon", "lower --epsilon"), (("--epsilon", 60), "fit.overspent", "lower --epsilon"),
                                   (("--epsilon", 1, "--delta", "1e-40"), "fit.overspent", "raise --delta")):
            ran = self.sotto(*wish, *options, code=REFUSED)
            self.assertIn(f"code: {code}", ran.stderr)
            self.assertIn(f"fix:  {fix}", ran.stderr)

    def test_bounds_that_cannot_be_calculated_with_are_refused(self):
        wish = ("fit", self.rows(50), "--leave-out", "id", "--scale", "none", "--loss", "linear", "--nonzeros", 2, "--epsilon", 0.1, "--folds", 0)
        good = {"--row-bound": 2, "--value-bound": 1, "--target-bound": 1}
        self.sotto(*wish, *(part for pair in good.items() for part in pair))
        for option in good:
            for bad in ("1e-200", "1e-31", "1e31", "1e300", "0", "-1"):
                bounds = [part for pair in {**good, option: bad}.items() for part in pair]
                ran = self.sotto(*wish, *bounds, code=REFUSED)
                self.assertIn("code: data.bad_bound", ran.stderr)
                self.assertIn(option, ran.stderr)
        for option in ("--step-size", "--l1-radius"):
            self.assertIn(option, self.sotto(*self.fit("--epsilon", 1, option, "1e-200"), code=USAGE).stderr)

    def test_what_is_not_a_number_is_no_option(self):
        for option in ("--row-bound", "--value-bound", "--target-bound", "--moments-share", "--epsilon", "--delta", "--l2", "--step-size", "--l1-radius"):
            for bad in ("nan", "inf"):
                wish = ("fit", self.rows(50), "--leave-out", "id", "--nonzeros", 2, *(() if option == "--epsilon" else ("--epsilon", 1)))
                self.assertIn(f"{bad} is not a finite number", self.sotto(*wish, option, bad, code=USAGE).stderr)

    def test_a_model_whose_numbers_were_lost_is_not_given_out(self):
        wish = self.fit("--epsilon", 1, "--folds", 0, "--method", "dp-iht", "--l2", "1e30", "--step-size", "1e30", "--out", "out")
        self.assertIn("code: fit.diverged", self.sotto(*wish, code=REFUSED).stderr)
        self.assertFalse((self.work / "out/fit.json").exists())

    def test_synthetic_rows_take_no_options_of_a_file(self):
        for options in (("--row-bound", -1), ("--value-bound", 1), ("--target-bound", 2), ("--scale", "rows"), ("--scales", "scales.csv"),
                        ("--transform", "log"), ("--target", "z"), ("--leave-out", "id"), ("--libsvm",), ("--features", 3), ("--moments-share", 0.2)):
            ran = self.sotto("fit", "--synthetic", "80,8,2", "--nonzeros", 2, "--epsilon", 1, *options, code=USAGE)
            self.assertIn("--synthetic", ran.stderr)
            self.assertIn(options[0], ran.stderr)


if __name__ == "__main__":
    main()
