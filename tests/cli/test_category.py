# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""category, crosstab and top through the command line: studies, simulations, files of words, stored runs, refusals."""
import csv
import json
import os
import subprocess

from sotto_case import REFUSED, SOURCE, USAGE, SottoCase, main

COMMON = ("--epsilon", "4", "--seed", "11")
DEVICE = os.environ["SOTTO_ONE_ANSWER"]


class Category(SottoCase):
    def metrics(self, *arguments):
        return self.json("simulate", *arguments, *COMMON)["metrics"]

    def test_every_example_is_a_study_whose_first_round_firmware_can_answer(self):
        for kind, question in (("category", "sotto_vote_given"), ("crosstab", "sotto_vote_given"), ("top", "sotto_top")):
            file = SOURCE / f"examples/{kind}.toml"
            self.assertIn("epsilon", self.sotto("study", file).stdout)
            self.sotto("study", file, "--out", f"made-{kind}", "--header", f"{kind}.h")
            self.assertIn(f"QUESTION {question}\n", (self.work / f"{kind}.h").read_text())

    def test_shares_of_categories_come_with_intervals(self):
        made = self.json("simulate", "--protocol", "category", "--users", "4000", "--categories", "5", *COMMON)
        self.assertLess(made["metrics"]["share_error"]["mean"], 0.2)
        cells = made["everyday"]["cells"]
        self.assertEqual(len(cells), 6)  # with none of these
        self.assertAlmostEqual(sum(c["share"] for c in cells), 1, places=6)
        for cell in cells:
            self.assertLessEqual(cell["low"], cell["share"])
            self.assertLessEqual(cell["share"], cell["high"])
        self.assertLessEqual(made["reports"]["bytes_per_report"], 34)

    def test_common_ids_are_found_and_confirmed(self):
        made = self.json("simulate", "--protocol", "top", "--users", "20000", "--zipf", "1.5", "--of", "id64", *COMMON)
        self.assertGreaterEqual(made["metrics"]["recall_top10"]["mean"], 0.3)
        self.assertEqual(made["metrics"]["false_share"]["mean"], 0)
        self.assertLessEqual(made["reports"]["bytes_per_report"], 34)
        self.assertRegex(made["everyday"]["items"][0]["name"], "^0x[0-9a-f]{16}$")

    def test_a_fleet_that_is_too_small_finds_nothing_and_says_so(self):
        made = self.json("simulate", "--protocol", "top", "--users", "300", "--epsilon", "0.5", "--seed", "3")
        self.assertEqual(made["verdict"], "cannot learn")
        self.assertEqual(made["everyday"]["items"], [])

    def test_the_papers_tree_names_ids_and_claims_nothing(self):
        made = self.json("simulate", "--protocol", "top", "--users", "40000", "--zipf", "2.5", "--mechanism", "paper", *COMMON)
        self.assertEqual(made["verdict"], "uncertain")
        self.assertGreaterEqual(made["metrics"]["recall_top10"]["mean"], 0.1)
        told = self.sotto("simulate", "--protocol", "top", "--of", "string", "--users", "1000", "--mechanism", "paper", *COMMON,
                          code=REFUSED)
        self.assertIn("64 cohorts", told.stderr)
        told = self.sotto("simulate", "--protocol", "category", "--users", "1000", "--mechanism", "paper", *COMMON, code=USAGE)
        self.assertIn("category takes no --mechanism", told.stderr)

    def test_words_are_no_ids(self):
        (self.work / "crashes.csv").write_text("component\n" + "heap\nradio\n" * 50)
        told = self.json("simulate", "--protocol", "top", "--data", "crashes.csv", "--target", "component", *COMMON, code=REFUSED)
        self.assertEqual(told["error"]["code"], "simulate.bad_id")

    def test_strings_of_a_file_are_found_in_two_steps(self):
        names = ["heap", "radio driver", "über", "a name that is longer than sixteen bytes"]
        rows = [names[min(i % 7, 3)] for i in range(20000)]
        (self.work / "crashes.csv").write_text("component\n" + "\n".join(rows) + "\n")
        made = self.json("simulate", "--protocol", "top", "--of", "string", "--data", "crashes.csv", "--target", "component", *COMMON)
        found = [item["name"] for item in made["everyday"]["items"]]
        self.assertCountEqual(found, ["heap", "radio driver", "über", "a name that is l"])
        self.assertEqual(made["metrics"]["recall_top10"]["mean"], 1)

    def test_words_of_a_file_are_categories_and_cells(self):
        rows = [(("red", "green")[i % 2], ("small", "large")[(i // (2 if i % 8 else 1)) % 2]) for i in range(6000)]
        (self.work / "things.csv").write_text("colour,size\n" + "\n".join(",".join(r) for r in rows) + "\n")
        given = ("--data", "things.csv", "--target", "colour")
        self.assertGreaterEqual(self.metrics("--protocol", "category", *given)["coverage"]["mean"], 0.6)
        made = self.json("simulate", "--protocol", "crosstab", *given, "--columns", "size", *COMMON)
        self.assertEqual(made["everyday"]["rows"], ["green", "red"])
        self.assertEqual(len(made["everyday"]["cells"]), 5)
        told = self.json("simulate", "--protocol", "crosstab", *given, "--columns", "weight", *COMMON, code=REFUSED)
        self.assertEqual(told["error"]["code"], "data.unknown_column")

    def test_a_stored_run_is_read_again_and_drawn(self):
        for kind, options in (("category", ()), ("crosstab", ("--association", "0.5")), ("top", ("--zipf", "1.5"))):
            made = self.json("simulate", "--protocol", kind, "--users", "12000", *options, *COMMON, "--out", kind)
            model = json.loads((self.work / kind / "model.json").read_text())
            self.assertEqual(model["everyday"], made["everyday"])
            self.sotto("report", f"{kind}/model.json", "--out", f"{kind}.html")
            page = (self.work / f"{kind}.html").read_text()
            self.assertIn({"category": "Shares", "crosstab": "The cross-tab", "top": "The most common items"}[kind], page)

    def test_lists_and_lengths_that_make_no_sense_are_named(self):
        for question, named in (('kind = "category"\ncategories = ["one"]', "categories"),
                                ('kind = "category"\ncategories = 1', "categories"),
                                ('kind = "category"\ncategories = 1000000000', "top"),
                                ('kind = "category"\ncategories = ["a", "a"]', "repeated"),
                                ('kind = "crosstab"\nrows = 64\ncolumns = 64', "4096 cells"),
                                ('kind = "top"\nof = "string"\nlength = 33', "length"),
                                ('kind = "top"\nof = "string"', "length"),
                                ('kind = "top"\nof = "bytes"', "id64")):
            study = self.study(question=question + "\ndevices = 1000")
            self.assertIn(named, self.sotto("study", study, code=REFUSED).stderr, question)
        for question in ('kind = "top"\nof = "id64"\nlength = 4', 'kind = "crosstab"\nrows = 2\ncolumns = 2'):
            extra = "[schedule]\nevery = \"week\"\nperiods = 3" if "rows" in question else ""
            self.sotto("study", self.study(question=question + "\ndevices = 1000", extra=extra), code=REFUSED)

    def test_a_device_answers_through_c_with_a_name_of_any_length(self):
        study = self.study(privacy="epsilon = 4.0", question='kind = "top"\nof = "string"\nlength = 16\ndevices = 1000',
                           extra="[study]\nauthenticated = true")
        self.sotto("study", study, "--out", "run")
        self.sotto("enrol", "run", "--count", 150, "--out", "credentials.csv")  # a ninth of them is asked in round 1
        with open(self.work / "credentials.csv", newline="", encoding="utf-8") as file:
            issued = list(csv.DictReader(file))
        reports = []
        for i, one in enumerate(issued):
            command = [DEVICE, f"device-{i}.ledger", "run/manifest.bin", "run/round-1.bin", one["pseudonym"], one["key"], "=" + "x" * (4 * (i % 20))]
            ran = subprocess.run(command, capture_output=True, text=True, cwd=self.work, timeout=60)
            if ran.returncode == 0:
                reports.append(ran.stdout.strip())
            else:
                self.assertIn("cohort", ran.stderr)
        self.assertTrue(reports)
        self.assertEqual({len(r) for r in reports}, {66})  # 33 bytes in hex, whatever the length of the name
        (self.work / "reports.hex").write_text("\n".join(reports) + "\n")
        self.assertIn("top", self.sotto("decode", "reports.hex", "--study", "run").stdout)


if __name__ == "__main__":
    main()
