# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A protocol is a folder and a row: with one more of them, help, study, simulate and compare know it."""

import json
import os
import subprocess

from sotto_case import SottoCase, main

TOY = "toy-vote"
FLEET = ["--users", "2000", "--dim", "8", "--nonzeros", "2", "--samples", "20", "--epsilon", "4", "--seed", "1"]


class Registry(SottoCase):
    def toy(self, *arguments, code=0):
        done = subprocess.run([os.environ["SOTTO_WITH_TOY"], *map(str, arguments)], capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, code, done.stderr)
        return done

    def test_help_lists_the_new_protocol_and_that_of_the_product_does_not(self):
        for verb in (["simulate"], ["study"], ["bench", "data"]):
            self.assertIn(TOY, self.toy(*verb, "--help").stdout)
            self.assertNotIn(TOY, self.sotto(*verb, "--help").stdout)

    def test_the_help_of_study_names_every_protocol_that_simulate_takes(self):
        usage = self.sotto("simulate", "--help").stdout
        listed = usage[usage.index("auto | cascade"):].split("--mechanism")[0].replace("collected once:", "|").replace(";", "|")
        names = [word.strip() for word in " ".join(listed.split()).split("|")]
        names = [name for name in names if name and name not in ("auto", "vote")]
        self.assertGreaterEqual(len(names), 13)
        text = self.sotto("study", "--help").stdout
        for name in names:
            self.assertIn(f'"{name}"', text)

    def test_a_study_compiles_to_it_and_the_product_refuses_the_name(self):
        file = self.work / "toy.toml"
        file.write_text(f'name = "toy"\n[privacy]\nepsilon = 4\n[protocol]\nkind = "{TOY}"\ndevices = 2000\nfeatures = 8\n')
        self.assertIn(TOY, self.toy("study", file).stdout)
        refused = self.sotto("study", file, code=1)
        self.assertIn("study.bad_value", refused.stderr)

    def test_it_is_simulated_from_the_study_to_the_model(self):
        out = self.work / "run"
        self.toy("simulate", "--protocol", TOY, *FLEET, "--out", out)
        self.assertEqual(json.loads((out / "model.json").read_text())["protocol"]["name"], TOY)
        self.assertIn(TOY, (out / "report.html").read_text())

    def test_compare_puts_its_family_side_by_side(self):
        table = self.toy("simulate", "--protocol", TOY, *FLEET, "--compare").stdout
        self.assertIn(f"{TOY} (paper)", table)
        self.assertNotIn("cascade", table.split("\n\n")[0] if "\n\n" in table else table)


if __name__ == "__main__":
    main()
