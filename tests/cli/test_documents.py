# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Numbers and names of the documents, held against the code and against their own formulas."""

import re
import unittest
from decimal import Decimal

from sotto_case import SOURCE
from test_statement import discrete_chance


def text(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def enumerators(path, name):
    """Name to number of an enum class."""
    body = re.search(rf"enum class {name} : [^{{]*{{(.*?)}};", text(path), re.S).group(1)
    return {word: int(number) for word, number in re.findall(r"^\s*(\w+) = (\d+),", body, re.M)}


class Wire(unittest.TestCase):
    def listed(self, start):
        """'0 given, 1 screen, ...' behind a word of WIRE.md, up to the full stop."""
        found = re.search(rf"{start}:\s(.*?)\.\s", text("shared/spec/WIRE.md"), re.S).group(1)
        return {name: int(number) for number, name in re.findall(r"(\d+)\s(\w+)", found)}

    def test_questions_and_recipes_are_those_of_the_code(self):
        header = "shared/include/sotto/wire/question_kind.hpp"
        questions, recipes = enumerators(header, "QuestionKind"), enumerators(header, "Recipe")
        self.assertEqual(self.listed("Questions"), questions)
        self.assertEqual(self.listed("Recipes"), recipes)
        stems = enumerators("shared/include/sotto/spec/two_level_spec.hpp", "Stem")
        wire = text("shared/spec/WIRE.md")
        for field, numbers in (("question", questions), ("recipe of the local answer", recipes),
                               (r"stem of the randomizer \(RANDOMIZERS.md section 9\)", stems)):
            self.assertRegex(wire, rf"\| {field}, {min(numbers.values())}\.\.{max(numbers.values())} \|")


class Privacy(unittest.TestCase):
    def test_the_chance_of_telling_more_than_epsilon(self):
        rows = re.findall(r"^\| ([\d.]+) \| (1e-\d) \| (\d+) \| ([\d.e-]+) \|$", text("shared/spec/PRIVACY.md"), re.M)
        self.assertEqual(len(rows), 10)
        points = {(int(e), int(d)): int(ratio) for e, d, ratio in re.findall(
            r"\{(\d+)U, (\d+)U, (\d+)U, \d+U\}", text("shared/include/sotto/spec/gaussian_points.hpp"))}
        for epsilon, delta, variance, printed in rows:
            ratio = points[int(Decimal(epsilon) * 10**9), int(2**64 // (1 / Decimal(delta)))]
            self.assertEqual(int(variance), -(-ratio * 128**2 >> 16))
            chance, sets = discrete_chance(int(variance), 64, Decimal(epsilon))
            self.assertLessEqual(sets, Decimal(delta))
            self.assertTrue(chance <= Decimal(printed) < chance * Decimal("1.01"), (epsilon, delta, printed, chance))

    def test_no_document_promises_a_delta_for_single_reports(self):
        for path in [*SOURCE.glob("shared/spec/*.md"), *SOURCE.glob("docs/*.md"), SOURCE / "README.md"]:
            words = path.read_text(encoding="utf-8")
            self.assertNotRegex(words, r"P\(r \| one\)[^\n]*\(?\+ delta", path.name)
            self.assertNotIn("up to a chance of", words, path.name)


if __name__ == "__main__":
    unittest.main(verbosity=2)
