# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Everyday questions: number, count and event, from the study file to the page; and what is refused by name."""

import json
import math

from sotto_case import REFUSED, SOURCE, USAGE, SottoCase, main

EXAMPLES = {"number": "number.toml", "count": "count.toml", "event": "event.toml"}


class Studies(SottoCase):
    def test_the_examples_compile_and_a_device_lists_one_question_for_all_of_them(self):
        for kind, file in EXAMPLES.items():
            out = self.work / kind
            told = self.json("study", SOURCE / "examples" / file, "--out", out, "--header", self.work / f"{kind}.h")
            self.assertEqual(told["question"]["kind"], kind)
            self.assertIn("QUESTION sotto_number\n", (self.work / f"{kind}.h").read_text())
            decoded = self.sotto("decode", out / "round-1.bin", "--study", out).stdout
            self.assertIn("number", decoded)

    def test_bad_studies_are_refused_by_name(self):
        number = 'kind = "number"\ndevices = 1000\n'
        for code, part, question in (
                ("study.bad_value", "question.high is not above the lowest reading, 5", number + "low = 5\nhigh = 5"),
                ("study.bad_value", "question.high", number + "low = 5\nhigh = 4"),
                ("study.missing_key", "question.low", number + "high = 4"),
                ("study.wrong_type", "question.low must be a whole number", number + "low = 0.5\nhigh = 4"),
                ("study.bad_value", "question.high must be from", number + "low = 0\nhigh = 3000000000"),
                ("study.bad_value", "holds 1, and a quantile", number + "low = 0\nhigh = 9\nquantiles = [0.5, 1]"),
                ("study.bad_value", "holds 0, and a quantile", number + "low = 0\nhigh = 9\nquantiles = [0]"),
                ("study.bad_value", "different numbers", number + "low = 0\nhigh = 9\nquantiles = [0.5, 0.5]"),
                ("study.wrong_type", "an array of numbers", number + "low = 0\nhigh = 9\nquantiles = 0.5"),
                ("study.bad_value", "question.take must be one of", number + 'low = 0\nhigh = 9\ntake = "median"'),
                ("study.bad_value", "outside of the range", number + "low = 0\nhigh = 9\nmissing = 10"),
                ("study.unknown_key", "quantile", number + "low = 0\nhigh = 9\nquantile = 0.5"),
                ("study.missing_key", "question.devices", 'kind = "event"'),
                ("study.unknown_key", "high", 'kind = "event"\ndevices = 10\nhigh = 3')):
            self.refused(code, part, question=question)
        panel = '[schedule]\nevery = "week"\nperiods = '
        for code, part, question, schedule in (
                ("study.bad_value", "schedule.periods must be from 2 to 64", 'kind = "event"\ndevices = 1000', panel + "65"),
                ("protocol.too_many_cohorts", "ask at most 61", number + "low = 0\nhigh = 9", panel + "62"),
                ("protocol.no_schedule", "quantiles", number + "low = 0\nhigh = 9\nquantiles = [0.5]", panel + "4"),
                ("study.bad_value", "schedule.every", 'kind = "event"\ndevices = 1000', '[schedule]\nevery = "year"\nperiods = 3')):
            self.refused(code, part, question=question, extra=schedule)

    def test_a_protocol_table_does_not_take_an_everyday_kind(self):
        (self.work / "study.toml").write_text('name = "n"\n[privacy]\nepsilon = 1\n[protocol]\nkind = "number"\ndevices = 9\nfeatures = 2\n')
        self.assertIn("protocol.kind must be one of", self.sotto("study", "study.toml", code=1).stderr)


