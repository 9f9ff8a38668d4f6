# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Numbers and names of the documents, held against the code and against their own formulas."""

import os
import re
import subprocess
import unittest
from decimal import Decimal

from sotto_case import SOTTO, SOURCE, SottoCase
from test_statement import discrete_chance


def text(path):
    return (SOURCE / path).read_text(encoding="utf-8")


def enumerators(path, name):
    """Name to number of an enum class."""
    body = re.search(rf"enum class {name} : [^{{]*{{(.*?)}};", text(path), re.S).group(1)
    return {word: int(number) for word, number in re.findall(r"^\s*(\w+) = (\d+),", body, re.M)}


class Statuses(unittest.TestCase):
    """The table of sotto/statuses.h says of every status what a firmware does, and the function says the same."""

    def test_the_numbers_of_c_and_c_plus_plus_are_the_same(self):
        header = re.search(r"typedef enum sotto_status {(.*?)}", text("device/include/sotto/statuses.h"), re.S).group(1)
        in_c = {name.lower(): int(number) for name, number in re.findall(r"^\s*SOTTO_(\w+) = (\d+)", header, re.M)}
        body = re.search(r"enum class \[\[nodiscard\]\] Status : [^{]*{(.*?)};", text("shared/include/sotto/status.hpp"), re.S).group(1)
        self.assertEqual(in_c, {name: int(number) for name, number in re.findall(r"^\s*(\w+) = (\d+),", body, re.M)})

    def test_the_table_of_actions_is_the_function(self):
        header = text("device/include/sotto/statuses.h")
        table = re.search(r"as a function\.\n(.*?)\n \*\n \* SPENT_UNSENT", header, re.S).group(1)
        names = set(re.findall(r"^  SOTTO_(\w+) = \d+", re.search(r"enum sotto_status {(.*?)}", header, re.S).group(1), re.M))
        told, action = {}, ""
        for line in table.splitlines():
            found = re.match(r" \*   SOTTO_(\w+) ", line)
            action = found.group(1) if found else action
            for name in re.findall(r"\b[A-Z][A-Z_]+[A-Z]\b|\bOK\b", line.replace(f"SOTTO_{action}", "")):
                if name in names:
                    told.setdefault(name, []).append(action)
        done, waiting = {}, []
        for kind, name in re.findall(r"(case|return) SOTTO_(\w+)", text("device/src/c_api/action.cpp")):
            if kind == "case":
                waiting.append(name)
            else:
                done.update({status: [name] for status in waiting})
                waiting = []
        self.assertEqual(set(done), names)
        self.assertEqual(told, done)


class Wire(unittest.TestCase):
    def listed(self, start):
        """'0 given, 1 screen, ...' behind a word of WIRE.md, up to the full stop."""
        found = re.search(rf"{start}:\s(.*?)\.\s", text("shared/spec/WIRE.md"), re.S).group(1)
        return {name: int(number) for number, name in re.findall(r"(\d+)\s(\w+)", found)}

    def test_questions_and_recipes_are_those_of_the_code(self):
        header = "shared/include/sotto/wire/question_kind.hpp"
        questions, recipes = enumerators(header, "QuestionKind"), enumerators(header, "Recipe")
        self.assertEqual(self.listed("Questions"), questions)
        rows = re.findall(r"^\| (\d+) (\w+) \|", text("shared/spec/WIRE.md"), re.M)
        self.assertEqual({name: int(number) for number, name in rows}, recipes)
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

    def test_several_shares_of_epsilon_come_with_their_deltas(self):
        """Whoever counts epsilon j times counts delta, too: gaussian has one."""
        for path in [*SOURCE.glob("shared/spec/*.md"), *SOURCE.glob("docs/**/*.md"), SOURCE / "README.md"]:
            words = " ".join(path.read_text(encoding="utf-8").split())
            for found in re.finditer(r"j times epsilon|up to (?:2|twice) epsilon|up to r epsilon", words):
                self.assertIn("delta", words[found.end():found.end() + 40], f"{path.name}: {words[found.start() - 80:found.end() + 40]}")
        self.assertIn("up to 2 epsilon, and (1 + e^epsilon) delta", text("docs/CENTRAL.md"))

    def test_what_a_reader_may_rely_on_is_named(self):
        self.assertIn("`fit.json` is for publication where `privacy.proven` in it is true", text("docs/PRIVATE_FOR_WHOM.md"))
        self.assertIn("its end was cut off shows only with a head that you kept", " ".join(text("docs/ANALYST.md").split()))

    def test_no_document_promises_a_delta_for_single_reports(self):
        for path in [*SOURCE.glob("shared/spec/*.md"), *SOURCE.glob("docs/**/*.md"), SOURCE / "README.md"]:
            words = path.read_text(encoding="utf-8")
            self.assertNotRegex(words, r"P\(r \| one\)[^\n]*\(?\+ delta", path.name)
            self.assertNotIn("up to a chance of", words, path.name)


PAGES = [SOURCE / "README.md", *sorted(SOURCE.glob("docs/**/*.md"))]


def anchors(page):
    """What GitHub makes of the headings of a page."""
    headings = re.findall(r"^#+ (.*)$", re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S), re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


