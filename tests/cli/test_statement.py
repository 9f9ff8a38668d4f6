# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Every number of a privacy statement, computed again from the printed integers in 60 digits."""
import re
from decimal import Decimal, getcontext
from fractions import Fraction

from sotto_case import SottoCase, main

getcontext().prec = 60
TWO_32 = 2**32
CHANNELS = (
    'kind = "vote"\nfeatures = 8',
    'kind = "vote"\nfeatures = 1024',
    'kind = "bin"\nbins = 12',
    'kind = "bin"\nbins = 64\nmechanism = "hadamard_response"',
    'kind = "block"\nfeatures = 40\nwidth = 3\nflips = 0',
    'kind = "block"\nfeatures = 40\nwidth = 11',
    'kind = "value"',
    'kind = "value"\noutcomes = 16\nwidth = 4',
    'kind = "direction"\ndimension = 9\nmechanism = "hemisphere"',
    'kind = "direction"\ndimension = 9\nmechanism = "sphere_code"',
    'kind = "direction"\ndimension = 40\nmechanism = "cross_polytope"',
)
LAPLACE = 'kind = "value"\nmechanism = "laplace"\nradius = 16'
STEMS = {"grr", "walsh_hash", "hadamard_response", "block", "window", "hemisphere", "sphere_code", "cross_polytope"}
EPSILONS = ("0.25", "0.7", "1", "2.000000001", "4", "8", "12")
POINTS = [(epsilon, delta) for epsilon in ("0.5", "1", "2", "4", "8") for delta in ("1e-3", "1e-5", "1e-6", "1e-8")]
LABEL = ('kind = "label-iht"\nlabel = "gaussian"\ndevices = 20000\nfeatures = 12\nsparsity = 3')
VECTOR = ('kind = "sparse-mean-once"\nmechanism = "paper"\ndevices = 1000000\nfeatures = 64\nsparsity = 8')


def decimal(fraction):
    return Decimal(fraction.numerator) / Decimal(fraction.denominator)


def unit_of(printed):
    """The value of the last printed digit."""
    return Decimal(1).scaleb(Decimal(printed).as_tuple().exponent)


