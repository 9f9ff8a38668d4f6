# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto bench: the tables that it prints."""

from sotto_case import USAGE, SottoCase, main


class Bench(SottoCase):
    def test_randomizers_gives_rates_and_their_ratio_to_memcpy(self):
        result = self.json("bench", "randomizers", "--seconds", 0.01)
        for question in ("vote", "direction", "window"):
            row = result["decode"][question]
            self.assertGreater(row["reports_per_second"], 1000)
            self.assertGreater(result["encode"][question]["reports_per_second"], 100)
            self.assertAlmostEqual(row["memcpy_ratio"], row["memcpy_reports_per_second"] / row["reports_per_second"], delta=1e-6 * row["memcpy_ratio"])

    def test_the_table_names_every_question(self):
        text = self.sotto("bench", "randomizers", "--seconds", 0.01).stdout
        for question in ("vote", "direction", "window", "ratio"):
            self.assertIn(question, text)

    def test_local_gives_rates_and_their_ratio_to_eigen(self):
        result = self.json("bench", "local", "--seconds", 0.01)
        for answer in ("lasso", "screen", "least_squares"):
            row = result["local"][answer]
            self.assertGreater(row["users_per_second"], 1)
            self.assertAlmostEqual(row["eigen_ratio"], row["eigen_users_per_second"] / row["users_per_second"], delta=1e-6 * row["eigen_ratio"])
        self.assertIn("lasso", self.sotto("bench", "local", "--seconds", 0.01).stdout)

    def test_a_bench_must_be_named_and_last_some_time(self):
        self.sotto("bench", code=USAGE)
        self.sotto("bench", "randomizers", "--seconds", 0, code=USAGE)


if __name__ == "__main__":
    main()
