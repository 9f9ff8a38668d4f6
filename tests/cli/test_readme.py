# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""README, first report, tutorial, analyst's and signing page and the page of kinds tell the truth: their code is quoted from files that compile, and their commands run."""

import os
import re
import shutil
import signal
import subprocess

from sotto_case import SOTTO, SOURCE, SottoCase, main

README = (SOURCE / "README.md").read_text()
TUTORIAL = "docs/TUTORIAL.md"
ANALYST = "docs/ANALYST.md"
FIRST_REPORT = "docs/FIRST_REPORT.md"
KINDS = "docs/KINDS.md"
PAGES = {"README.md": README, **{name: (SOURCE / name).read_text() for name in (ANALYST, FIRST_REPORT, "docs/SIGNING.md", KINDS, TUTORIAL)}}
# ```sh test: a block whose every line is run, in order, in one directory with the examples beside it. ```sh refused: the same, and
# every line must end with exit code 1.
COMMANDS = {name: re.findall(r"^```sh (test|refused)\n(.*?)^```", text, re.M | re.S) for name, text in PAGES.items()}
# What a line begins with. The tutorial also plays devices.
BEGINS = {TUTORIAL: r"^(sotto |python3 examples/fleet\.py |head |for round in )"}
QUOTED = {"README.md": {"toml": "examples/vote.toml"}, ANALYST: {"toml": "examples/vote.toml"},
          FIRST_REPORT: {"c": "examples/first_report/main.c", "cmake": "examples/first_report/CMakeLists.txt"},
          KINDS: {"toml": "examples/rides.toml"},
          TUTORIAL: {"toml": "examples/energy.toml", "text": "examples/washes.csv"}}


def blocks(language, name="README.md"):
    return re.findall(rf"^```{language}\n(.*?)^```", PAGES[name], re.M | re.S)