class Statement(SottoCase):
    def text(self, head, epsilon, delta=None):
        (self.work / "study.toml").write_text(
            f'name = "grid"\n[privacy]\nepsilon = {epsilon}\n{"" if delta is None else f"delta = {delta}"}\n'
            f'[study]\nauthenticated = false\nsamples = 1\n{head}\n')
        return self.sotto("study", "study.toml").stdout

    def number(self, pattern, text):
        found = re.search(pattern, text)
        self.assertIsNotNone(found, f"{pattern} is not in\n{text}")
        return found.group(1)

    def near(self, printed, value, why):
        """As many digits as are printed, rounded to nearest."""
        self.assertLessEqual(abs(Decimal(printed) - value), unit_of(printed) * Decimal("0.5000001"), f"{why}: {printed} for {value}")

    def least_above(self, printed, value, why):
        """Rounded up, and by less than one in the last digit."""
        self.assertGreaterEqual(Decimal(printed), value, f"{why}: {printed} for {value}")
        self.assertLess(Decimal(printed) - value, unit_of(printed), f"{why}: {printed} for {value}")

    def promise(self, text, epsilon, delta=Decimal(0)):
        """The factor and the best guess, which every statement has."""
        factor = Decimal(epsilon).exp()
        self.assertEqual(self.number(r"e\^([0-9.]+) = ", text), epsilon)
        self.near(self.number(r"e\^[0-9.]+ = ([0-9.e+]+) times", text), factor, "e^epsilon")
        self.least_above(self.number(r"guesses right at most ([0-9.]+) of", text), (factor + delta) / (1 + factor), "best guess")
        self.assertEqual("This is weak" in text, Decimal(epsilon) > 4)

    def channel(self, text, epsilon):
        outcomes, inside, threshold = (int(self.number(rf"{name} = ([0-9]+)", text)) for name in "MkT")
        self.near(self.number(r"with probability ([0-9.]+)\.", text), decimal(Fraction(threshold, TWO_32)), "truth")
        ratio = Fraction(threshold * (outcomes - inside), inside * (TWO_32 - threshold))
        loss = abs(decimal(ratio).ln()) * 10**9
        self.assertLessEqual(loss, Decimal(epsilon) * 10**9)
        delivered = int(self.number(r"\(([0-9]+) of [0-9]+ nano-nats\)", text))
        self.assertTrue(loss <= delivered < loss + 3, f"delivered {delivered} for {loss}")
        self.promise(text, epsilon)
        self.assertNotIn("A single report can tell more", text)
        return outcomes, inside, threshold

    def test_every_channel_at_every_epsilon(self):
        stems = set()
        for question in CHANNELS:
            for epsilon in EPSILONS:
                with self.subTest(question=question, epsilon=epsilon):
                    text = self.text(f"[question]\n{question}", epsilon)
                    stem = self.number(r"randomizer  (\w+)", text)
                    stems.add(stem)
                    self.assertIn(", delta 0\n", text)
                    self.weight(text, stem, *self.channel(text, epsilon))
        self.assertEqual(stems, STEMS)

    def weight(self, text, stem, outcomes, inside, threshold):
        """What one false report of a vote weighs: it supports a feature surely, an honest one by p, another by q."""
        if "One false report" not in text:
            return
        p = Fraction(threshold, TWO_32)
        q = (1 - p) / (outcomes - 1) if stem == "grr" else Fraction(1, outcomes)
        self.near(self.number(r"for one feature as ([0-9.e+]+) honest", text), decimal((1 - q) / (p - q)), "weight")

    def test_laplace_is_pure(self):
        for epsilon in ("0.25", "0.7", "1", "2.000000001"):
            text = self.text(f"[question]\n{LAPLACE}", epsilon)
            self.promise(text, epsilon)
            self.assertNotIn("A single report can tell more", text)

    def noise(self, text, epsilon, delta):
        """Variance, dimension and radius of a Gaussian study, after what all of them say was checked."""
        variance, numbers, radius = (int(n) for n in re.search(
            r"variance ([0-9]+) in ([0-9]+) numbers of a ball of radius ([0-9]+)", text).groups())
        self.near(self.number(r"standard deviation of ([0-9.e+]+) times", text), Decimal(variance).sqrt() / radius, "noise")
        self.assertEqual(Decimal(self.number(r"any other answer, plus ([0-9.e-]+)\.", text)), Decimal(delta))
        self.assertIn("every set of reports has at most e^", text)
        self.assertNotIn("no report is more than", text)
        self.promise(text, epsilon, Decimal(delta))
        return variance, numbers, radius

    def beyond(self, text):
        return self.number(r"with a chance of at most ([0-9.e-]+) it is", text)

    def test_one_gaussian_number_states_the_chance_of_its_own_law(self):
        for epsilon, delta in POINTS:
            with self.subTest(epsilon=epsilon, delta=delta):
                text = self.text(f"[protocol]\n{LABEL}", epsilon, delta)
                variance, numbers, radius = self.noise(text, epsilon, delta)
                self.assertEqual(numbers, 1)
                chance, sets = discrete_chance(variance, radius, Decimal(epsilon))
                self.least_above(self.beyond(text), chance, "P(loss > epsilon)")
                self.assertLessEqual(sets, Decimal(delta))  # what is promised of sets holds
                self.assertGreater(chance, Decimal(delta))  # and is no bound of this chance

    def test_a_gaussian_vector_states_a_bound_that_holds_along_an_axis(self):
        for epsilon, delta in POINTS:
            with self.subTest(epsilon=epsilon, delta=delta):
                text = self.text(f"[protocol]\n{VECTOR}", epsilon, delta)
                variance, numbers, radius = self.noise(text, epsilon, delta)
                self.assertGreater(numbers, 1)
                rho = Decimal((2 * radius)**2) / (2 * variance)
                bound = (-(Decimal(epsilon) - rho)**2 / (4 * rho)).exp()
                self.least_above(self.beyond(text), bound, "bound of P(loss > epsilon)")
                self.assertGreater(bound, discrete_chance(variance, radius, Decimal(epsilon))[0])

    def test_a_fit_promises_the_exponential_of_what_it_delivers(self):
        for epsilon, delta in (("0.5", "1e-06"), ("2", "0.001"), ("8", "1e-05")):
            privacy = self.json("fit", "--synthetic", "200,10,2", "--nonzeros", 2, "--epsilon", epsilon, "--delta", delta)["privacy"]
            text, delivered = " ".join(privacy["statement"]), Decimal(privacy["epsilon_delivered"])
            self.assertLessEqual(delivered, Decimal(epsilon))
            self.near(self.number(r"every set of models has at most e\^([0-9.]+) = ", text), delivered, "epsilon")
            self.near(self.number(r"at most e\^[0-9.]+ = ([0-9.e+]+) times the chance", text), delivered.exp(), "e^epsilon")
            self.assertEqual(self.number(r"times the chance, plus ([0-9.e-]+)\.", text), delta)

    def fit(self, *more):
        return self.json("fit", "--synthetic", "400,10,2", "--nonzeros", 2, "--epsilon", 2, "--delta", "1e-06", *more)

    def test_two_contents_of_a_row_are_two_steps_apart_in_epsilon_and_delta(self):
        # P(A|x) <= e^e P(A|blank) + d <= e^e (e^e P(A|y) + d) + d: twice epsilon, and delta 1 + e^epsilon times.
        words = "epsilon is up to twice as large, and delta up to 1 + e^epsilon times."
        self.assertIn(words, " ".join(self.fit("--adjacency", "add-remove")["privacy"]["statement"]))
        self.assertNotIn("twice", " ".join(self.fit("--adjacency", "replace-one")["privacy"]["statement"]))

    def test_the_statement_says_how_the_method_clips(self):
        for method, in_doubles in (("dp-iht", False), ("peeling", False), ("select-fit", False), ("dpsl-kt", True), ("two-stage", True)):
            with self.subTest(method=method):
                text = " ".join(self.fit("--method", method)["privacy"]["statement"])
                self.assertEqual("Rows were clipped before anything was drawn, exactly and in whole numbers" in text, not in_doubles)
                self.assertEqual("a loss was minimised in doubles: the noise covers a gradient of up to 1e-10" in text, in_doubles)

    def test_a_page_says_what_its_command_does(self):
        for more, is_drawn in (((), True), (("--seed", 3), False), (("--no-privacy",), False)):
            with self.subTest(more=more):
                self.sotto("fit", "--synthetic", "200,10,2", "--nonzeros", 2, "--epsilon", 2, "--delta", "1e-06", "--out", f"page{len(more)}{is_drawn}{more[:1]}", *more)
                page = (self.work / f"page{len(more)}{is_drawn}{more[:1]}" / "report.html").read_text(encoding="utf-8")
                self.assertEqual("draws another model from the same rows, and spends epsilon and delta once more" in page, is_drawn)
                self.assertEqual("Make this model again" in page, not is_drawn)


def discrete_chance(variance, radius, epsilon):
    """P(loss > epsilon) and sum max(0, P(r|x) - e^epsilon P(r|x')) of answers 2 radius apart, summed outcome by outcome."""
    getcontext().prec = 30
    shift, reach = 2 * radius, int(12 * Decimal(variance).sqrt()) + 2 * radius + 2
    # exp(-z^2/2v) by products: exp(-(z+1)^2/2v) = exp(-z^2/2v) * step, and step falls by exp(-1/v) each time.
    mass, step, fall = [Decimal(1)], (Decimal(-1) / (2 * variance)).exp(), (Decimal(-1) / variance).exp()
    while len(mass) <= reach + shift:
        mass.append(mass[-1] * step)
        step *= fall
    factor, total, beyond, excess = epsilon.exp(), 2 * sum(mass) - 1, Decimal(0), Decimal(0)
    for z in range(-reach, reach + 1):
        here, there = mass[abs(z)], factor * mass[abs(z + shift)]
        if here > there:
            beyond += here
            excess += here - there
    getcontext().prec = 60
    return beyond / total, excess / total


if __name__ == "__main__":
    main()
