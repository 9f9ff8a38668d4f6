# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto audit: the table, the filters, captured reports and the exit code. What an audit can find is tested with the audit itself."""

import random

from sotto_case import REFUSED, USAGE, SottoCase, main

STEMS = {"grr", "walsh_hash", "vote", "hadamard_response", "block", "hemisphere", "cross_polytope", "sphere_code", "window",
         "laplace", "gaussian"}


class Audit(SottoCase):
    def test_every_randomizer_is_audited_and_none_shows_more_than_it_declares(self):
        result = self.json("audit", "--runs-factor", 1)
        self.assertEqual({row["stem"] for row in result["rows"]}, STEMS)
        self.assertLessEqual({"number", "top"}, {row["question"] for row in result["rows"]})
        for row in result["rows"]:
            self.assertLessEqual(row["epsilon_lower_bound"], row["epsilon_declared"])
            self.assertLessEqual(row["epsilon_delivered"], row["epsilon_declared"] + 1e-9)
            self.assertGreater(row["runs"], 1000)
            if row["asking"] != "once":
                self.assertIsNone(row["threshold_read"])
            elif row["stem"] == "gaussian":  # a variance, and an upper bound of it
                self.assertGreaterEqual(row["threshold_read"], row["threshold_certified"])
            else:
                self.assertEqual(row["threshold_read"], row["threshold_certified"])
                self.assertGreater(row["threshold_read"], 0)
        self.assertEqual(result["verdict"], "agrees")
        self.assertEqual({row["asking"] for row in result["rows"]}, {"once", "two rounds", "over cap"})
        alone = self.json("audit", "--runs-factor", 1, "--stem", "window")["rows"]
        self.assertEqual(alone, [row for row in result["rows"] if row["stem"] == "window"], "a part shows the same numbers")

    def test_the_table_ends_with_the_finding(self):
        text = self.sotto("audit", "--stem", "grr", "--question", "bin", "--runs-factor", 1).stdout
        self.assertIn("lower bound", text)
        self.assertTrue(text.endswith("No lower bound exceeds the declared epsilon, and the device draws as certified.\n"))

    def test_what_does_not_exist_is_a_usage_error_that_names_what_does(self):
        self.assertIn("cross_polytope", self.sotto("audit", "--stem", "rappor", code=USAGE).stderr)
        self.assertIn("vote_given", self.sotto("audit", "--question", "colour", code=USAGE).stderr)
        self.sotto("audit", "--question", "label", "--stem", "grr", code=USAGE)


class Captured(SottoCase):
    """Reports of another implementation: one byte each."""

    def capture(self, keep, runs=4000):
        rng, reports, truth = random.Random(5), [], []
        for i in range(runs):
            answer = i % 2
            reports.append(f"{answer if rng.random() < keep else 1 - answer:02x} time={100 + rng.randrange(3)}")
            truth.append(str(answer + 1))
        self.write("reports", reports)
        self.write("truth", truth)

    def write(self, name, lines):
        (self.work / name).write_text("\n".join(lines) + "\n")

    def audit(self, *more, **options):
        return self.json("audit", "--reports", self.work / "reports", "--truth", self.work / "truth", *more, **options)

    def test_an_honest_implementation_stays_below_its_epsilon(self):
        self.capture(0.88)  # ln(0.88/0.12) = 1.99
        rows = self.audit("--epsilon", 2)["rows"]
        self.assertEqual([row["asking"] for row in rows], ["captured", "timing"])
        self.assertLess(1, rows[0]["epsilon_lower_bound"])
        self.assertLessEqual(rows[0]["epsilon_lower_bound"], 2)
        self.assertEqual(rows[1]["epsilon_lower_bound"], 0, "time tells nothing here")

    def test_one_that_spends_more_is_found(self):
        self.capture(0.97)  # 3.48
        result = self.audit("--epsilon", 2, code=REFUSED)
        self.assertEqual(result["verdict"], "overspent")

    def test_bad_files_are_refused_by_name(self):
        self.capture(0.88, runs=100)
        self.assertEqual(self.audit("--epsilon", 2, code=REFUSED)["error"]["code"], "audit.too_few")
        self.write("truth", ["1"])
        self.assertEqual(self.audit("--epsilon", 2, code=REFUSED)["error"]["code"], "audit.unequal")
        self.assertEqual(self.audit(code=USAGE)["error"]["code"], "audit.no_promise")
        self.sotto("audit", "--reports", self.work / "reports", code=USAGE)


if __name__ == "__main__":
    main()
