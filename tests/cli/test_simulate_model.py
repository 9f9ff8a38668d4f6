# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto simulate of a protocol: the keys that scripts rely on, that seeds repeat, and that hard fleets still give a sensible model."""

import json

from protocol_case import FLEET, ProtocolCase
from sotto_case import INPUT_OUTPUT, REFUSED, USAGE, main

# Enough devices and signal that every protocol finds its variables; below this F1 something is broken.
ROWS = ("--samples", 60)
LEARNS = ("simulate", "--users", 2000, "--dim", 64, "--nonzeros", 3, "--signal", 0.5, "--epsilon", 4)


class SimulateModel(ProtocolCase):
    def without_time(self, *more):
        result = self.json(*FLEET, *more)
        del result["timing"]
        return result

    def test_the_json_has_the_keys_that_scripts_rely_on(self):
        result = self.json(*FLEET, "--repeat", 2)
        self.assertEqual(sum(result["verdicts"].values()), 2)
        count = ", ".join(f"{number} {verdict}" for verdict, number in result["verdicts"].items())
        self.assertIn(f"verdicts    {count} of 2 fleets", self.sotto(*FLEET, "--repeat", 2).stdout)
        for metric in ("l2_squared_error", "relative_error", "f1"):
            self.assertEqual(set(result["metrics"][metric]), {"mean", "sd", "median"})
        self.assertNotIn("test_mse_ratio", result["metrics"])
        self.assertEqual(result["reports"]["count"], 800)
        self.assertEqual(result["reports"]["refused"], 0)
        self.assertGreaterEqual(result["reports"]["bytes_per_report"], 33)
        self.assertGreater(result["timing"]["seconds"], 0)
        self.assertLessEqual(result["privacy"]["epsilon_delivered"], 4)
        self.assertGreater(result["privacy"]["epsilon_delivered"], 3.9)
        self.assertEqual(result["privacy"]["delta"], 0)
        self.assertIn(result["verdict"], ("learned", "uncertain", "cannot learn"))
        self.assertEqual(sum(result["verdicts"].values()), 2)

    def test_wrong_offsets_and_scales_change_nothing_in_own_units_and_harm_stated_ones(self):
        right = self.without_time("--validation", 0.2, "--repeat", 2)
        self.assertLessEqual({"r2", "low", "high", "devices"}, right["validation"].keys())
        self.assertLessEqual({"false_found", "coverage", "true_gain", "gain_covered", "false_learned"}, right["metrics"].keys())
        self.assertLess(right["validation"]["low"], right["validation"]["r2"])
        self.assertLess(right["validation"]["r2"], right["validation"]["high"])
        self.assertAlmostEqual(right["validation"]["devices"], 80, delta=35)
        wrong = ("--misstate-offset", 3, "--misstate-scale", 16)
        own = self.without_time("--validation", 0.2, "--repeat", 2, "--units", "device", "--centre", "device", *wrong)
        self.assertEqual(own["metrics"], right["metrics"])
        self.assertEqual(own["coefficients"], right["coefficients"])
        stated = self.without_time("--repeat", 2, "--units", "stated", "--centre", "fleet", *wrong)
        self.assertGreater(stated["metrics"]["l2_squared_error"]["mean"], 3 * right["metrics"]["l2_squared_error"]["mean"])

    def test_without_a_signal_or_a_measurement_nothing_is_learned(self):
        null = self.json("simulate", "--users", 400, "--dim", 64, "--samples", 40, "--signal", 0, "--assume-norm", 0.6, "--epsilon", 4, "--repeat", 3)
        self.assertEqual(null["verdicts"]["learned"], 0)
        self.assertEqual(self.json(*FLEET, "--validation", 0)["verdict"], "not measured")

    def test_the_result_depends_on_the_seed_and_not_on_the_threads(self):
        one = self.without_time("--seed", 5, "--threads", 1)
        self.assertEqual(one, self.without_time("--seed", 5, "--threads", 3))
        self.assertNotEqual(one["metrics"], self.without_time("--seed", 6)["metrics"])

    def test_out_writes_the_run_and_going_on_with_it_changes_nothing(self):
        printed = self.json(*FLEET, "--out", "made")
        written = json.loads((self.work / "made/result.json").read_text())
        self.assertEqual(printed, written)
        rounds = len(list((self.work / "made").glob("round-*.bin")))
        self.assertGreater(rounds, 1)
        for name in ("study.toml", "manifest.bin", "run.sqlite", "model.json", "report.html"):
            self.assertTrue((self.work / "made" / name).exists(), name)
        self.assertEqual(self.json("study", "made/study.toml")["protocol"]["rounds"], rounds)
        model = (self.work / "made/model.json").read_bytes()
        self.sotto(*FLEET, "--out", "made")
        self.assertEqual((self.work / "made/model.json").read_bytes(), model)
        other = self.sotto(*FLEET, "--out", "made", "--seed", 2, code=REFUSED)
        self.assertIn("code: simulate.other_run", other.stderr)
        self.assertEqual((self.work / "made/model.json").read_bytes(), model)

    def test_a_fleet_that_can_learn_does(self):
        result = self.json(*LEARNS, *ROWS)
        self.assertGreaterEqual(result["metrics"]["f1"]["mean"], 0.8)
        self.assertLess(result["metrics"]["relative_error"]["mean"], 0.15)
        self.assertEqual(result["verdict"], "learned")

    def test_boost_comes_close_to_the_coefficients(self):
        # It keeps what it once added, so its F1 says little; a model of zeros would have a relative error of 1.
        self.assertLess(self.json(*LEARNS, *ROWS, "--protocol", "boost")["metrics"]["relative_error"]["mean"], 0.5)

    def test_sparse_means_are_learned(self):
        result = self.json(*LEARNS, *ROWS, "--protocol", "sparse-mean")
        self.assertEqual(result["protocol"], "sparse-mean")
        self.assertGreaterEqual(result["metrics"]["f1"]["mean"], 0.8)
        self.assertLess(result["metrics"]["relative_error"]["mean"], 0.15)

    def test_devices_that_never_send_cost_reports_and_not_the_model(self):
        result = self.json(*LEARNS, *ROWS, "--dropout", 0.3)
        # 2000 coins of 0.7: 5 standard deviations are 102.
        self.assertAlmostEqual(result["reports"]["count"], 1400, delta=102)
        self.assertGreaterEqual(result["metrics"]["f1"]["mean"], 0.8)
        self.assertLess(result["metrics"]["relative_error"]["mean"], 0.15)

    def test_devices_with_nothing_to_say_are_divided_out(self):
        result = self.json(*LEARNS, *ROWS, "--empty", 0.3, "--out", "made")
        self.assertEqual(result["reports"]["count"], 2000)
        self.assertGreaterEqual(result["metrics"]["f1"]["mean"], 0.8)
        self.assertLess(result["metrics"]["relative_error"]["mean"], 0.15)
        model = json.loads((self.work / "made/model.json").read_text())
        self.assertAlmostEqual(model["empty"]["share"], 0.3, delta=0.1)

    def test_devices_may_hold_different_numbers_of_rows(self):
        result = self.json(*LEARNS, "--samples", "20:200")
        self.assertGreaterEqual(result["metrics"]["f1"]["mean"], 0.8)
        self.assertLess(result["metrics"]["relative_error"]["mean"], 0.15)

    def test_a_fleet_that_is_too_small_says_so(self):
        result = self.json("simulate", "--users", 100, "--dim", 256, "--samples", 20, "--epsilon", 0.5)
        self.assertNotEqual(result["verdict"], "learned")

    def test_all_protocols_side_by_side(self):
        rows = self.json(*FLEET, "--compare")["comparison"]
        self.assertLessEqual({"cascade", "boost"}, {row["protocol"] for row in rows})
        for row in rows:
            self.assertEqual(set(row["metrics"]["l2_squared_error"]), {"mean", "sd", "median"})
            self.assertIn("4 nats", row["guarantee"])


