# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto estimate: counts by reason, the estimate, and that order and repetition change nothing."""

import random

from sotto_case import INPUT_OUTPUT, main
from wire_case import NAMES, REASONS, WireCase


class Estimate(WireCase):
    def test_votes_are_recovered_with_error_bars(self):
        self.compile()
        reports = self.votes(self.enrol(400), "drum")
        self.batch(reports)
        result = self.json("estimate", "d", "batch.bin")
        self.assertEqual((result["reports"]["count"], result["reports"]["used"], result["reports"]["refused"]), (400, 400, 0))
        self.assertEqual(list(result["reports"]["by_reason"]), REASONS)
        rows = {row["answer"]: row for row in result["estimates"]}
        self.assertEqual(set(rows), {*NAMES, "none"})
        self.assertEqual(result["estimates"][0]["answer"], "drum")
        self.assertTrue(rows["drum"]["found"])
        for answer, truth in (("drum", 0.5), ("none", 0.5), ("door", 0), ("pump", 0)):
            # Seed fixed; 4 standard errors: odds of 6e-5 each.
            self.assertAlmostEqual(rows[answer]["share"], truth, delta=4 * rows[answer]["standard_error"])
            self.assertLess(rows[answer]["standard_error"], 0.03)
        self.assertEqual(result["privacy"]["coins"], "issued")
        self.assertEqual(result["privacy"]["epsilon_nano"], 4_000_000_000)
        text = self.sotto("estimate", "d", "batch.bin").stdout
        for part in ("drum", "95 % interval", "400 seen, 400 used", "What one report tells", "whoever issues them can link"):
            self.assertIn(part, text)
        self.assertNotIn("truth", text.split("An interval holds")[0])

    def test_devices_that_all_say_none_where_answers_are_computed_are_a_warning(self):
        for question, is_warned in (("", True), ('selector = "given"', False)):
            self.compile(question=question, directory=f"d{is_warned}")
            credentials = self.enrol(60, directory=f"d{is_warned}", out=f"{is_warned}.csv")
            self.batch([self.report(credential, 8, directory=f"d{is_warned}") for credential in credentials])
            self.assertEqual(any("handed the number" in w for w in self.json("estimate", f"d{is_warned}", "batch.bin")["warnings"]), is_warned)
            self.assertEqual('selector = "given"' in self.sotto("estimate", f"d{is_warned}", "batch.bin").stderr, is_warned)
            told = self.sotto("study", "study.toml").stdout
            self.assertEqual("a device computes it from its samples" in told, is_warned)
        self.compile()
        self.batch(self.votes(self.enrol(400), "drum"))
        self.assertEqual(self.json("estimate", "d", "batch.bin")["warnings"], [], "half of the devices have an answer")

    def test_every_reason_is_counted_and_refused_reports_change_nothing(self):
        self.compile("d")
        self.compile("e", terms="samples = 9")
        credentials = self.enrol(110)
        good = self.votes(credentials[:100], "motor")
        other, liar, spare = credentials[100], credentials[101], credentials[102]
        flipped = bytearray(self.report(other, 1))
        flipped[16] ^= 1
        newer = bytearray(self.report(other, 1))
        newer[0] += 16
        bad = {"malformed": [good[0][:20], b""], "unsupported_version": [bytes(newer)], "foreign_study": [self.report(other, 1, directory="e")],
               "early": [self.report(other, 1, number=2)], "forged": [bytes(flipped), self.report((5, None), 1)],
               "wrong_question": [self.report(other, 1, question=5)], "bad_payload": [self.report(spare, 9)],
               "duplicate": [good[0], good[1], good[1]], "conflict": [self.report(liar, 1), self.report(liar, 2)]}
        everything = good + [r for reports in bad.values() for r in reports]
        self.batch(good, "good.bin")
        expected = self.json("estimate", "d", "good.bin")["estimates"]
        for n in range(5):
            random.Random(n).shuffle(everything)
            self.batch(everything[:60], "one.bin")
            self.batch(everything[60:], "two.bin")
            result = self.json("estimate", "d", "one.bin", "two.bin")
            self.assertEqual(result["estimates"], expected)
            self.assertEqual(result["reports"]["by_reason"], {r: len(bad.get(r, [])) if r != "accepted" else 100 for r in REASONS})
        text = self.sotto("estimate", "d", "one.bin", "two.bin").stdout
        self.assertRegex(text, r"conflict +2\n")
        self.assertRegex(text, r"duplicate +3\n")

    def test_only_the_cohort_that_was_asked_counts(self):
        self.compile(terms="cohorts = [1, 1]", question="cohort = 1")
        self.batch([self.report(c, 1) for c in self.enrol(200)])
        counts = self.json("estimate", "d", "batch.bin")["reports"]["by_reason"]
        self.assertEqual(counts["accepted"] + counts["wrong_cohort"], 200)
        # Half of 200: 5 standard deviations are 36, odds of 6e-7; the pseudonyms are drawn anew each time.
        self.assertAlmostEqual(counts["accepted"], 100, delta=36)

    def test_a_study_without_credentials_says_so_in_every_result(self):
        self.compile(terms="authenticated = false")
        self.batch(self.votes([(p, None) for p in range(1, 101)], "door"))
        self.assertEqual(self.json("estimate", "d", "batch.bin")["privacy"]["coins"], "chosen by the sender")
        text = self.sotto("estimate", "d", "batch.bin").stdout
        self.assertRegex(text, r"Coins chosen by the sender: [^\n]*\n *One false report weighs as much for one feature as 1\.1\d honest ones")

    def test_too_few_reports_give_counts_and_no_estimate(self):
        self.compile()
        self.batch(self.votes(self.enrol(29), "drum"))
        error = self.json("estimate", "d", "batch.bin", code=1)
        self.assertEqual(error["error"]["code"], "estimate.too_few")
        self.assertEqual(error["reports"]["used"], 29)
        self.assertNotIn("estimates", error)
        message = self.stopped("estimate.too_few", "estimate", "d", "batch.bin")
        self.assertIn("29 seen, 29 used", message)
        self.compile("e", terms="minimum = 5")
        self.batch(self.votes(self.enrol(5, "e", "e.csv"), "drum", directory="e"))
        self.assertEqual(self.json("estimate", "e", "batch.bin")["reports"]["used"], 5)

    def test_reports_come_as_hexadecimal_lines_single_files_and_stdin(self):
        self.compile(terms="minimum = 3")
        reports = [self.report(c, 1) for c in self.enrol(5)]
        (self.work / "one").write_bytes(reports[0])
        (self.work / "lines").write_text("".join(r.hex() + "\n" for r in reports[1:4]))
        counts = self.json("estimate", "d", "one", "lines", "-", stdin=reports[4].hex())["reports"]
        self.assertEqual((counts["count"], counts["used"]), (5, 5))

    def counts(self, text, directory="d"):
        """The reports of a file with this text: (seen, used, refused as no report; an entry can begin with the number of another version)."""
        (self.work / "lines").write_bytes(text if isinstance(text, bytes) else text.encode())
        counts = self.json("estimate", directory, "lines")["reports"]
        return counts["count"], counts["used"], counts["by_reason"]["malformed"] + counts["by_reason"]["unsupported_version"]

    def test_a_line_that_is_no_report_costs_no_other_line(self):
        self.compile(terms="minimum = 3")
        lines = [self.report(c, 1).hex() for c in self.enrol(8)]
        foul = ["00", "0", "abc", lines[0][:-1], lines[0][:20], "# gathered on Tuesday", "0x" + lines[0], "f\u00fcr heute", "\0\0\0\0",
                "SOTM", "\ufeff", "11001100", "d41d8cd98f00b204e9800998ecf8427e" * 9, '{"report": null}']
        for line in foul:
            for at in (0, 4, 8):
                with self.subTest(line=line, at=at):
                    text = lines[:at] + [line] + lines[at:]
                    self.assertEqual(self.counts("\n".join(text) + "\n"), (9, 8, 1))
                    self.assertEqual(self.counts("\r\n".join(text)), (9, 8, 1))
        everything = [line for pair in zip(lines, foul) for line in pair] + foul[8:]
        self.assertEqual(self.counts("\n \n".join(everything)), (8 + len(foul), 8, len(foul)))
        stdin = self.json("estimate", "d", "-", stdin="\n".join(["# a note", *lines]))["reports"]
        self.assertEqual((stdin["count"], stdin["used"]), (9, 8))

    def test_lines_are_never_joined(self):
        self.compile(terms="minimum = 3")
        reports = [self.report(c, 1) for c in self.enrol(8)]
        halves = [half for r in reports[:4] for half in (r.hex()[:30], r.hex()[30:])]
        self.assertEqual(self.counts("\n".join(halves + [r.hex() for r in reports[4:]])), (12, 4, 8))
        self.stopped("capture.empty", "estimate", "d", "-")
        (self.work / "blank").write_text(" \n\n")
        self.stopped("capture.empty", "estimate", "d", "blank")

    def test_text_that_is_not_hexadecimal_counts_by_lines(self):
        self.compile(terms="minimum = 3")
        (self.work / "good").write_text("".join(self.report(c, 1).hex() + "\n" for c in self.enrol(4)))
        (self.work / "notes").write_text("".join(f"report {n}\n" for n in range(50)))
        by_reason = self.json("estimate", "d", "good", "notes")["reports"]["by_reason"]
        self.assertEqual((by_reason["accepted"], by_reason["malformed"]), (4, 50))

    def test_a_plain_report_is_no_batch_and_a_batch_no_report(self):
        self.compile(terms="authenticated = false\nminimum = 3")
        good = [self.report((p, None), 1) for p in range(1, 5)]
        # Three bytes of payload in round 17: the first two bytes are the length of the other seventeen, which have a header.
        like_a_batch = self.report((0x0101010101010101, None), 1, number=17) + b"\1\1"
        self.assertEqual((len(like_a_batch), like_a_batch[:4]), (19, b"\x11\0\x11\0"))
        (self.work / "lines").write_text("".join(r.hex() + "\n" for r in [*good, like_a_batch]))
        by_reason = self.json("estimate", "d", "lines")["reports"]["by_reason"]
        self.assertEqual((by_reason["accepted"], by_reason["early"], by_reason["foreign_study"]), (4, 1, 0))
        # Whoever sends the first report of a batch makes no report of all of it.
        study = self.report((1, None), 1)[4:8]
        first = b"\x11\0" + study + b"\1" * 11
        for name, text in (("raw", self.batch([first, *good])), ("hex", None)):
            if text is None:
                (self.work / name).write_text((self.work / "batch.bin").read_bytes().hex())
            counts = self.json("estimate", "d", "batch.bin" if text else name)["reports"]
            self.assertEqual((counts["count"], counts["used"]), (5, 4), name)

    def test_a_torn_batch_counts_one_malformed_report(self):
        self.compile(terms="minimum = 3")
        self.batch([self.report(c, 1) for c in self.enrol(5)])
        (self.work / "batch.bin").write_bytes((self.work / "batch.bin").read_bytes()[:-3])
        counts = self.json("estimate", "d", "batch.bin")["reports"]["by_reason"]
        self.assertEqual((counts["accepted"], counts["malformed"]), (4, 1))

    def test_refusals(self):
        directory = self.compile()
        self.batch([self.report(self.enrol(1)[0], 1)])
        self.stopped("io.cannot_read", "estimate", "d", "absent", exit_code=INPUT_OUTPUT)
        self.stopped("io.cannot_read", "estimate", "absent", "batch.bin", exit_code=INPUT_OUTPUT)
        self.assertIn("9", self.stopped("estimate.no_round", "estimate", "d", "batch.bin", "--round", 9))
        (directory / "master.key").unlink()
        self.stopped("estimate.no_key", "estimate", "d", "batch.bin")
        self.enrol(1, out="again.csv")
        (directory / "round-1.bin").write_bytes(b"x")
        self.assertIn("round-1.bin", self.stopped("study.changed", "estimate", "d", "batch.bin"))
        (directory / "study.sha256").unlink()
        self.stopped("wire.truncated", "estimate", "d", "batch.bin")


if __name__ == "__main__":
    main()
