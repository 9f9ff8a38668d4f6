# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto bench: the tables that it prints."""

from sotto_case import INPUT_OUTPUT, USAGE, SottoCase, main


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

    def test_cascade_gives_the_time_of_a_whole_study_and_its_ratio_to_the_lasso(self):
        result = self.json("bench", "cascade", "--seconds", 0.01)
        self.assertEqual(result["setting"], {"users": 400, "samples": 100, "dim": 256, "nonzeros": 8, "epsilon": 4})
        self.assertEqual((result["reports"]["used"], result["reports"]["refused"]), (400, 0))
        self.assertGreater(result["rounds"], 2)
        protocol = result["protocol"]
        parts = [protocol[f"{part}_seconds"] for part in ("vote_rounds", "estimation_rounds", "closing")]
        self.assertGreater(min(parts), 0)
        self.assertAlmostEqual(sum(parts), protocol["seconds"], delta=1e-6 * protocol["seconds"])
        self.assertAlmostEqual(protocol["reports_per_second"], 400 / protocol["seconds"], delta=1e-6 * protocol["reports_per_second"])
        self.assertAlmostEqual(result["lasso_ratio"], protocol["seconds"] / result["lasso"]["seconds"], delta=1e-6 * result["lasso_ratio"])
        self.assertIn("reports a second", self.sotto("bench", "cascade", "--seconds", 0.01).stdout)

    def test_fit_gives_a_pass_over_sparse_rows_and_its_ratio_to_two_products(self):
        result = self.json("bench", "fit", "--seconds", 0.01)
        self.assertAlmostEqual(result["pair_ratio"], result["pass_seconds"] / result["product_pair_seconds"], delta=1e-6 * result["pair_ratio"])
        self.assertLess(result["memory_ratio"], 2)
        self.assertLess(result["pair_ratio"], 4)  # 2 is promised; other programs share the caches here
        self.assertIn("one pass of dp-iht", self.sotto("bench", "fit", "--seconds", 0.01).stdout)

    def test_everyday_is_measured_beside_other_ways_to_ask_the_same_devices(self):
        told = self.json("bench", "everyday", "--users", 2000, "--repeat", 1, "--epsilon", 4)
        ways = {row["way"] for row in told["rows"]}
        self.assertEqual(ways, {"SW", "OLH", "OLH, norm-sub", "PEM", "Ma et al."})
        for row in told["rows"]:
            for side in ("sotto", "other"):
                self.assertTrue(row[side] is None or set(row[side]) == {"mean", "sd", "median"}, row)

    def test_columns_of_a_file_are_measured_beside_the_truth(self):
        lines = ["user,temperature"] + [f"u{i // 4},{20 + i * 7919 % 100 / 10}" for i in range(4000)]
        (self.work / "rows.csv").write_text("\n".join(lines) + "\n")
        told = self.json("bench", "columns", "rows.csv:temperature", "rows.csv:temperature:user", "--repeat", 2, "--epsilon", "4")
        self.assertEqual([row["devices"] for row in told["rows"]], [4000, 1000])
        for row in told["rows"]:
            for name in ("mean", "sd", "p50", "p90"):
                self.assertLess(abs(row[name]["estimate"]["mean"] - row[name]["truth"]), 2, (row["column"], name))
            self.assertGreater(row["histogram_l1"]["mean"], 0)
        self.assertIn("true", self.sotto("bench", "columns", "rows.csv:temperature", "--repeat", 1, "--epsilon", 4).stdout)
        self.sotto("bench", "columns", "rows.csv", code=USAGE)
        self.sotto("bench", "columns", "none.csv:temperature", code=INPUT_OUTPUT)

    def test_a_bench_must_be_named_and_last_some_time(self):
        self.sotto("bench", code=USAGE)
        self.sotto("bench", "randomizers", "--seconds", 0, code=USAGE)


if __name__ == "__main__":
    main()