class Readme(SottoCase):
    def run_in(self, directory, *command, code=0, **more):
        ran = subprocess.run(command, cwd=directory, capture_output=True, text=True, timeout=800, **more)
        self.assertEqual(ran.returncode, code, f"{command}\n{ran.stdout}\n{ran.stderr}")
        return ran.stdout

    def test_code_is_quoted_word_for_word(self):
        for name, files in QUOTED.items():
            for language, file in files.items():
                self.assertIn((SOURCE / file).read_text(), blocks(language, name), f"{name} does not quote {file} as it is")

    def test_every_command_runs(self):
        tools = self.work / "tools"
        tools.mkdir()
        (tools / "sotto").symlink_to(SOTTO)
        (tools / "sotto-device").symlink_to(os.environ["SOTTO_AGENT"])
        environment = {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}
        for name, blocks_of_page in COMMANDS.items():
            lines = [(line, 1 if kind == "refused" else 0) for kind, block in blocks_of_page for line in block.splitlines()]
            if name == FIRST_REPORT:
                continue  # its commands build and install the library: below
            self.assertGreaterEqual(len(lines), 5)
            directory = self.work / name.replace("/", "-")
            shutil.copytree(SOURCE / "examples", directory / "examples")
            for line, code in lines:
                self.assertRegex(line, BEGINS.get(name, r"^sotto "))
                self.run_in(directory, "sh", "-c", line, code=code, env=environment)
            if name == TUTORIAL:
                self.assertTrue((directory / "laundry/report.html").exists())

    def test_what_the_demo_runs_works(self):
        self.assertIn("examples/collection.sh build/cli/sotto build/demo", (SOURCE / "run").read_text())
        told = self.run_in(self.work, str(SOURCE / "examples/collection.sh"), SOTTO, "demo", "2000")
        page = self.work / re.search(r"^The page: +(\S+)$", told, re.M).group(1)
        self.assertIn("<bdi>wash temperature</bdi>", page.read_text())
        posted, accepted = map(int, re.search(r"^reports +(\d+) posted, (\d+) accepted, 0 duplicates", told, re.M).groups())
        self.assertGreater(accepted, 1000)  # a slow machine comes late to some rounds
        self.assertLessEqual(posted, 2000)
        again = re.search(r"^Look again: +(.*)$", told, re.M).group(1).split()
        self.assertEqual(again[:2], [SOTTO, "serve"])

    def test_every_block_of_commands_is_run_or_is_one_of_the_two_commands(self):
        for name in PAGES:
            for block in blocks("sh", name):
                for line in block.splitlines():
                    self.assertRegex(line, r"^(\./run (demo|test)|cmake )", "mark the block as ```sh test")

    def test_the_example_builds_against_an_installed_library_and_sends_a_report(self):
        prefix, build = self.work / "prefix", self.work / "build"
        lines = [line for block in blocks("sh", FIRST_REPORT) for line in block.splitlines() if line.startswith("cmake ")]
        self.assertEqual(len(lines), 3)
        for line in lines:
            self.run_in(SOURCE, "sh", "-c", line.replace("build/device", str(self.work / "device")).replace("/usr/local", str(prefix)))
        self.assertTrue((prefix / "bin/sotto-device").exists())
        self.run_in(self.work, "cmake", "-S", str(SOURCE / "examples/first_report"), "-B", str(build), f"-DCMAKE_PREFIX_PATH={prefix}")
        self.run_in(self.work, "cmake", "--build", str(build))
        device = str(build / "first_report")
        self.assert_silent(self.start(device))  # nobody has agreed yet; the ledger is there
        first = self.run_in(self.work, device, "agree")
        self.assertRegex(first, r"^[0-9a-f]{34}\n$")
        self.assertEqual(self.run_in(self.work, device), first)  # no second draw
        for words in (("withdraw",), ()):
            self.assert_silent(self.start(device, *words))  # and a start does not undo it
        self.assertIn("spent_unsent", self.start(device, "agree").stderr)  # a withdrawal takes the report along, not what it cost
        self.assertGreater(self.cut_everywhere(device), 8)

    def start(self, device, *words, **disk):
        return subprocess.run([device, *words], cwd=self.work, capture_output=True, text=True, timeout=60, env={**os.environ, **disk})

    def assert_silent(self, ran):
        self.assertEqual((ran.returncode, ran.stdout), (1, ""))
        self.assertIn("the owner has not agreed", ran.stderr)

    def cut_everywhere(self, device):
        """Killed at every change of the ledger's file while the owner agrees: a later word of the owner is heard."""
        for cut in range(1, 200):
            (self.work / "device.ledger").unlink()
            ran = self.start(device, "agree", LD_PRELOAD=os.environ["SOTTO_FAILING_DISK"], SOTTO_DISK_PATH="device.ledger", SOTTO_DISK_CUT=str(cut))
            if ran.returncode == 0:
                return cut
            self.assertEqual(ran.returncode, -signal.SIGKILL, ran.stderr)
            again = self.start(device, "agree")
            if again.returncode == 0:
                self.assertRegex(again.stdout, r"^[0-9a-f]{34}\n$")
            else:
                self.assertIn("spent_unsent", again.stderr)  # paid for, and lost on the way
        return self.fail("it never ends")

    def test_every_linked_file_exists(self):
        for name, text in PAGES.items():
            for target in re.findall(r"\]\(([^)#]+)\)", text):
                if not target.startswith("http"):
                    self.assertTrue(((SOURCE / name).parent / target).exists(), target)

    def test_every_randomizer_has_a_line_in_the_table(self):
        stems = {p.stem for p in (SOURCE / "device/include/sotto/randomize").glob("*.hpp")} - {"k_closest", "unchecked"}
        for stem in stems:
            self.assertRegex((SOURCE / "docs/FIRMWARE.md").read_text(), rf"(?m)^\| `{stem}` \|")

    def test_it_is_short(self):
        self.assertLessEqual(len(README.splitlines()), 200)


if __name__ == "__main__":
    main()
