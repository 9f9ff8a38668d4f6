# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto study: what a good file compiles to."""

import math

from sotto_case import SOURCE, SottoCase, main


class Study(SottoCase):
    def compiled(self, question, epsilon=4):
        return self.json("study", self.study(privacy=f"epsilon = {epsilon}", question=question))

    def channel(self, question, epsilon=4):
        c = self.compiled(question, epsilon)["channel"]
        return c["stem"], c["outcomes"], c["inside"], c["threshold"]

    def test_every_example_compiles(self):
        examples = sorted((SOURCE / "examples").glob("*.toml"))
        self.assertGreaterEqual(len(examples), 5)
        for example in examples:
            self.assertIn("What one report tells", self.sotto("study", example).stdout)

    def test_a_vote_shows_its_integers_and_never_delivers_more_than_it_declares(self):
        result = self.compiled('kind = "vote"\nfeatures = 1023', epsilon=2)
        self.assertEqual(result["channel"]["stem"], "walsh_hash")
        self.assertEqual((result["channel"]["outcomes"], result["channel"]["inside"], result["channel"]["threshold"]), (8, 1, 2205548027))
        self.assertEqual(result["channel"]["payload_bits"], 3)
        self.assertEqual(len(result["channel"]["digest"]), 64)
        self.assertEqual(result["privacy"]["epsilon_nano"], 2_000_000_000)
        self.assertLessEqual(result["privacy"]["epsilon_delivered_nano"], 2_000_000_000)
        self.assertGreater(result["privacy"]["epsilon_delivered_nano"], 1_999_999_990)
        self.assertEqual(result["privacy"]["delta"], 0)

    def test_thresholds_are_the_certified_constants(self):
        self.assertEqual(self.channel('kind = "value"'), ("window", 12, 3, 4071263897))
        self.assertEqual(self.channel('kind = "direction"\ndimension = 256\nmechanism = "cross_polytope"'), ("cross_polytope", 512, 33, 3392939760))
        self.assertEqual(self.channel('kind = "vote"\nfeatures = 3', 1)[:3], ("grr", 4, 1))

    def test_overrides_are_taken_as_written(self):
        self.assertEqual(self.channel('kind = "value"\noutcomes = 16\nwidth = 4'), ("window", 16, 4, 4071263897))
        self.assertEqual(self.channel('kind = "direction"\ndimension = 9\nmechanism = "sphere_code"\ncodewords = 2048\nclosest = 70')[:3],
                         ("sphere_code", 2048, 70))
        self.assertEqual(self.channel('kind = "direction"\ndimension = 9\nmechanism = "hemisphere"')[:3], ("hemisphere", 2, 1))
        self.assertEqual(self.channel('kind = "bin"\nbins = 64\nmechanism = "hadamard_response"')[:3], ("hadamard_response", 128, 64))
        self.assertEqual(self.channel('kind = "block"\nfeatures = 40\nwidth = 3\nflips = 0')[:3], ("block", 8, 1))

    def test_laplace_has_bits_in_place_of_a_threshold(self):
        result = self.compiled('kind = "value"\nmechanism = "laplace"\nradius = 16')
        self.assertEqual(result["channel"]["stem"], "laplace")
        self.assertNotIn("threshold", result["channel"])
        self.assertIsNone(result["privacy"]["truth_probability"])

    def test_epsilon_is_taken_to_the_nano_nat_and_never_rounded_up(self):
        for written, nano in (("0.7", 700_000_000), ("1", 1_000_000_000), ("2.000000001", 2_000_000_001), ("12", 12_000_000_000),
                              ("0.9999999999", 999_999_999)):
            self.assertEqual(self.compiled('kind = "vote"\nfeatures = 8', epsilon=written)["privacy"]["epsilon_nano"], nano)

    def test_the_statement_is_made_of_the_channels_own_numbers(self):
        result = self.compiled('kind = "vote"\nfeatures = 256', epsilon=8)
        privacy = result["privacy"]
        self.assertAlmostEqual(privacy["truth_probability"], 0.92, places=2)
        self.assertAlmostEqual(privacy["factor"], math.exp(8), delta=0.001)
        self.assertAlmostEqual(privacy["best_guess"], math.exp(8) / (1 + math.exp(8)), places=9)
        self.assertIn("says the truth with probability 0.92", " ".join(privacy["statement"]))

    def test_above_4_nats_the_statement_says_weak(self):
        for epsilon, weak in ((4, False), ("4.000000001", True), (8, True)):
            privacy = self.compiled('kind = "vote"\nfeatures = 8', epsilon=epsilon)["privacy"]
            self.assertEqual(privacy["weak"], weak)
            self.assertEqual("weak: close to reporting the answer itself" in " ".join(privacy["statement"]), weak)

    def test_the_digest_changes_with_every_parameter(self):
        digests = {self.compiled(f'kind = "vote"\nfeatures = {d}', e)["channel"]["digest"] for d in (8, 9) for e in (1, "1.000000001")}
        self.assertEqual(len(digests), 4)

    def test_names_count_the_features(self):
        result = self.compiled('kind = "vote"\nnames = ["a", "b", "c"]')
        self.assertEqual(result["question"]["features"], ["a", "b", "c"])
        self.assertEqual(result["channel"]["outcomes"], 4)


if __name__ == "__main__":
    main()
