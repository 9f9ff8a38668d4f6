# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Lower bounds of epsilon from reports: what analyzer/src/audit computes, a second time and from docs/AUDIT.md alone.

Of the runs of each data set, every fourth teaches statistics, every fourth chooses one of them and its cut, and the other half measures
how often that event happens.
"""

import math

ALPHA = 1e-5          # of one row: a hundred rows err together with a chance of 1/1000
PLANNED_DEVIATIONS = 3.0
CUTS = 200
HEADER = 16


def incomplete_beta(a, b, x):
    """I_x(a, b), by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / max(1 - (a + b) * x / (a + 1), tiny)
    f = d
    for m in range(1, 2000):
        for step in (m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))):
            d = 1 + step * d
            c = 1 + step / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            f *= c * d
        if abs(c * d - 1) < 1e-14:
            break
    return front * f


def beta_quantile(a, b, p):
    low, high = 0.0, 1.0
    for _ in range(80):
        middle = (low + high) / 2
        if incomplete_beta(a, b, middle) < p:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def clopper_pearson_lower(hits, runs, alpha):
    return 0.0 if hits == 0 else beta_quantile(hits, runs - hits + 1, alpha)


def clopper_pearson_upper(hits, runs, alpha):
    return 1.0 if hits == runs else beta_quantile(hits + 1, runs - hits, 1 - alpha)


def epsilon_lower_bound(likely, rare, runs, alpha, delta):
    low, high = clopper_pearson_lower(likely, runs, alpha / 2) - delta, clopper_pearson_upper(rare, runs, alpha / 2)
    return math.log(low / high) if low > high else 0.0


def planned_bound(likely, rare, runs, delta):
    """Wilson intervals in place of exact ones: good enough to compare events."""
    def end(hits, sign):
        z, p = PLANNED_DEVIATIONS, hits / runs
        return (p + z * z / (2 * runs) + sign * z * math.sqrt(p * (1 - p) / runs + z * z / (4 * runs * runs))) / (1 + z * z / runs)
    low, high = end(likely, -1) - delta, end(rare, 1)
    return math.log(low / high) if low > high else 0.0


def ratio_table(first, second, symbol):
    """The score of an outcome: the log of how much more often its symbol came from the first data set."""
    counts = {}
    for which, outcomes in enumerate((first, second)):
        for outcome in outcomes:
            counts.setdefault(symbol(outcome), [0, 0])[which] += 1
    scores = {s: math.log((a + 0.5) / (b + 0.5)) for s, (a, b) in counts.items()}
    return lambda outcome: scores.get(symbol(outcome), 0.0)


def numbers_of(parts):
    return [int.from_bytes(part[i:i + 3], "little", signed=True) for part in parts if part for i in range(0, len(part), 3)]


def discriminant(first, second):
    """Fisher's linear discriminant of the numbers in a report."""
    vectors = [[numbers_of(o.parts) for o in outcomes] for outcomes in (first, second)]
    size = len(vectors[0][0])
    means = [[sum(v[j] for v in side) / len(side) for j in range(size)] for side in vectors]
    total = len(first) + len(second)
    matrix = [[sum((v[i] - mean[i]) * (v[j] - mean[j]) for side, mean in zip(vectors, means) for v in side) / total
               for j in range(size)] for i in range(size)]
    ridge = 1e-3 * sum(matrix[i][i] for i in range(size)) / size + 1e-9
    for i in range(size):
        matrix[i][i] += ridge
    weights = [a - b for a, b in zip(*means)]
    for i in range(size):  # elimination; the matrix is positive definite
        for k in range(i + 1, size):
            factor = matrix[k][i] / matrix[i][i]
            for j in range(i, size):
                matrix[k][j] -= factor * matrix[i][j]
            weights[k] -= factor * weights[i]
    for i in reversed(range(size)):
        weights[i] = (weights[i] - sum(matrix[i][j] * weights[j] for j in range(i + 1, size))) / matrix[i][i]
    return lambda outcome: sum(w * x for w, x in zip(weights, numbers_of(outcome.parts)))


def statistics(first, second, numbers):
    """What the first quarter teaches, in the order of preference."""
    if numbers:
        yield "numbers", discriminant(first, second)
        return
    yield "outcome", ratio_table(first, second, lambda o: (o.context, o.parts))
    for shift in (2, 4):
        yield f"outcome/{1 << shift}", ratio_table(
            first, second, lambda o, s=shift: (o.context, tuple(None if p is None else int.from_bytes(p, "little") >> s for p in o.parts)))
    count = len(first[0].parts)
    if count > 1:
        tables = [ratio_table(first, second, lambda o, i=i: (o.context, i, o.parts[i])) for i in range(count)]
        yield "sum", lambda o: sum(table(o) for table in tables)
        yield "equal", ratio_table(first, second, lambda o: (o.context, tuple(p == o.parts[0] for p in o.parts)))


