# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The smallest, largest and strangest numbers in every field of a study and in every numeric option: an answer or a refusal, soon."""

import itertools
import os
import signal
import subprocess

from sotto_case import DONE, REFUSED, SOTTO, USAGE, SottoCase, main

SECONDS = 60  # no measurement: what hangs is to be found, not what is slow
DEEP = "SOTTO_EXTREMES" in os.environ

KINDS = ("auto", "cascade", "boost", "two-round", "multi-round", "sparse-mean", "ldp-iht", "label-iht", "label-lasso",
         "federated-ht", "sparse-mean-once", "projected-regression", "kernel-ridge", "smooth-glm")
# Of each field the ends of its range, what lies just beyond, and numbers of which nobody thought.
PROTOCOL = {
    "noise": ("1e-300", "1e-12", "1000", "5e-324", "nan", "-1", "0"),
    "norm": ("1e-300", "1e-12", "1000", "inf", "0"),
    "devices": ("1", "4294967295", "4294967296", "0", "-1"),
    "sparsity": ("1", "64", "65", "0"),
    "rounds": ("1", "1000", "1001"),
    "target_deviation": ("1e-300", "1000"),
    "row_norm": ("1e-300", "1000"),
    "target_bound": ("1e-300", "1"),
    "bandwidth": ("1e-300", "1000"),
    "projected": ("8", "256", "264"),
    "cells": ("2", "65536", "65537"),
    "degree": ("1", "8", "9"),
    "features": ("1", "2", "65535", "65536", "16777215", "9223372036854775807"),
}
PRIVACY = {"epsilon": ("1e-9", "1e-300", "12", "12.1", "nan", "1e400"), "delta": ("1e-18", "1e-300", "0.01", "1"), "cap": ("1e-9", "12")}
STUDY = {"samples": ("1", "1024", "1025"), "answers": ("1", "65535"), "minimum": ("0", "1000000000"), "deviation": ("1e-300", "1", "2e-5"),
         "cohorts": ("[0]", "[65535, 1]", str([1] * 64), str([1] * 65))}
QUESTIONS = {
    "vote": {"features": ("2", "16777215", "16777216")},
    "bin": {"bins": ("2", "16777215"), "mechanism": ('"hadamard_response"',)},
    "block": {"features": ("2", "16777215"), "width": ("1", "24", "25"), "flips": ("0", "23")},
    "value": {"outcomes": ("2", "128", "129"), "width": ("1", "127"), "radius": ("1", "4096", "4097")},
    "direction": {"dimension": ("2", "4096", "4097"), "codewords": ("2", "4096"), "closest": ("1", "4095"), "log2_size": ("6", "12")},
}