class Arguments(ProtocolCase):
    def refused(self, code, exit_code=REFUSED, **changes):
        options = {"users": 100, "dim": 16, "epsilon": 1, "nonzeros": 2, "out": "made", **changes}
        arguments = [word for key, value in options.items() if value is not None for word in (f"--{key.replace('_', '-')}", value)]
        ran = self.sotto("simulate", *arguments, code=exit_code)
        self.assertEqual(ran.stdout, "")
        self.assertIn(code, ran.stderr)
        self.assertIn("fix:", ran.stderr)
        self.assertFalse((self.work / "made/model.json").exists())
        return ran.stderr

    def test_what_cannot_be_read_is_a_usage_error(self):
        self.assertIn("cascade", self.refused("--protocol", USAGE, protocol="cascad"))
        self.refused("there is no fleet", USAGE, users=None)
        self.refused("there is no fleet", USAGE, dim=None)
        self.refused("--users", USAGE, users="many")
        self.refused("--users", USAGE, users=-1)
        self.refused("--dropout", USAGE, dropout=1.5)
        self.refused("--dropout", USAGE, dropout="nan")
        self.refused("--empty", USAGE, empty=-0.1)
        self.refused("--repeat", USAGE, repeat=0)
        self.refused("--threads", USAGE, threads=0)
        self.refused("--mechanism", USAGE, mechanism="other")
        self.refused("--signs", USAGE, signs="negative")
        self.refused("--assume-sparsity", USAGE, assume_sparsity=0)

    def test_what_cannot_be_done_is_refused_by_name(self):
        for epsilon in (0, -1, "nan", "inf", 12.5):
            self.assertIn("--epsilon", self.refused("code: study.bad_epsilon", epsilon=epsilon))
        self.refused("code: simulate.bad_features", dim=1, nonzeros=1)
        self.assertIn("70000", self.refused("code: simulate.", dim=70000))
        self.refused("code: simulate.bad_samples", samples="20:10")
        self.refused("code: simulate.bad_samples", samples=0)
        self.refused("code: simulate.bad_signal", signal="strong")
        self.refused("code: simulate.bad_noise", noise="uniform:x")
        self.refused("code: simulate.bad_design", design="other")
        self.assertIn("17 of 16", self.refused("code: simulate.", nonzeros=17))

    def test_out_that_cannot_be_written_is_an_output_error(self):
        (self.work / "file").write_text("")
        self.refused("code: io.cannot_write", INPUT_OUTPUT, out="file/below")


if __name__ == "__main__":
    main()