def timings(first, second):
    yield "time", ratio_table(first, second, lambda o: (o.context, o.time))
    yield "longer", lambda o: float(o.time)


def bound(first, second, delta, found):
    """(lower bound of epsilon, name of the event). `found` gives the statistics of two lists."""
    runs = min(len(first), len(second))
    quarters = [[side[i:runs:4] for side in (first, second)] for i in range(2)]
    halves = [[o for i, o in enumerate(side[:runs]) if i % 4 >= 2] for side in (first, second)]
    best = (-1.0, None)
    for name, score in found(*quarters[0]):
        scores = [sorted(score(o) for o in side) for side in quarters[1]]
        cuts = sorted(set(scores[0] + scores[1]))[1:]
        for cut in cuts[::max(1, len(cuts) // CUTS)]:
            above = [sum(1 for s in side if s >= cut) for side in scores]
            size = len(scores[0])
            for flip, likely, rare in ((False, above[0], above[1]), (True, size - above[1], size - above[0])):
                planned = planned_bound(likely, rare, size, delta)
                if planned > best[0]:
                    best = (planned, (name, score, cut, flip))
    if best[1] is None:
        return 0.0, "nothing differs"
    name, score, cut, flip = best[1]
    above = [sum(1 for o in side if score(o) >= cut) for side in halves]
    size = len(halves[0])
    likely, rare = (size - above[1], size - above[0]) if flip else (above[0], above[1])
    return epsilon_lower_bound(likely, rare, size, ALPHA, delta), name


Z_ALPHA = 4.264890793922825  # a standard normal number is larger with probability ALPHA


def largest_variance(runs):
    """An upper bound of the variance of the numbers around their means, by Wilson and Hilferty's quantile of chi-square."""
    square, freedom = 0.0, 0
    for side in runs.values():
        vectors = [numbers_of(o.parts) for o in side]
        for column in zip(*vectors):
            mean = sum(column) / len(column)
            square += sum((x - mean) ** 2 for x in column)
            freedom += len(column) - 1
    c = 2 / (9 * freedom)
    return square / (freedom * (1 - c - Z_ALPHA * math.sqrt(c)) ** 3)


class Outcome:
    """What left a device in one run: payloads (None where it refused), and the instructions of the last send()."""

    def __init__(self, parts, time, context=""):
        self.parts, self.time, self.context = parts, time, context


class Case:
    """A case of the image, tests/audit/audit_image.cpp."""

    def __init__(self, words):
        self.kind, self.question, self.stem = words[0:3]
        self.epsilon, self.delta = int(words[3]) / 1e9, int(words[4]) / 2**64
        self.manifest = self.round = self.refused = None
        self.lines, self.runs = [], {"1": [], "2": []}
        self.variance = 0  # of Gaussian noise, certified
        self.coins = []  # certified threshold, and the one that was read

    def add(self, truth, text, time):
        self.lines.append((truth, text))
        parts = tuple(None if part == "-" else bytes.fromhex(part)[HEADER:] for part in text.split("+"))
        self.runs[truth].append(Outcome(parts, int(time)))

    def bound(self):
        numbers = self.stem == "gaussian" and all(p is not None for p in self.runs["1"][0].parts)
        return bound(self.runs["1"], self.runs["2"], self.delta, lambda a, b: statistics(a, b, numbers))

    def misdrawn(self):
        """Whether a threshold is not the certified one, or Gaussian noise is smaller than certified."""
        if any(certified != read for certified, read in self.coins):
            return True
        if self.stem != "gaussian" or self.kind != "single" or self.refused:
            return False
        return largest_variance(self.runs) < self.variance

    def time_bound(self):
        return bound(self.runs["1"], self.runs["2"], self.delta, timings)[0]


def read_cases(text):
    cases = []
    for line in text.splitlines():
        word, *rest = line.split()
        if word == "case":
            cases.append(Case(rest))
        elif word == "report":
            cases[-1].add(*rest)
        elif word == "noise":
            cases[-1].variance = int(rest[0])
        elif word == "coin":
            cases[-1].coins.append((int(rest[0]), int(rest[1])))
        elif word in ("manifest", "round", "refused"):
            setattr(cases[-1], word, rest[0])
        else:
            raise ValueError(f"the image prints {line!r}")
    return cases
