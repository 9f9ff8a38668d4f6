# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto study with [protocol]: what it shows and compiles to, and every bad file refused with line, value and fix."""

import os
import re

from protocol_case import ProtocolCase
from sotto_case import REFUSED, SOURCE, main

EXAMPLE = SOURCE / "examples/regression.toml"


class StudyProtocol(ProtocolCase):
    def test_the_example_shows_protocol_cohorts_assumptions_and_promise(self):
        text = self.sotto("study", EXAMPLE).stdout
        for part in ("study       heat-pump-consumption", "protocol    cascade: ", "learns      consumption (Wh) from 16 features", "% of devices, about",
                     "assumed public", "at most about 4 of 16 features matter", "What one report tells"):
            self.assertIn(part, text)
        devices = [int(n) for n in re.findall(r"% of devices, about (\d+)", text)]
        self.assertAlmostEqual(sum(devices), 60000, delta=len(devices))

    def test_the_json_says_the_same(self):
        result = self.json("study", EXAMPLE)
        protocol = result["protocol"]
        self.assertEqual(protocol["kind"], "cascade")
        self.assertIn("rows", protocol["why"])
        self.assertEqual(protocol["rounds"], len(protocol["weights"]))
        self.assertGreater(protocol["rounds"], 1)
        self.assertGreaterEqual(len(protocol["assumed_public"]), 4)
        self.assertEqual((protocol["units"], protocol["centre"], protocol["devices"], protocol["validators"]), ("device", "device", 60000, 3000))
        self.assertLessEqual(result["privacy"]["epsilon_delivered"], 3)
        self.assertEqual(len(result["question"]["features"]), 16)

    def test_out_writes_what_devices_load(self):
        compiled = self.json("study", EXAMPLE, "--out", "d")["compiled"]
        self.assertEqual(sorted(os.listdir(self.work / "d")), ["manifest.bin", "round-1.bin", "study.sha256", "study.toml"])
        manifest = self.json("decode", "d/manifest.bin")["objects"][0]["fields"]
        self.assertEqual(manifest["questions"], "vote, value, direction")
        self.assertEqual(manifest["digest"], compiled["study_digest"])
        self.assertTrue(self.json("study", EXAMPLE, "--out", "d")["compiled"]["unchanged"])
        text = self.sotto("study", EXAMPLE, "--out", "e").stdout
        self.assertIn("round       e/round-1.bin", text)

    def test_the_protocol_follows_from_the_study(self):
        def kind(**changes):
            return self.json("study", self.protocol(**changes))["protocol"]["kind"]
        self.assertEqual(kind(), "cascade")
        self.assertEqual(kind(protocol='kind = "auto"\ndevices = 60\nsparsity = 4\ncorrelated = true'), "boost")
        self.assertEqual(kind(protocol='kind = "sparse-mean"\ndevices = 60\nsparsity = 4'), "sparse-mean")
        self.assertEqual(kind(protocol='devices = 60\nsparsity = 4'), "cascade")

    def names_only(self, features, devices, epsilon):
        names = ", ".join(f'"f{i}"' for i in range(features))
        (self.work / "names.toml").write_text(
            f'name = "names"\n[privacy]\nepsilon = {epsilon}\n[study]\nsamples = 40\n[protocol]\nkind = "auto"\ndevices = {devices}\n'
            f'features = [{names}]\n[target]\nname = "y"\n')
        return "names.toml"

    def test_a_fleet_that_cannot_learn_is_told_before_anything_is_spent(self):
        study = self.names_only(64, 50, 0.5)
        self.assertIn("outlook     cannot learn, and nobody would be asked: ", self.sotto("study", study).stdout)
        self.assertIn("devices, or a larger epsilon", self.json("study", study)["protocol"]["outlook"]["cannot_learn"])
        refused = self.json("study", study, "--out", "never", code=REFUSED)["error"]
        self.assertEqual(refused["code"], "protocol.hopeless")
        self.assertIn("standard errors out of the noise", refused["what"])

    def test_a_cohort_that_cannot_tell_a_model_from_none_is_told(self):
        few, many = (self.json("study", self.names_only(8, n, epsilon))["protocol"]["outlook"] for n, epsilon in ((400, 1), (2000, 4)))
        self.assertFalse(few["can_say_learned"])
        self.assertTrue(many["can_say_learned"])
        self.assertAlmostEqual(many["r2"], 1 / 3, places=3)
        self.assertAlmostEqual(many["gain"], 0.2, places=3)
        self.assertGreater(few["validators_wanted"], 40)
        self.assertIn("too few to tell it from none", self.sotto("study", self.names_only(8, 400, 1)).stdout)
        self.assertNotIn("too few", self.sotto("study", self.names_only(8, 2000, 4)).stdout)

    def test_help_lists_every_key(self):
        text = self.sotto("study", "--help").stdout
        for key in ("[protocol]", "devices", "sparsity", "noise", "norm", "correlated", "mechanism", "low, high", "sparse-mean"):
            self.assertIn(key, text)


