# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto audit: the table, the filter and the exit code. What an audit can find is tested with the audit itself."""

from sotto_case import USAGE, SottoCase, main

STEMS = {"grr", "walsh_hash", "vote", "hadamard_response", "block", "hemisphere", "cross_polytope", "sphere_code", "window",
         "laplace", "gaussian"}


class Audit(SottoCase):
    def test_every_randomizer_is_audited_and_none_shows_more_than_it_declares(self):
        result = self.json("audit", "--runs-factor", 1)
        self.assertEqual({row["stem"] for row in result["rows"]}, STEMS)
        for row in result["rows"]:
            self.assertLessEqual(row["epsilon_lower_bound"], row["epsilon_declared"])
            self.assertLessEqual(row["epsilon_delivered"], row["epsilon_declared"] + 1e-9)
            self.assertGreater(row["runs"], 1000)
        self.assertEqual(result["verdict"], "agrees")

    def test_one_randomizer_alone_shows_the_same_numbers(self):
        everything = [row for row in self.json("audit", "--runs-factor", 1)["rows"] if row["stem"] == "window"]
        self.assertEqual(self.json("audit", "--runs-factor", 1, "--stem", "window")["rows"], everything)

    def test_the_table_ends_with_the_finding(self):
        text = self.sotto("audit", "--stem", "grr", "--runs-factor", 1).stdout
        self.assertIn("lower bound", text)
        self.assertTrue(text.endswith("No lower bound exceeds the declared epsilon.\n"))

    def test_an_unknown_stem_is_a_usage_error_that_names_what_exists(self):
        self.assertIn("cross_polytope", self.sotto("audit", "--stem", "rappor", code=USAGE).stderr)


if __name__ == "__main__":
    main()
