# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What sotto fit gives out for data sets that differ in one row: nothing but what noise covers may differ, and somebody who knows all
other rows does not find out the last one."""

import json
import math
import random
import re
import statistics
import unittest

from sotto_case import SottoCase, main

# Noise covers these: which coefficients there are and how large, and the intercept, which contains offsets and deviations.
COVERED = re.compile(r"(model\.)?(intercept|coefficients.*)$")


def leaves(value, path=""):
    """Every number, text and list length of a JSON value by its path."""
    if isinstance(value, dict):
        for name, part in value.items():
            yield from leaves(part, f"{path}.{name}" if path else name)
    elif isinstance(value, list):
        yield f"{path}#", len(value)
        for at, part in enumerate(value):
            yield from leaves(part, f"{path}[{at}]")
    else:
        yield path, value


def rows(victim, target):
    """2,000 rows of a, b and a column of zeros and ones; the last one is the victim's."""
    coins = random.Random(5)
    table = []
    for _ in range(1999):
        a, b = coins.gauss(40, 9), coins.gauss(0, 1)
        y = a / 10 + b + coins.gauss(0, 1)
        table.append((round(y, 3) if target == "number" else int(y > 4), round(a, 3), round(b, 3), int(coins.random() < 0.1)))
    return [*table, victim]


class Neighbours(SottoCase):
    def write(self, victim, target, is_sparse=False):
        table = rows(victim, target)
        if is_sparse:
            text = "".join(f"{y} " + " ".join(f"{j + 1}:{v}" for j, v in enumerate(x) if v) + "\n" for y, *x in table)
        else:
            text = "y,a,b,c\n" + "".join(",".join(map(str, row)) + "\n" for row in table)
        (self.work / "rows").write_text(text)

    def test_every_field_that_differs_between_neighbours_is_covered(self):
        scales = "name,offset,deviation\ny,4,1\n" + "".join(f"{name},0,10\n" for name in "abc")
        (self.work / "scales.csv").write_text(scales)
        settings = {"paid": (), "paid, replaced": ("--adjacency", "replace-one"), "public": ("--scales", "scales.csv"), "rows": ("--scale", "rows"),
                    "bounds": ("--scale", "none", "--row-bound", 50, "--value-bound", 60), "sparse": ("--libsvm", "--features", 5, "--scale", "rows")}
        seen = set()
        for target, victims in (("label", ((1, 41, 0, 0), (0, 1e9, -7e30, 1), (0, 0, 0, 0), (0, "", "NA", ""))),
                                ("number", ((4.1, 41, 0, 0), (-3e20, 1e9, 0, 1), (1, "NaN", 3, "")))):
            for name, options in settings.items():
                if target == "number":
                    options = (*options, "--loss", "linear", *(() if name.startswith(("paid", "public")) else ("--target-bound", 2)))
                told = []
                for at, victim in enumerate(victims):
                    # Row 3 has a feature that no other has, within what was declared and beyond it.
                    is_sparse = name == "sparse"
                    if is_sparse:  # knows no missing values
                        victim = tuple(0 if isinstance(value, str) else value for value in victim)
                    self.write((*victim, *((3, 8, 2, 9) if at == 1 else ())) if is_sparse else victim, target, is_sparse)
                    wish = ("fit", "rows", "--nonzeros", 2, "--epsilon", 1, "--folds", 0, "--seed", 11, *options)
                    ran = self.sotto(*wish, "--out", "out")
                    model = dict(leaves(json.loads((self.work / "out/fit.json").read_text())))
                    # Which columns a model has, and their signs, are covered as the model is: the sentence on top names them.
                    page = re.sub(r'<section id="coefficients">.*?</section>|<p class="plainly">.*?</p>', "", (self.work / "out/report.html").read_text(), flags=re.S)
                    words = ran.stdout.split("coefficients, of")[0]
                    told.append((model, page, words))
                for model, page, words in told[1:]:
                    paths = {path for path in {*model, *told[0][0]} if model.get(path) != told[0][0].get(path)}
                    seen |= paths
                    self.assertEqual([path for path in paths if not COVERED.match(path)], [], f"{name}, {target}")
                    self.assertEqual(page, told[0][1], f"the page, {name}, {target}")
                    self.assertEqual(words, told[0][2], f"the terminal, {name}, {target}")
        self.assertLessEqual({"intercept", "coefficients[0].value", "coefficients[0].per_unit"}, seen, "the test sees differences at all")

    def test_who_knows_all_rows_but_one_does_not_read_it_off_the_deviations(self):
        """value / per_unit is a column's deviation. Two candidates for the victim's value, and the attacker takes the one whose exact
        deviation is nearer to it: with epsilon 1 for the content of a row, right with probability e / (1 + e) at most, so that 29 of 30
        or more have probability below 2e-3."""
        candidates = (41.0, 400.0)
        exact = [statistics.pstdev([row[1] for row in rows((1, a, 0, 0), "label")]) for a in candidates]
        coins, right, guesses = random.Random(6), 0, []
        for run in range(30):
            truth = coins.randrange(2)
            self.write((1, candidates[truth], 0, 0), "label")
            wish = ("fit", "rows", "--nonzeros", 3, "--epsilon", 1, "--adjacency", "replace-one", "--folds", 0, "--method", "dp-iht")
            result = self.json(*wish, "--seed", 100 + run)
            found = [c["value"] / c["per_unit"] for c in result["model"]["coefficients"] if c["name"] == "a"]
            guess = coins.randrange(2) if not found else min((0, 1), key=lambda at: abs(exact[at] - found[0]))
            right += guess == truth
            guesses += found
        self.assertLess(right, 29)
        self.assertTrue(self.json(*wish)["privacy"]["proven"], "and without a seed this is called private")
        # What is released is of use, and no function of the rows.
        self.assertGreater(len(set(guesses)), 2)
        self.assertLess(abs(math.log(statistics.median(guesses) / exact[0])), math.log(2))


if __name__ == "__main__":
    main()