class Refusals(ProtocolCase):
    def stopped(self, code, *parts, **study):
        ran = self.sotto("study", self.protocol(**study), "--out", "d", code=REFUSED)
        self.assertEqual(ran.stdout, "")
        for part in (f"code: {code}", "fix:", *parts):
            self.assertIn(part, ran.stderr)
        self.assertFalse((self.work / "d").exists())

    def test_bad_epsilon(self):
        self.stopped("study.over_cap", "study.toml:3: privacy.epsilon", "cap of 2 nats", "(4)", epsilon="4.0\ncap = 2.0")
        self.stopped("study.bad_epsilon", "study.toml:3: privacy.epsilon", "above 12 nats", epsilon="12.5")

    def test_bad_keys(self):
        def table(lines):
            return {"protocol": lines}
        self.stopped("study.bad_value", "study.toml:5: protocol.kind", 'did you mean "cascade"?', **table('kind = "cascad"\ndevices = 60'))
        self.stopped("study.bad_value", "study.toml:6: protocol.devices", "(0)", **table('kind = "auto"\ndevices = 0'))
        self.stopped("study.missing_key", "protocol.devices is missing", **table('kind = "auto"'))
        self.stopped("study.unknown_key", "study.toml:6: there is no key protocol.device", "did you mean protocol.devices?",
                     **table('kind = "auto"\ndevice = 60'))
        self.stopped("study.bad_value", "study.toml:6: protocol.sparsity", "number of features, 6", "(7)", **table("devices = 60\nsparsity = 7"))
        self.stopped("study.bad_value", "study.toml:6: protocol.sparsity", "(0)", **table("devices = 60\nsparsity = 0"))
        for key in ("noise", "norm"):
            self.stopped("study.bad_value", f"study.toml:6: protocol.{key}", "(0", **table(f"devices = 60\n{key} = 0"))
            self.stopped("study.bad_value", f"study.toml:6: protocol.{key}", "(nan)", **table(f"devices = 60\n{key} = nan"))
        self.stopped("study.wrong_type", "study.toml:6: protocol.correlated", "true or false", **table('devices = 60\ncorrelated = "yes"'))
        self.stopped("study.bad_value", "study.toml:6: protocol.mechanism", **table('devices = 60\nmechanism = "papers"'))
        self.stopped("study.bad_value", "study.toml:6: protocol.features", "[[feature]]", **table("devices = 60\nfeatures = 9"))

    def test_what_the_protocol_decides_is_not_written_by_hand(self):
        self.stopped("study.bad_value", "study.toml:10: study.cohorts", "[ 1, 1 ]", study="cohorts = [1, 1]")
        self.stopped("study.bad_value", "study.toml:10: study.answers", "(2)", study="answers = 2")
        self.stopped("study.bad_value", "question", "stands beside [protocol]", extra='[question]\nkind = "vote"\n')

    def test_bad_bounds(self):
        file = self.work / self.protocol()
        good = file.read_text()
        for change, code, *parts in (("low = 400", "study.bad_value", "target.low", "must be below high"), ("", "study.bad_value", "target.high", "low and high go together"),
                                     ("low = -400\nscale = 3", "study.bad_value", "target.scale", "stands beside low and high")):
            file.write_text(good.replace("low = -400", change, 1))
            ran = self.sotto("study", "study.toml", code=REFUSED)
            for part in (f"code: {code}", "study.toml:", *parts):
                self.assertIn(part, ran.stderr)

    def test_too_many_features(self):
        file = self.work / self.protocol()
        text = file.read_text()
        text = text[:text.index("[[feature]]")]
        for features in (65536, 1 << 24):
            file.write_text(text.replace("devices = 60", f"devices = 60\nfeatures = {features}"))
            ran = self.sotto("study", "study.toml", code=REFUSED)
            for part in ("code: study.bad_dimension", "study.toml:7: protocol.features", f"({features})"):
                self.assertIn(part, ran.stderr)
        file.write_text(text.replace("devices = 60", "devices = 60\nfeatures = 65535"))
        self.assertEqual(self.json("study", "study.toml")["protocol"]["features"], 65535)


if __name__ == "__main__":
    main()