class Simulations(SottoCase):
    def test_the_error_of_an_event_is_that_of_its_formula(self):
        repeats, users, epsilon, share = 60, 2000, 1.0, 0.3
        metrics = self.json("simulate", "--protocol", "event", "--users", users, "--epsilon", epsilon, "--share", share,
                            "--repeat", repeats, "--seed", 5)["metrics"]
        e = math.exp(epsilon)
        reported = (share * (e - 1) + 1) / (e + 1)
        # The truth is the fleet's own share, so that only the channel's coins are in the error.
        noise = math.sqrt((reported * (1 - reported) - share * (1 - share) * ((e - 1) / (e + 1)) ** 2) / users) * (e + 1) / (e - 1)
        rmse = math.hypot(metrics["share_error"]["mean"], metrics["share_error"]["sd"] * math.sqrt(1 - 1 / repeats))
        self.assertLess(abs(rmse / noise - 1), 4 / math.sqrt(2 * repeats))  # alpha 6e-5
        self.assertGreater(metrics["coverage"]["mean"], 0.85)

    def test_a_number_is_learned_shown_and_read_again(self):
        told = self.json("simulate", "--protocol", "number", "--law", "two-modes", "--range-sd", "8", "--users", "6000", "--epsilon", "4",
                         "--seed", "2", "--out", "run")
        self.assertEqual(told["verdict"], "learned")
        self.assertLess(told["metrics"]["mean_error"]["mean"], 0.15)
        for name in ("sd_error", "histogram_l1", "rank_error_p50", "rank_error_p90", "rank_error_p99", "coverage"):
            self.assertEqual(set(told["metrics"][name]), {"mean", "sd", "median"})
        self.assertLessEqual(told["reports"]["bytes_per_report"], 34)
        model = json.loads((self.work / "run/model.json").read_text())["everyday"]
        names = [e["name"] for e in model["estimates"]]
        self.assertEqual([n for n in names if n != "clipped mean"], ["mean", "clipped standard deviation", "p50", "p90", "p99"])
        self.assertAlmostEqual(sum(cell["share"] for cell in model["cells"]), 1, places=6)
        page = (self.work / "run/report.html").read_text()
        self.sotto("report", "run/model.json", "--out", "again.html")
        self.assertEqual((self.work / "again.html").read_text(), page)
        for part in ("Distribution", "p99", "95 % interval"):
            self.assertIn(part, page)
        self.assertNotIn("oefficient", page, "there are none")
        self.assertNotRegex(told["everyday"]["kind"] + page, r"\d\.?\d*e\+\d", "numbers are in the reader's unit")

    def test_every_measure_that_a_kind_promises_has_mean_sd_and_median(self):
        number = ["mean_error", "sd_error", "histogram_l1", "rank_error_p50", "rank_error_p90", "rank_error_p99", "coverage"]
        for kind, options, promised in (("number", ("--law", "uniform", "--range-sd", "8", "--samples", "3"), number),
                                        ("count", ("--mean", "2"), ["mean_error", "coverage"]),
                                        ("event", ("--share", "0.3"), ["share_error", "coverage"]),
                                        ("category", (), ["share_error", "coverage"]),
                                        ("crosstab", (), ["share_error", "coverage"]),
                                        ("top", ("--zipf", "2", "--of", "id64"), ["recall_top10", "false_share", "coverage"]),
                                        ("top", ("--zipf", "2", "--of", "string"), ["recall_top10", "false_share", "coverage"])):
            told = self.json("simulate", "--protocol", kind, "--users", "4000", "--epsilon", "4", "--repeat", "2", "--seed", "6", *options)
            for name in promised:
                self.assertEqual(set(told["metrics"][name]), {"mean", "sd", "median"}, (kind, name))
                self.assertGreaterEqual(told["metrics"][name]["mean"], 0)
            self.assertEqual(told["repeat"], 2)

    def test_a_panel_is_drawn_with_its_band_and_charges_a_device_once(self):
        fleet = ("simulate", "--protocol", "event", "--users", "4000", "--share", "0.4", "--epsilon", "2", "--seed", "8")
        once, panel = self.json(*fleet), self.json(*fleet, "--periods", "6", "--out", "panel")
        self.assertEqual(len(panel["everyday"]["series"]), 6)
        page = (self.work / "panel/report.html").read_text()
        over_time = page[page.index("Over time"):]
        self.assertIn('class="band"', over_time)
        self.assertIn("week 6", over_time)
        for told in (once, panel):  # every device sent one report, with the whole epsilon
            self.assertEqual((told["privacy"]["epsilon_declared"], told["reports"]["sent_now"]), (2, 4000))

    def test_too_few_devices_for_an_unknown_scale_are_told_so(self):
        told = self.json("simulate", "--protocol", "number", "--range-sd", "200", "--users", "400", "--epsilon", "0.5", "--repeat", "5")
        self.assertEqual(told["verdicts"]["learned"], 0)
        self.assertGreaterEqual(told["verdicts"]["cannot learn"], 4)
        rare = self.json("simulate", "--protocol", "count", "--mean", "0.02", "--users", "4000", "--epsilon", "1")
        self.assertEqual(rare["verdict"], "cannot learn")

    def test_a_count_is_learned_and_a_panel_has_one_estimate_a_period(self):
        told = self.json("simulate", "--protocol", "count", "--mean", "2", "--users", "8000", "--epsilon", "4", "--seed", "3", "--periods", "3")
        self.assertLess(told["metrics"]["relative_error"]["mean"], 0.25)
        self.assertEqual([p["name"] for p in told["everyday"]["series"]], ["week 1", "week 2", "week 3"])

    def test_a_file_may_have_one_column_or_others_of_any_kind(self):
        (self.work / "one.csv").write_text("boot\n" + "\n".join(str(900 + i % 200) for i in range(3000)) + "\n")
        rows = [f"{'NA' if i % 10 == 0 else 900 + i % 200},device-{i // 3},free text {i}" for i in range(9000)]
        (self.work / "many.csv").write_text("boot,device,note\n" + "\n".join(rows) + "\n")
        number = ("simulate", "--protocol", "number", "--epsilon", "4", "--quantiles", "none", "--target", "boot")
        self.assertEqual(self.json(*number, "--data", "one.csv")["reports"]["sent_now"], 3000)
        self.assertEqual(self.json(*number, "--data", "many.csv")["reports"]["sent_now"], 8100)
        self.assertEqual(self.json(*number, "--data", "many.csv", "--user-column", "device")["reports"]["sent_now"], 3000)
        for column, code in (("note", "data.not_a_number"), ("none", "data.unknown_column")):
            self.refused_code(code, *number[:-1], column, "--data", "many.csv")

    def test_a_few_readings_far_outside_are_not_hidden_by_the_verdict(self):
        rows = [f"{900 + i % 200}" if i % 100 >= 3 else "60000" for i in range(12000)]
        (self.work / "far.csv").write_text("boot,other\n" + "\n".join(f"{r},1" for r in rows) + "\n")
        told = self.json("simulate", "--protocol", "number", "--data", "far.csv", "--target", "boot", "--epsilon", "1",
                         "--quantiles", "none", "--repeat", "4", "--seed", "9")
        self.assertEqual(told["verdicts"]["learned"], 0)
        self.assertEqual(told["metrics"]["coverage_mean"]["mean"], 1)

    def test_a_count_far_above_the_clip_is_in_the_interval_of_the_mean(self):
        rows = ["3000" if i % 200 == 0 else str(i % 4) for i in range(8000)]
        (self.work / "far.csv").write_text("errors,other\n" + "\n".join(f"{r},1" for r in rows) + "\n")
        told = self.json("simulate", "--protocol", "count", "--data", "far.csv", "--target", "errors", "--epsilon", "1",
                         "--repeat", "4", "--seed", "9")
        self.assertEqual(told["verdicts"]["learned"], 0)
        self.assertEqual(told["metrics"]["coverage_mean"]["mean"], 1)

    def test_options_are_taken_or_refused_by_name(self):
        number = ("simulate", "--protocol", "number", "--users", "3000", "--epsilon", "4", "--seed", "4")
        told = self.json(*number, "--quantiles", "none", "--tight", "--law", "uniform", "--range-sd", "4")
        self.assertEqual([e["name"] for e in told["everyday"]["estimates"]], ["mean", "standard deviation"])
        told = self.json(*number, "--periods", "2", "--range-sd", "8")
        self.assertEqual(len(told["everyday"]["series"]), 2)
        self.refused_code("protocol.no_schedule", *number, "--periods", "2", "--quantiles", "0.5")
        told = self.json("simulate", "--protocol", "event", "--users", "20000", "--share", "0.5", "--empty", "0.5", "--epsilon", "4")
        self.assertLess(abs(told["everyday"]["estimates"][0]["value"] - 0.25), 0.03)
        for option, value in (("--dim", "5"), ("--noise", "2"), ("--mechanism", "paper"), ("--share", "0.1"), ("--categories", "4"),
                              ("--transform", "log"), ("--validation", "0.1"), ("--target", "x")):
            ran = self.sotto(*number, option, value, code=USAGE)
            self.assertIn(option, ran.stderr, option)
        (self.work / "rows.csv").write_text("x,y\n" + "1,2\n" * 30)
        ran = self.sotto("simulate", "--protocol", "number", "--epsilon", "1", "--data", "rows.csv", "--target", "x", "--users", "9", code=USAGE)
        self.assertIn("--users", ran.stderr)

    def refused_code(self, code, *arguments):
        self.assertEqual(self.json(*arguments, code=REFUSED)["error"]["code"], code)

    def test_readings_of_users_in_a_file(self):
        rows = ["user,temperature,other"] + [f"u{i // 3},{20 + i % 7 / 2},1" for i in range(3000)]
        (self.work / "rows.csv").write_text("\n".join(rows) + "\n")
        told = self.json("simulate", "--protocol", "number", "--data", "rows.csv", "--target", "temperature", "--user-column", "user",
                         "--epsilon", "4")
        self.assertIn("mean_error", told["metrics"])
        self.assertEqual(told["everyday"]["estimates"][0]["unit"], "0.0001 temperature")

    def test_a_file_is_asked_within_the_range_that_is_stated(self):
        rows = ["boot,other"] + [f"{500 + 7 * (i % 300)},1" for i in range(3000)]
        (self.work / "rows.csv").write_text("\n".join(rows) + "\n")
        number = ("simulate", "--protocol", "number", "--data", "rows.csv", "--target", "boot", "--epsilon", "4", "--quantiles", "none")
        told = self.json(*number, "--low", "0", "--high", "60000", "--out", "run")
        self.assertRegex((self.work / "run/study.toml").read_text(), r"low = 0\nhigh = 60000\n")
        self.assertIn("--low 0 --high 60000", told["command"])
        self.assertIn("low = 5000\n", self.study_of(*number, "--high", "1500"))  # tenths, with which the range has 10,000 steps
        for low, high in (("9", "3"), ("0", "1e300"), ("nan", "5")):
            self.refused_code("simulate.bad_range", *number, "--low", low, "--high", high)
        self.sotto("simulate", "--protocol", "number", "--users", "99", "--epsilon", "1", "--low", "3", code=USAGE)
        self.sotto("simulate", "--protocol", "event", "--data", "rows.csv", "--target", "other", "--epsilon", "1", "--high", "3", code=USAGE)
        self.refused_code("data.not_an_event", "simulate", "--protocol", "event", "--data", "rows.csv", "--target", "boot", "--epsilon", "1")

    def study_of(self, *arguments):
        self.json(*arguments, "--out", "again")
        return (self.work / "again/study.toml").read_text()

    def test_the_values_of_a_file_are_counted_in_whole_numbers(self):
        (self.work / "rows.csv").write_text("restarts,other\n" + "".join(f"{i % 5},1\n" for i in range(4000)))
        told = self.json("simulate", "--protocol", "count", "--data", "rows.csv", "--target", "restarts", "--epsilon", "4")
        self.assertLess(abs(told["everyday"]["estimates"][0]["value"] - 2), 0.5)


if __name__ == "__main__":
    main()
