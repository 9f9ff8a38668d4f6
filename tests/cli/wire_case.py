# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A compiled study with its credentials, and reports to it that the Python reference of the formats makes."""

import csv
import random
import struct
import sys

from sotto_case import SOURCE, SottoCase

sys.path.insert(0, str(SOURCE / "tests"))
from reference import wire  # noqa: E402
from reference.seal import seal_report  # noqa: E402

NAMES = ["door", "drain", "drum", "inlet", "motor", "pump", "temperature", "vibration"]
REASONS = ["accepted", "malformed", "unsupported_version", "foreign_study", "early", "late", "forged", "wrong_question", "wrong_cohort",
           "bad_payload", "duplicate", "conflict"]


class WireCase(SottoCase):
    def compile(self, directory="d", terms="", question="", **more):
        """Compiles a study of eight names into a directory; returns its path."""
        names = ", ".join(f'"{name}"' for name in NAMES)
        file = self.study(privacy="epsilon = 4", question=f'kind = "vote"\nnames = [{names}]\n{question}', extra=f"[study]\n{terms}", **more)
        self.sotto("study", file, "--out", directory, "--seed", 1)
        return self.work / directory

    def enrol(self, count, directory="d", out="credentials.csv"):
        """Credentials as (pseudonym, key)."""
        self.sotto("enrol", directory, "--count", count, "--out", out)
        with open(self.work / out, newline="") as file:
            return [(int(row["pseudonym"], 16), bytes.fromhex(row["key"])) for row in csv.DictReader(file)]

    def report(self, credential, answer, directory="d", **header):
        """A report to round 1 with this randomized answer; sealed when the credential has a key."""
        pseudonym, key = credential
        study = wire.digest((self.work / directory / "manifest.bin").read_bytes())
        round_digest = wire.digest((self.work / directory / "round-1.bin").read_bytes())
        head = wire.header(study, pseudonym, sealed=key is not None, **header)
        return seal_report(key, study, round_digest, head, bytes([answer])) if key else head + bytes([answer])

    def votes(self, credentials, favourite, **more):
        """One report from each: grr over nine outcomes at epsilon 4, half of the devices for one name, half for none."""
        draw = random.Random(7)
        truth = 54.598 / (54.598 + 8)
        reports = []
        for i, credential in enumerate(credentials):
            answer = NAMES.index(favourite) if i % 2 == 0 else 8
            if draw.random() >= truth:
                answer = draw.choice([v for v in range(9) if v != answer])
            reports.append(self.report(credential, answer, **more))
        return reports

    def batch(self, reports, name="batch.bin"):
        (self.work / name).write_bytes(b"".join(struct.pack("<H", len(r)) + r for r in reports))
        return name

    def stopped(self, code, *arguments, exit_code=1):
        """Refused with this code on stderr and nothing on stdout."""
        ran = self.sotto(*arguments, code=exit_code)
        self.assertEqual(ran.stdout, "")
        self.assertIn(f"code: {code}", ran.stderr)
        self.assertIn("fix:", ran.stderr)
        return ran.stderr
