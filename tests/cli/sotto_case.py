# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Runs the built command line and looks at what a script would see."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

SOTTO = os.environ["SOTTO"]
SOURCE = pathlib.Path(os.environ["SOTTO_SOURCE"])
DONE, REFUSED, USAGE, INPUT_OUTPUT = 0, 1, 2, 3


MEMORY = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None


class SottoCase(unittest.TestCase):
    SECONDS = 240  # that a command may take
    PLACE = None  # of the files; MEMORY where hundreds of runs would wait for the disk and nothing is about what it keeps

    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory(dir=self.PLACE)
        self.addCleanup(self.temporary.cleanup)
        self.work = pathlib.Path(self.temporary.name)

    def sotto(self, *arguments, code=DONE, stdin=None):
        """Runs sotto in an empty directory; fails unless it ends with this exit code."""
        environment = {**os.environ, "LC_ALL": "C.UTF-8"}
        ran = subprocess.run([SOTTO, *map(str, arguments)], input=stdin, capture_output=True, text=True, cwd=self.work,
                             env=environment, timeout=self.SECONDS)
        self.assertEqual(ran.returncode, code, f"{arguments}\n{ran.stdout}\n{ran.stderr}")
        return ran

    def json(self, *arguments, code=DONE, stdin=None):
        """The one JSON object on stdout; on success stderr is silent, since it is no terminal."""
        ran = self.sotto(*arguments, "--json", code=code, stdin=stdin)
        if code == DONE:
            self.assertEqual(ran.stderr, "")
        return json.loads(ran.stdout)

    def study(self, privacy="epsilon = 1.0", question='kind = "vote"\nfeatures = 8', name='name = "test"', extra=""):
        """Writes a study file; returns its name."""
        (self.work / "study.toml").write_text(f"{name}\n[privacy]\n{privacy}\n[question]\n{question}\n{extra}\n")
        return "study.toml"

    def refused(self, code, *parts, **study):
        """The study is refused with this code; stderr names every part; nothing is on stdout."""
        ran = self.sotto("study", self.study(**study), code=REFUSED)
        self.assertEqual(ran.stdout, "")
        for part in (f"code: {code}", "fix:", *parts):
            self.assertIn(part, ran.stderr)


def main():
    unittest.main(verbosity=2)
