# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""docs/ROADS.md to the letter: its commands, in a copy of the source tree, end in reports that sotto decode and estimate accept."""

import os
import re
import shutil
import subprocess
import time

from sotto_case import SOTTO, SOURCE, SottoCase, main

PAGE = (SOURCE / "docs/ROADS.md").read_text()
# Cross compilers and the JDK take their time, and other tests use them: these blocks are for the long run.
KINDS = ("test", *os.environ.get("SOTTO_ROADS", "").split())


class Roads(SottoCase):
    SECONDS = 900

    def test_every_road_ends_in_a_report(self):
        tree = self.work / "tree"
        shutil.copytree(SOURCE, tree, ignore=shutil.ignore_patterns("build", ".git", "corpus", "vectors"))
        for folder in ("tests/vectors",):
            shutil.copytree(SOURCE / folder, tree / folder)
        (tree / "build/cli").mkdir(parents=True)
        (tree / "build/cli/sotto").symlink_to(SOTTO)
        environment = {**os.environ, "PATH": f"{tree}/build/cli:{os.environ['PATH']}"}
        reports = []
        for title, body in re.findall(r"^## (.*?)\n(.*?)(?=^## |\Z)", PAGE, re.M | re.S):
            began = time.monotonic()
            lines = [line for kind, block in re.findall(r"^```sh (\w+)\n(.*?)^```", body, re.M | re.S) if kind in KINDS
                     for line in block.splitlines()]
            for line in lines:
                ran = subprocess.run(["sh", "-c", line], cwd=tree, env=environment, capture_output=True, text=True, timeout=self.SECONDS)
                self.assertEqual(ran.returncode, 0, f"{line}\n{ran.stdout}\n{ran.stderr}")
                if re.fullmatch(r"[0-9a-f]{34}\n", ran.stdout):
                    reports.append(ran.stdout)
            if lines:
                print(f"{title}: {time.monotonic() - began:.0f} s", flush=True)
        # Both programs carry the study of the example and start in one directory: the second finds the first's ledger and sends its bytes.
        # The device of sotto-device answers the study that was made here.
        self.assertEqual(len(reports), 2)
        self.assertEqual(reports[0], reports[1])
        outbox = (tree / "build/roads/home/outbox/round-1.hex").read_text()
        for name, study, sent in (("example", self.study_of_the_example(), reports[0]), ("made", tree / "build/roads/study", outbox)):
            (self.work / f"{name}.hex").write_text(sent)
            counted = self.json("estimate", study, f"{name}.hex", code=1)  # one report is no estimate
            self.assertEqual(counted["reports"]["by_reason"]["accepted"], 1)

    def study_of_the_example(self):
        """The directory from whose files examples/first_report/study.h was made."""
        directory = self.work / "example"
        directory.mkdir()
        text = (SOURCE / "examples/first_report/study.h").read_text()
        for name, file in (("study_manifest", "manifest.bin"), ("study_round_1", "round-1.bin")):
            body = re.search(name + r"\[\d+\] = \{(.*?)\};", text, re.S).group(1)
            (directory / file).write_bytes(bytes.fromhex("".join(re.findall("0x(..)", body))))
        shutil.copy(SOURCE / "examples/first_report/study.toml", directory)
        return directory


if __name__ == "__main__":
    main()
