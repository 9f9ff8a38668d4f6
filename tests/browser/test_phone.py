# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Every kind of page on a telephone and on a desk: no sideways scrolling, no cut chart, letters that can be read."""

import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

import chromium

TELEPHONES, DESK = (320, 390), 1200
EFFECTS = """name,effect,unit,offset,deviation
energy,,Wh,900,320
wash temperature,0.6,\u00b0C,46,14
load,-0.4,kg,4.5,1.8
a reading whose name is far too long for the margin of any chart,0.3,,0,1
""" + "".join(f"reading {i},0,,0,1\n" for i in range(12))
# Each kind of page from a run that takes a second.
RUNS = {
    "cascade": ("--effects", "effects.csv", "--target", "energy", "--users", 600, "--samples", 30, "--epsilon", 8),
    "boost": ("--data", "rows.csv", "--user-column", "user", "--target", "y", "--epsilon", 8, "--protocol", "boost"),
    "two-round": ("--protocol", "two-round", "--users", 600, "--dim", 16, "--nonzeros", 2, "--signal", "0.5", "--epsilon", 8),
    "nothing": ("--users", 60, "--dim", 32, "--epsilon", "0.5"),
    "classes": ("--protocol", "federated-ht", "--users", 600, "--samples", 30, "--dim", 16, "--nonzeros", 2, "--signal", "1",
                "--epsilon", 8),
    "labels": ("--protocol", "label-iht", "--users", 4000, "--dim", 16, "--nonzeros", 2, "--signal", "0.5", "--epsilon", 8),
    "item": ("--protocol", "ldp-iht", "--users", 5000, "--samples", 1, "--dim", 8, "--nonzeros", 2, "--signal", "0.5", "--epsilon", 8),
    "mean": ("--protocol", "sparse-mean", "--users", 3000, "--dim", 16, "--nonzeros", 2, "--signal", "0.5", "--epsilon", 8),
    "once-mean": ("--protocol", "sparse-mean-once", "--users", 3000, "--dim", 8, "--nonzeros", 2, "--epsilon", 8),
    "function": ("--protocol", "kernel-ridge", "--users", 8000, "--dim", 1, "--epsilon", 8),
    "glm": ("--protocol", "smooth-glm", "--users", 3000, "--dim", 4, "--nonzeros", 2, "--epsilon", 8, "--link", "logistic"),
    "category": ("--protocol", "category", "--users", 3000, "--periods", 3, "--epsilon", 4),
    "crosstab": ("--protocol", "crosstab", "--users", 3000, "--association", "0.5", "--epsilon", 4),
    "top": ("--protocol", "top", "--users", 12000, "--zipf", "1.5", "--epsilon", 8),
    "vote": ("--protocol", "vote", "--users", 3000, "--dim", 40, "--epsilon", 4),
}


def rows(place):
    """Users with a few rows each; y follows two of ten columns."""
    draw = random.Random(1)
    lines = ["user," + ",".join(f"column number {j}" for j in range(10)) + ",y"]
    for user in range(300):
        for _ in range(20):
            x = [draw.gauss(50, 9) for _ in range(10)]
            lines.append(f"u{user}," + ",".join(f"{v:.2f}" for v in x) + f",{x[0] - x[1] + draw.gauss(0, 8):.2f}")
    (place / "rows.csv").write_text("\n".join(lines) + "\n")


class Phone(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.place = pathlib.Path(temporary.name)
        (cls.place / "effects.csv").write_text(EFFECTS)
        rows(cls.place)
        for name, options in RUNS.items():
            cls.sotto("simulate", *options, "--seed", 5, "--threads", 1, "--out", name)
        cls.sotto("fit", "rows.csv", "--target", "y", "--loss", "linear", "--leave-out", "user", "--epsilon", 4, "--out", "fit")
        cls.sotto("fit", "rows.csv", "--target", "y", "--loss", "linear", "--leave-out", "user", "--no-privacy", "--out", "limit")

    @classmethod
    def sotto(cls, *options):
        ran = subprocess.run([os.environ["SOTTO"], *map(str, options)], cwd=cls.place, capture_output=True, text=True)
        if ran.returncode != 0:
            raise AssertionError(f"{options}: {ran.stdout}{ran.stderr}")

    def measured(self, widths):
        pages = [f"{name}/report.html" for name in (*RUNS, "fit", "limit")]
        return chromium.measure(self.place, [(page, width) for page in pages for width in widths])[0]

    def test_nothing_is_cut_or_scrolled_sideways(self):
        for frame in self.measured((*TELEPHONES, DESK)):
            what = (frame["page"], frame["width"])
            self.assertLessEqual(frame["scroll_width"], frame["width"], what)
            self.assertEqual(frame["sideways"], [], what)
            self.assertEqual(frame["cut"], [], what)
            self.assertEqual(frame["small"], 0, what)
            if frame["page"] not in ("nothing/report.html", "glm/report.html"):
                self.assertGreater(frame["charts"], 0, what)

    def test_a_cut_chart_and_a_scrolling_box_would_be_seen(self):
        (self.place / "cut.html").write_text(
            "<!doctype html><div style='overflow-x: auto'><svg role='img' aria-label='broad' width='600' viewBox='0 0 600 20'>"
            "<text x='590' y='15'>far too long</text></svg></div>")
        frame = chromium.measure(self.place, [("cut.html", 390)])[0][0]
        self.assertEqual(frame["sideways"], ["DIV"])
        self.assertEqual(len(frame["cut"]), 2, frame)

    def test_no_page_has_a_column_of_unknown(self):
        for name in (*RUNS, "fit", "limit"):
            page = (self.place / name / "report.html").read_text()
            self.assertNotIn(">unknown<", page, name)

    def test_a_simulation_marks_the_truth_and_names_its_features(self):
        page = (self.place / "cascade" / "report.html").read_text()
        self.assertIn("On a device, <bdi>energy</bdi> rises with <bdi>wash temperature</bdi>", page)
        self.assertIn('class="truth"', page)
        self.assertIn("Wh per", page.replace("<bdi>", "").replace("</bdi>", ""))
        self.assertIn("Held-out R&sup2;", page)


if __name__ == "__main__":
    if not chromium.works():
        print(f"skipped: no Chromium that starts here ({chromium.CHROMIUM or 'none found'}); install the package chromium")
        sys.exit(77)
    unittest.main(verbosity=2)
