# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto bench: the table that it prints."""

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

    def test_a_bench_must_be_named_and_last_some_time(self):
        self.sotto("bench", code=USAGE)
        self.sotto("bench", "randomizers", "--seconds", 0, code=USAGE)


if __name__ == "__main__":
    main()