class Extremes(SottoCase):
    SECONDS = SECONDS

    def ended(self, *arguments, allowed=(DONE, REFUSED)):
        """A command ends by itself with one of these codes."""
        try:
            ran = subprocess.run([SOTTO, *arguments], cwd=self.work, capture_output=True, timeout=SECONDS)
        except subprocess.TimeoutExpired:
            self.fail(f"{arguments} does not end\n{(self.work / 'study.toml').read_text()}")
        text = (self.work / "study.toml").read_text() if (self.work / "study.toml").exists() else ""
        self.assertIn(ran.returncode, allowed, f"{arguments}\n{text}\n{ran.stderr}")
        if ran.returncode != DONE:
            self.assertIn(b"code: ", ran.stderr)
            self.assertNotIn(b"stopped: ", ran.stderr)

    def try_study(self, table, fields, privacy=(("epsilon", "1"),), study=()):
        def lines(pairs):
            return "".join(f"{key} = {value}\n" for key, value in pairs)

        (self.work / "study.toml").write_text(
            f'name = "x"\n[privacy]\n{lines(privacy)}[{table}]\n{lines(fields)}[study]\n{lines(study)}')
        self.ended("study", "study.toml")

    def test_fields_of_a_protocol(self):
        for number, kind in enumerate(KINDS):
            base = {"kind": f'"{kind}"', "features": "64", "devices": "100000"}
            fields = [(key, value) for key, values in PROTOCOL.items() for value in values]
            for i, (key, value) in enumerate(fields):
                if DEEP or i % 3 == number % 3:
                    self.try_study("protocol", {**base, key: value}.items())

    def test_privacy_and_terms_of_a_protocol(self):
        for kind in KINDS if DEEP else ("auto", "sparse-mean", "label-iht", "kernel-ridge"):
            base = {"kind": f'"{kind}"', "features": "64", "devices": "100000"}.items()
            for key, values in PRIVACY.items():
                for value in values:
                    self.try_study("protocol", base, {"epsilon": "1", key: value}.items())
            for key, values in STUDY.items():
                for value in values:
                    self.try_study("protocol", base, study=[(key, value)])

    def test_fields_of_a_question(self):
        for kind, fields in QUESTIONS.items():
            for epsilon, (key, values) in itertools.product(("1e-9", "1", "12"), fields.items()):
                for value in values:
                    base = {"kind": f'"{kind}"', "features": "8"} if kind in ("vote", "block") else {"kind": f'"{kind}"'}
                    base |= {"bin": {"bins": "8"}, "block": {"width": "4"}, "direction": {"dimension": "64"}}.get(kind, {})
                    if key in ("codewords", "closest", "log2_size"):
                        base["mechanism"] = '"cross_polytope"' if key == "log2_size" else '"sphere_code"'
                    if key == "radius":
                        base["mechanism"] = '"laplace"'
                    self.try_study("question", {**base, key: value}.items(), [("epsilon", epsilon)])

    def test_a_tiny_noise_does_not_make_the_plan_long(self):
        # The chance of a true vote was integrated up to the signal, in steps of one.
        for noise in ("1e-9", "1e-12", "1e-300"):
            self.try_study("protocol", {"kind": '"sparse-mean"', "features": "64", "devices": "100000", "noise": noise}.items())

    def test_an_epsilon_at_which_bins_say_nothing_is_refused_by_name(self):
        # Four bins at one nano-nat: their odds are equal, and the error of a plan was no number.
        (self.work / "study.toml").write_text(
            'name = "x"\n[privacy]\nepsilon = 1e-9\n[protocol]\nkind = "two-round"\nfeatures = 64\ndevices = 100000\n')
        ran = self.sotto("study", "study.toml", code=REFUSED)
        for part in ("does not depend on the answer", "1 nano-nats", "take a larger epsilon"):
            self.assertIn(part, ran.stderr)

    def test_numbers_of_options(self):
        small = ("simulate", "--users", "40", "--dim", "8", "--samples", "2", "--nonzeros", "2", "--epsilon", "4")
        codes = (DONE, REFUSED, USAGE)
        for option, values in {
            "--users": ("0", "18446744073709551615", "18446744073709551616", "-1", "4294967296"),
            "--dim": ("0", "1", "65536", "4294967295", "-1"),
            "--samples": ("0", "1024:1", "1:1024", "1025", "nan", "4294967296"),
            "--nonzeros": ("0", "9", "4294967295"),
            "--signal": ("nan", "inf", "1e308", "1e-308"),
            "--noise": ("nan", "-1", "1e308", "student:1e-300", "student:0", "uniform:1e308"),
            "--epsilon": ("0", "1e-9", "1e-300", "12", "1e9", "nan"),
            "--delta": ("0.01", "1e-300", "1"),
            "--empty": ("1", "-0.1", "nan"),
            "--dropout": ("1", "1.1"),
            "--rounds": ("0", "1001"),
            "--repeat": ("0", "100001"),
            "--threads": ("0", "1024", "1025"),
            "--assume-noise": ("1e-300", "1e308", "0"),
            "--assume-norm": ("1e-300", "1e308"),
            "--assume-samples": ("1", "1024", "0"),
            "--assume-sparsity": ("1", "64", "65"),
            "--seed": ("18446744073709551615", "18446744073709551616"),
        }.items():
            for value in values:
                self.ended(*small, option, value, allowed=codes)
        self.ended("simulate", "--protocol", "vote", "--users", "9", "--dim", "16777216", "--epsilon", "1", allowed=codes)

    def test_a_fleet_that_takes_days_says_so_before_it_begins(self):
        for protocol in ("auto", "vote"):
            process = subprocess.Popen([SOTTO, "simulate", "--protocol", protocol, "--users", "4294967295", "--dim", "16", "--samples", "1",
                                        "--repeat", "100", "--epsilon", "1"], cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            line = process.stderr.readline().decode()
            process.send_signal(signal.SIGKILL)
            process.communicate()
            self.assertRegex(line, r"4294967295 devices, 100 runs: about \d+ (hours|days|years)")

    def test_a_fleet_that_does_not_fit_is_refused(self):
        ran = self.sotto("simulate", "--protocol", "label-lasso", "--users", "4294967295", "--dim", "16", "--epsilon", "1", code=REFUSED)
        self.assertIn("code: simulate.too_large", ran.stderr)
        ran = self.sotto("simulate", "--users", "4294967296", "--dim", "16", "--epsilon", "1", code=USAGE)
        for part in ("--users", "4294967296", "4294967295"):
            self.assertIn(part, ran.stderr)


if __name__ == "__main__":
    main()
