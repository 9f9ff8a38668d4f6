# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Label studies and federated steps from the command line: study, simulate, design, estimate, decode, report, and bad input by name."""

import csv
import json

from protocol_case import NAMES, ProtocolCase
from sotto_case import INPUT_OUTPUT, REFUSED, USAGE, main

LABELS = ("simulate", "--protocol", "label-iht", "--users", 3000, "--dim", 40, "--nonzeros", 8, "--signal", "uniform", "--noise", "uniform:0.05",
          "--design", "rademacher", "--epsilon", 4)
KIND = 'kind = "label-iht"\ndevices = 4000\nsparsity = 2\nnoise = 0.5\ntarget_deviation = 1'


class Labels(ProtocolCase):
    def test_a_study_says_which_way_and_whose_rows(self):
        text = self.sotto("study", self.protocol(KIND)).stdout
        for part in ("protocol    label-iht: labels by ", "has the least variance", "signal to noise", "a label study identifies rows",
                     "the features of every row, and which pseudonym a row belongs to", "delta 0"):
            self.assertIn(part, text)
        noisy = self.protocol(KIND + '\nlabel = "gaussian"', epsilon="4\ndelta = 1e-5")
        result = self.json("study", noisy)
        self.assertEqual(result["channel"]["stem"], "gaussian")
        self.assertAlmostEqual(result["privacy"]["delta"], 1e-5)
        self.assertEqual(result["privacy"]["delta_units"], 184467440737095)
        self.sotto("study", noisy, "--out", "d")
        manifest = self.json("decode", "d/manifest.bin")["objects"][0]["fields"]
        self.assertEqual(manifest["delta"], "1e-05 (184467440737095 of 2^-64)")
        self.assertTrue(manifest["unit"].startswith("label"))
        self.assertEqual(self.json("decode", "d/round-1.bin")["objects"][0]["fields"]["recipe"], "target")

    def test_bad_studies_are_refused_by_name(self):
        for epsilon, protocol, code in (("4\ndelta = 1e-4", KIND + '\nlabel = "gaussian"', "study.bad_delta"),
                                        ("3\ndelta = 1e-6", KIND + '\nlabel = "gaussian"', "study.bad_delta"),
                                        ("4\ndelta = 1e-6", KIND, "study.bad_delta"),
                                        ("4\ndelta = 2", KIND, "study.bad_delta"),
                                        ('4\ndelta = "much"', KIND, "study.wrong_type"),
                                        ("4", KIND + '\nlabel = "two-bit"', "study.bad_value"),
                                        ("4", KIND + '\ntarget_law = "cauchy"', "study.bad_value"),
                                        ("4", KIND.replace("target_deviation = 1", "target_deviation = -1"), "study.bad_value"),
                                        ("4", 'kind = "cascade"\ndevices = 4000\nlink = "cosine"', "protocol.no_link")):
            refused = self.sotto("study", self.protocol(protocol, epsilon=epsilon), code=REFUSED)
            self.assertIn(f"code: {code}", refused.stderr, protocol)
        self.sotto(*LABELS, "--label", "gaussian", code=USAGE)
        hopeless = self.sotto("study", self.protocol(KIND.replace("4000", "4")), "--out", "never", code=REFUSED)
        self.assertIn("code: protocol.hopeless", hopeless.stderr)

    def test_a_run_is_estimated_again_from_its_directory(self):
        made = self.json(*LABELS, "--assume-law", "normal", "--out", "run", "--dropout", 0.1)
        self.assertEqual(made["verdict"], "learned")
        self.assertLess(made["metrics"]["relative_error"]["mean"], 0.15)
        self.assertIn("target of one record", made["privacy"]["unit"])
        model = (self.work / "run/model.json").read_bytes()
        again = self.json("estimate", "run")
        self.assertEqual(json.loads(model), again["model"])
        self.assertIn("label-iht", self.sotto("report", "run").stdout + (self.work / "run/report.html").read_text())
        self.assertIn("label", self.sotto("decode", "run").stdout)
        (self.work / "run/design.bin").rename(self.work / "run/elsewhere")
        lost = self.sotto("estimate", "run", code=REFUSED)
        self.assertIn("code: protocol.no_design", lost.stderr)

    def test_ways_are_compared_side_by_side(self):
        rows = self.json(*LABELS, "--compare", "--delta", 1e-3)["comparison"]
        self.assertEqual([(row["protocol"], row["label"]) for row in rows],
                         [("label-iht", "one-bit"), ("label-iht", "window"), ("label-iht", "laplace"), ("label-iht", "gaussian"), ("label-lasso", "auto")])
        self.assertIn("delta 0.001", rows[3]["guarantee"])
        self.assertIn("pure", rows[0]["guarantee"])

    def test_features_of_a_real_study_become_a_design(self):
        self.sotto("study", self.protocol(KIND, study="minimum = 1"), "--out", "real")
        (self.work / "ids.txt").write_text("".join(f"machine-{i}\n" for i in range(20)))
        self.sotto("enrol", "real", "--ids", "ids.txt", "--out", "credentials.csv")
        with open(self.work / "features.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", *reversed(NAMES)])
            for i in range(22):
                for _ in range(20):  # the study counts with 20 rows a device, of which coins choose one
                    writer.writerow([f"machine-{i}", *(10 * i + j for j in range(len(NAMES)))])
        made = self.json("design", "real", "features.csv", "--credentials", "credentials.csv")
        self.assertEqual((made["rows"], made["features"], made["without_pseudonym"]), (20, 6, 2))
        self.assertEqual((self.work / "real/design.bin").stat().st_size, 56 + 20 * (8 + 12) + 32)
        for arguments, code, exits in ((("features.csv", "--credentials", "ids.txt"), "design.bad_credentials", REFUSED),
                                       (("none.csv", "--credentials", "credentials.csv"), "io.cannot_read", INPUT_OUTPUT),
                                       (("features.csv", "--credentials", "credentials.csv", "--id-column", "di"), "data.unknown_column", REFUSED)):
            self.assertIn(f"code: {code}", self.sotto("design", "real", *arguments, code=exits).stderr)
        (self.work / "few.csv").write_text("id,door\nmachine-1,3\nmachine-2,4\n")
        self.assertIn("code: design.missing_feature", self.sotto("design", "real", "few.csv", "--credentials", "credentials.csv", code=REFUSED).stderr)

    def test_federated_steps_tell_classes_apart(self):
        result = self.json("simulate", "--protocol", "federated-ht", "--link", "logistic", "--users", 900, "--samples", 40, "--dim", 40,
                           "--nonzeros", 5, "--signal", 0.4, "--epsilon", 8)
        metrics = result["metrics"]
        halfway = (metrics["test_error_limit"]["mean"] + metrics["test_error_chance"]["mean"]) / 2
        self.assertLess(metrics["test_error"]["mean"], halfway)
        self.assertEqual(result["protocol"], "federated-ht")
        self.assertTrue(all(c["low"] is None for c in result["coefficients"]))


if __name__ == "__main__":
    main()
