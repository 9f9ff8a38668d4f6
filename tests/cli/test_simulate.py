# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto simulate: what it prints, what it writes, and that it learns what it says it learned."""

import html.parser
import json
import os
import pty
import re
import subprocess

from sotto_case import INPUT_OUTPUT, REFUSED, SOTTO, USAGE, SottoCase, main

FLEET = ("simulate", "--protocol", "vote", "--users", 20000, "--dim", 256, "--epsilon", 2)


class Page(html.parser.HTMLParser):
    """Every tag that is opened is closed, and nothing points outside the page."""
    ALONE = {"meta", "circle", "rect", "line", "path", "br"}

    def __init__(self):
        super().__init__()
        self.open, self.wrong, self.links = [], [], []

    def handle_starttag(self, tag, attributes):
        self.links += [v for k, v in attributes if k in ("src", "href", "srcset", "action", "data")]
        if tag in ("script", "link", "iframe", "img", "object"):
            self.wrong.append(tag)
        if tag not in self.ALONE:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append("/" + tag)


class Simulate(SottoCase):
    def test_the_json_has_the_keys_that_scripts_rely_on(self):
        result = self.json(*FLEET, "--repeat", 3)
        for metric in ("l2_squared_error", "relative_error", "f1", "coverage"):
            self.assertEqual(set(result["metrics"][metric]), {"mean", "sd", "median"})
        self.assertEqual(result["reports"]["count"], 60000)
        self.assertEqual(result["reports"]["bytes_per_report"], 9)
        self.assertEqual(result["reports"]["refused"], 0)
        self.assertLessEqual(result["privacy"]["epsilon_delivered"], 2)
        self.assertEqual(result["privacy"]["delta"], 0)
        self.assertGreater(result["timing"]["seconds"], 0)
        self.assertIn(result["verdict"], ("learned", "uncertain", "cannot learn"))

    def test_a_large_fleet_learns_and_its_intervals_hold_the_truth(self):
        result = self.json(*FLEET, "--repeat", 20, "--empty", 0.1)
        self.assertEqual(result["verdict"], "learned")
        self.assertEqual(result["metrics"]["f1"]["mean"], 1)
        # 20 * 257 intervals, nearly independent: 4 standard errors of the coverage are 0.012.
        self.assertAlmostEqual(result["metrics"]["coverage"]["mean"], 0.95, delta=0.012)
        # E of the squared error is (d + 1) v / n with v = 0.7246 (3 bits at epsilon 2) and a little more for the shares.
        self.assertAlmostEqual(result["metrics"]["l2_squared_error"]["mean"], 257 * 0.7246 / 20000, delta=0.1 * 257 * 0.7246 / 20000)

    def test_a_small_fleet_says_that_it_cannot_learn(self):
        result = self.json("simulate", "--protocol", "vote", "--users", 300, "--dim", 1024, "--epsilon", 0.5, "--repeat", 10)
        self.assertIn(result["verdict"], ("cannot learn", "uncertain"))
        self.assertLess(result["metrics"]["f1"]["mean"], 0.3)

    def test_empty_devices_are_estimated_as_none(self):
        none = self.json(*FLEET, "--empty", 0.4)["estimates"][-1]
        self.assertEqual(none["answer"], "none")
        self.assertAlmostEqual(none["truth"], 0.4, delta=0.02)
        self.assertAlmostEqual(none["share"], none["truth"], delta=4 * (none["high"] - none["low"]) / 3.92)

    def test_the_result_depends_on_the_seed_and_not_on_the_threads(self):
        def without_time(*more):
            result = self.json(*FLEET, *more)
            del result["timing"]
            return result
        one = without_time("--seed", 5, "--threads", 1)
        self.assertEqual(one, without_time("--seed", 5, "--threads", 3))
        self.assertNotEqual(one["estimates"], without_time("--seed", 6)["estimates"])

    def test_the_terminal_shows_bars_and_the_statement(self):
        text = self.sotto(*FLEET).stdout
        for part in ("95 % interval", "truth", "verdict", "├", "declared 2 nats", "What one report tells"):
            self.assertIn(part, text)
        self.assertNotIn("\x1b", text)

    def test_progress_is_shown_on_a_terminal_only_and_never_with_json(self):
        def seen(*more):
            ours, theirs = pty.openpty()
            command = [SOTTO, *map(str, FLEET), "--repeat", "40", *more]
            told = b""
            with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=theirs) as running:
                os.close(theirs)
                while True:
                    try:
                        part = os.read(ours, 4096)
                    except OSError:  # Linux: the other end is closed
                        break
                    if not part:
                        break
                    told += part
                self.assertNotIn(b"voting", running.stdout.read())
            os.close(ours)
            self.assertEqual(running.returncode, 0)
            return told.decode()
        self.assertIn("voting", seen())
        self.assertEqual(seen("--json"), "")

    def test_out_writes_a_page_that_needs_nothing_else(self):
        ran = self.sotto(*FLEET, "--out", "made/here")
        self.assertIn("made/here/report.html", ran.stdout)
        text = (self.work / "made/here/report.html").read_text()
        page = Page()
        page.feed(text)
        self.assertEqual((page.open, page.wrong, page.links), ([], [], []))
        self.assertNotRegex(text, r"https?:|url\(|@import")
        for part in ('lang="en"', "<title>", "prefers-color-scheme: dark", "This is all that left the device", "<code>01 00 00 00 00 00 00 00 0",
                     "reports refused", "sotto simulate --protocol vote --users 20000", "Not protected"):
            self.assertIn(part, text)
        self.assertEqual(len(re.findall(r'<svg [^>]*viewBox[^>]*role="img" aria-label=', text)), 4)  # two charts, each for desk and telephone
        self.assertLess(len(text), 200_000)

    def test_out_writes_the_same_numbers_as_json(self):
        printed = self.json(*FLEET, "--out", "made")
        self.assertEqual(json.loads((self.work / "made/result.json").read_text()), printed)
        self.assertEqual(sorted(p.name for p in (self.work / "made").iterdir()), ["report.html", "result.json"])

    def test_out_that_cannot_be_written_is_an_output_error(self):
        (self.work / "file").write_text("")
        self.assertIn("code: io.cannot_write", self.sotto(*FLEET, "--out", "file/below", code=INPUT_OUTPUT).stderr)

    def test_another_protocol_is_a_usage_error_that_names_what_exists(self):
        ran = self.sotto("simulate", "--protocol", "waterfall", "--users", 10, "--dim", 4, "--epsilon", 1, code=USAGE)
        for part in ("waterfall", "cascade", "vote", "fix:"):
            self.assertIn(part, ran.stderr)

    def test_bad_numbers_are_refused_by_name(self):
        def refused(code, **changes):
            options = {"users": 100, "dim": 16, "epsilon": 1, **changes}
            arguments = [word for key, value in options.items() for word in (f"--{key}", value)]
            self.assertIn(f"code: {code}", self.sotto("simulate", "--protocol", "vote", *arguments, code=REFUSED).stderr)
        for epsilon in (0, -1, "nan", "inf", 12.5):
            refused("study.bad_epsilon", epsilon=epsilon)
        for dim in (1, 1 << 24):
            refused("simulate.bad_features", dim=dim)
        refused("simulate.bad_heavy", heavy=0)
        refused("simulate.bad_heavy", heavy=17)
        for name, value in (("users", 0), ("dim", 0), ("empty", -0.1), ("empty", 1.1), ("empty", "nan")):
            options = {"users": 100, "dim": 16, "epsilon": 1, name: value}
            arguments = [word for key, value in options.items() for word in (f"--{key}", value)]
            ran = self.sotto("simulate", "--protocol", "vote", *arguments, code=USAGE)
            self.assertIn(f"--{name}", ran.stderr)
            self.assertIn("fix:", ran.stderr)
        self.sotto("simulate", "--protocol", "vote", "--users", "many", "--dim", 16, "--epsilon", 1, code=USAGE)
        for name in ("users", "dim", "heavy", "seed"):
            options = {"users": 100, "dim": 16, "epsilon": 1, name: -5}
            arguments = [word for key, value in options.items() for word in (f"--{key}", value)]
            self.assertIn(f"--{name}", self.sotto("simulate", "--protocol", "vote", *arguments, code=USAGE).stderr)

    def test_the_smallest_fleets_work(self):
        self.json("simulate", "--protocol", "vote", "--users", 1, "--dim", 2, "--epsilon", 1)
        self.json("simulate", "--protocol", "vote", "--users", 50, "--dim", 2, "--epsilon", 12, "--empty", 1, "--out", "made")


if __name__ == "__main__":
    main()