class Pages(unittest.TestCase):
    def test_every_link_leads_to_a_file_and_a_heading(self):
        for page in PAGES:
            for file, anchor in re.findall(r"\]\(([^)#\s]*)#?([^)\s]*)\)", page.read_text(encoding="utf-8")):
                if file.startswith("http"):
                    continue
                target = page.parent / file if file else page
                self.assertTrue(target.exists(), f"{page.name}: {file}")
                if anchor:
                    self.assertIn(anchor, anchors(target), f"{page.name}: {file}#{anchor}")

    def test_every_protocol_has_a_page_with_the_same_headings(self):
        shown = subprocess.run([SOTTO, "simulate", "--help"], capture_output=True, text=True, check=True).stdout
        names = set(re.search(r"--protocol TEXT:\{([^}]*)\}", shown).group(1).split(",")) - {"auto", "vote"}
        self.assertGreater(len(names), 10)
        pages = {page.stem: page for page in SOURCE.glob("docs/protocols/*.md")}
        self.assertEqual(names, set(pages))
        overview = text("docs/PROTOCOLS.md")
        for name, page in pages.items():
            self.assertEqual(re.findall(r"^#+ (.*)$", page.read_text(encoding="utf-8"), re.M),
                             [name, "What it asks", "What a device computes", "What is estimated", "Formulas", "Measured", "Limits"], name)
            self.assertIn(f"](protocols/{name}.md)", overview)

    def test_every_folder_of_source_is_on_the_map(self):
        page = text("docs/ARCHITECTURE.md")
        for part in ("shared", "device", "analyzer"):
            folders = [path for path in SOURCE.glob(f"{part}/src/**/") if path != SOURCE / part / "src"]
            self.assertGreater(len(folders), 1)
            for folder in folders:
                self.assertIn(f"{folder.name}/", page, folder)


# Rounds of the table "Work space by question" of docs/SIZES.md: features, keys of [protocol], epsilon, and other lines of the study.
ONCE = "delta = 1e-6"
FIRST_ROUNDS = {
    ("vote", "screen"): (256, 'kind = "cascade"\ndevices = 400', 4, ""),
    ("vote", "lasso"): (256, 'kind = "two-round"\nmechanism = "paper"\ndevices = 400', 4, ""),
    ("direction", "gradient"): (64, 'kind = "ldp-iht"\ndevices = 100000', 4, ""),
    ("direction", "means"): (64, 'kind = "sparse-mean-once"\nmechanism = "direct"\ndevices = 100000', 4, ""),
    ("block", "signs"): (50, 'kind = "ldp-iht"\nfeatures_are = "signs"\ndevices = 100000', 4, "samples = 1"),
    ("label", "target"): (20, 'kind = "label-iht"\ndevices = 10000', 4, "samples = 1"),
    ("update", "steps"): (64, 'kind = "federated-ht"\nsparsity = 4\ndevices = 100000', 4, ""),
    ("moments", "packed"): (8, 'kind = "projected-regression"\nmechanism = "moments"\ndevices = 1000000', 4, ""),
    ("moments", "packed_fourier"): (1, 'kind = "kernel-ridge"\nmechanism = "moments"\ndevices = 1000000', 4, ""),
    ("bin", "cells"): (1, 'kind = "kernel-ridge"\nmechanism = "binned"\ndevices = 100000', 4, ""),
    ("sketch", "hadamard"): (256, 'kind = "sparse-mean-once"\nmechanism = "paper"\nprojected = 64\nnorm = 0.5\ndevices = 1000000', 8, ONCE),
    ("sketch", "fourier"): (1, 'kind = "kernel-ridge"\nmechanism = "paper"\ndevices = 10000000', 8, ONCE),
    ("synopsis", "copies"): (5, 'kind = "smooth-glm"\nmechanism = "paper"\ndevices = 10000000', 8, ONCE),
}


class WorkSpace(SottoCase):
    ROWS = 100

    def needed(self, directory, number, features):
        ran = subprocess.run([os.environ["SOTTO_WORK_SPACE"], f"{directory}/manifest.bin", f"{directory}/round-{number}.bin", str(self.ROWS),
                              str(features)], cwd=self.work, capture_output=True, text=True, timeout=60)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return int(ran.stdout)

    def test_the_table_by_question_is_what_devices_need(self):
        printed = {(question, recipe): int(size.replace(",", "")) for question, recipe, size in re.findall(
            r"^\| `(\w+)` \| `(\w+)` \|[^|]*\| ([\d,]+) \|$", text("docs/SIZES.md"), re.M)}
        found = {}
        for (question, recipe), (features, protocol, epsilon, more) in FIRST_ROUNDS.items():
            privacy, study = (more, "") if more == ONCE else ("", more)
            name = f"{question}-{recipe}"
            (self.work / f"{name}.toml").write_text(f'name = "sizes"\n[privacy]\nepsilon = {epsilon}\n{privacy}\n[study]\n{study or "samples = 100"}\n'
                                                    f"[protocol]\n{protocol}\nfeatures = {features}\n")
            self.sotto("study", f"{name}.toml", "--out", name)
            found[question, recipe] = self.needed(name, 1, features)
        self.sotto("simulate", "--protocol", "two-round", "--users", 400, "--samples", 100, "--dim", 64, "--signal", 0.3, "--epsilon", 8, "--out", "run")
        for number, question in ((2, "bin"), (3, "value")):
            found[question, "least_squares"] = self.needed("run", number, 64)
        self.maxDiff = None
        self.assertEqual(printed, found)


if __name__ == "__main__":
    unittest.main(verbosity=2)
