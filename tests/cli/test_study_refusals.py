# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto study: every bad file is refused by name, with the line, the value and the fix."""

from sotto_case import SottoCase, main

LINE = "study.toml:3: privacy.epsilon"  # name, [privacy], epsilon


class Refusals(SottoCase):
    def test_epsilon_zero(self):
        for zero in ("0", "0.0", "-0.0"):
            self.refused("study.bad_epsilon", LINE, "zero", privacy=f"epsilon = {zero}")

    def test_epsilon_negative(self):
        self.refused("study.bad_epsilon", LINE, "negative", "(-1)", privacy="epsilon = -1")

    def test_epsilon_not_a_number(self):
        self.refused("study.bad_epsilon", LINE, "is not a number", privacy="epsilon = nan")

    def test_epsilon_infinite(self):
        for infinite in ("inf", "-inf"):
            self.refused("study.bad_epsilon", LINE, "infinite", privacy=f"epsilon = {infinite}")

    def test_epsilon_as_a_string(self):
        self.refused("study.wrong_type", LINE, "a string", "without quotes", privacy='epsilon = "1.0"')

    def test_epsilon_above_12(self):
        for large in ("12.000000001", "13", "1e300"):
            self.refused("study.bad_epsilon", LINE, "above 12 nats", privacy=f"epsilon = {large}")

    def test_epsilon_below_a_nano_nat(self):
        self.refused("study.bad_epsilon", LINE, "below one nano-nat", privacy="epsilon = 1e-10")

    def test_epsilon_too_small_for_32_bit_coins(self):
        # 2^32/127 is no integer, and no integer beside it is within a nano-nat.
        self.refused("study.bad_epsilon", LINE, "too small", privacy="epsilon = 0.000000001", question='kind = "value"\noutcomes = 127\nwidth = 1')

    def test_epsilon_above_the_cap(self):
        self.refused("study.over_cap", LINE, "cap of 2 nats", "(2.000000001)", privacy="epsilon = 2.000000001\ncap = 2")

    def test_a_bad_cap(self):
        self.refused("study.bad_epsilon", "study.toml:4: privacy.cap", privacy="epsilon = 1\ncap = 0")

    def test_dimension_0_and_1(self):
        for d in (0, 1, -3):
            self.refused("study.bad_dimension", "study.toml:6: question.features", f"({d})", question=f'kind = "vote"\nfeatures = {d}')
            self.refused("study.bad_dimension", "study.toml:6: question.dimension", f"({d})", question=f'kind = "direction"\ndimension = {d}')
            self.refused("study.bad_dimension", "study.toml:6: question.bins", f"({d})", question=f'kind = "bin"\nbins = {d}')

    def test_too_many_features(self):
        self.refused("study.bad_dimension", "16777215", question='kind = "vote"\nfeatures = 16777216')
        self.refused("study.bad_dimension", "question.features", question='kind = "vote"\nfeatures = 4294967298')

    def test_a_list_of_one_name(self):
        self.refused("study.bad_dimension", "question.names", question='kind = "vote"\nnames = ["only"]')

    def test_a_repeated_name(self):
        self.refused("study.bad_value", "question.names", "repeated", question='kind = "vote"\nnames = ["a", "b", "a"]')

    def test_names_and_features_that_disagree(self):
        self.refused("study.bad_value", "question.features", "(3)", question='kind = "vote"\nnames = ["a", "b"]\nfeatures = 3')

    def test_k_above_m(self):
        self.refused("study.bad_channel", "study.toml:9: question.closest", "(65)", "k < M",
                     question='kind = "direction"\ndimension = 9\nmechanism = "sphere_code"\ncodewords = 64\nclosest = 65')
        self.refused("study.bad_channel", "question.closest", "(64)",
                     question='kind = "direction"\ndimension = 9\nmechanism = "sphere_code"\ncodewords = 64\nclosest = 64')
        self.refused("study.bad_channel", "question.width", "(12)", "k < M", question='kind = "value"\noutcomes = 12\nwidth = 12')
        self.refused("study.bad_channel", "question.closest", "(65)",
                     question='kind = "direction"\ndimension = 64\nmechanism = "cross_polytope"\nclosest = 65')
        self.refused("study.bad_channel", "question.flips", "(4)", question='kind = "block"\nfeatures = 9\nwidth = 4\nflips = 4')

    def test_a_parameter_without_its_mechanism(self):
        self.refused("study.bad_value", "question.closest", "add mechanism", question='kind = "direction"\ndimension = 9\nclosest = 4')

    def test_a_laplace_range_that_the_noise_does_not_cover(self):
        self.refused("study.bad_channel", "study.toml:7: question.radius", "(8)", privacy="epsilon = 12",
                     question='kind = "value"\nmechanism = "laplace"\nradius = 8')

    def test_a_dimension_beyond_the_mechanism(self):
        self.refused("study.bad_dimension", "(65)", "use cross_polytope", question='kind = "direction"\ndimension = 65\nmechanism = "sphere_code"')

    def test_an_unknown_key_with_a_guess_at_what_was_meant(self):
        self.refused("study.unknown_key", "study.toml:3: there is no key privacy.epsilom", "did you mean privacy.epsilon?", privacy="epsilom = 1.0")
        self.refused("study.unknown_key", "study.toml:7", "did you mean question.features?", question='kind = "vote"\nfeatures = 8\nfeature = 8')
        self.refused("study.unknown_key", "there is no key colour", "the keys here are: name, privacy, protocol, question", name='name = "x"\ncolour = "red"')
        self.refused("study.unknown_key", "there is no key question.width", question='kind = "vote"\nfeatures = 8\nwidth = 2')

    def test_a_missing_key(self):
        self.refused("study.missing_key", "study.toml:2: privacy.epsilon is missing", "add epsilon to [privacy]", privacy="")
        self.refused("study.missing_key", "name is missing", name="")
        self.refused("study.missing_key", "question.kind is missing", question="features = 8")
        self.refused("study.missing_key", "question.features is missing", question='kind = "vote"')

    def test_an_unknown_kind(self):
        self.refused("study.bad_value", "study.toml:5: question.kind", 'did you mean "vote"?', question='kind = "votes"\nfeatures = 8')
        self.refused("study.bad_value", "vote, bin, block, value, direction", question='kind = "synopsis"\nfeatures = 8')

    def test_wrong_types(self):
        self.refused("study.wrong_type", "whole number", "a string", question='kind = "vote"\nfeatures = "8"')
        self.refused("study.wrong_type", "whole number", question='kind = "vote"\nfeatures = 8.5')
        self.refused("study.wrong_type", "name", name="name = 3")
        self.refused("study.wrong_type", "an array", privacy="epsilon = [1]")

    def test_what_is_not_toml(self):
        self.refused("study.syntax", "study.toml:3", privacy="epsilon = = 1")
        self.refused("study.syntax", "study.toml:", privacy="epsilon = 1,0")

    def test_an_integer_beyond_64_bits(self):
        self.refused("study.syntax", "study.toml:6", question='kind = "vote"\nfeatures = 99999999999999999999')


if __name__ == "__main__":
    main()
