# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A simulated run that is cut goes on to the same model. SOTTO_KILLS says how often the process is killed on its way."""

import contextlib
import os
import pathlib
import signal
import sqlite3
import subprocess
import sys
import time

from sotto_case import DONE, REFUSED, SOTTO, SottoCase, main

CHECK_RUN = os.environ["SOTTO_CHECK_RUN"]
KILLS = int(os.environ.get("SOTTO_KILLS", "3"))
USERS = 4_000 if KILLS <= 3 else 20_000
BATCHES = (USERS + 511) // 512  # of a round
FLEET = ("simulate", "--users", USERS, "--samples", 20, "--dim", 64, "--epsilon", 4, "--threads", 2)
INTERRUPTED = 130
PATIENCE = 120  # seconds, for what happens within one


class Resume(SottoCase):
    @classmethod
    def setUpClass(cls):
        cls.whole = None

    def start(self, out):
        return subprocess.Popen([SOTTO, *map(str, FLEET), "--out", out], cwd=self.work, stdout=subprocess.DEVNULL,
                                stderr=subprocess.PIPE)

    def model(self, out):
        return (self.work / out / "model.json").read_bytes()

    def uninterrupted(self):
        """The model that every other run must end with, and how long it took."""
        if Resume.whole is None:
            began = time.monotonic()
            self.sotto(*FLEET, "--out", "whole")
            Resume.whole = self.model("whole"), time.monotonic() - began
        return Resume.whole

    def go_on(self, out):
        """The same command again comes to the same model, and its store is sound."""
        result = self.json(*FLEET, "--out", out)
        self.assertEqual(self.model(out), self.uninterrupted()[0])
        self.assertEqual(result["reports"]["used"], USERS)
        subprocess.run([CHECK_RUN, self.work / out / "run.sqlite"], check=True)
        self.assertEqual([p.name for p in (self.work / out).glob("*.partial")], [])
        return result

    def kill_when(self, out, is_time):
        """Starts a run and kills it when is_time() says so; False if it was faster."""
        running = self.start(out)
        with running.stderr:
            until = time.monotonic() + PATIENCE
            while running.poll() is None and not is_time():
                self.assertLess(time.monotonic(), until)
                time.sleep(0.0002)
            running.kill()
            running.wait()
        return running.returncode == -signal.SIGKILL

    def rows(self, out, question):
        """What a run says of itself while it goes on; nothing as long as it has no tables."""
        path = pathlib.Path(self.work, out, "run.sqlite")
        if not path.exists():
            return 0
        try:
            with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=PATIENCE)) as run:
                return run.execute(question).fetchone()[0]
        except sqlite3.OperationalError:
            return 0

    def test_a_run_that_was_killed_goes_on_to_the_same_model(self):
        _, seconds = self.uninterrupted()
        stored = []
        for kill in range(KILLS):
            wait, attempt = seconds * (kill + 0.5) / KILLS, 0
            while True:
                out, attempt = f"killed-{kill}-{attempt}", attempt + 1
                begins = time.monotonic()
                if self.kill_when(out, lambda: time.monotonic() >= begins + wait):
                    break
                wait *= 0.9  # it was faster than the run that was measured
            stored.append(self.rows(out, "SELECT count(*) FROM batches"))
            sent = self.go_on(out)["reports"]["sent_now"]
            self.assertLessEqual(sent, USERS)
            if stored[-1] > 0:
                self.assertLess(sent, USERS)
        print(f"{KILLS} kills within {seconds:.2f} s; batches stored by then: {stored}", file=sys.stderr)

    def test_a_run_is_killed_twice(self):
        _, seconds = self.uninterrupted()
        for part in (0.3, 0.3):
            begins = time.monotonic()
            self.kill_when("twice", lambda: time.monotonic() >= begins + part * seconds)
        self.go_on("twice")

    def test_a_run_that_was_killed_while_a_round_closes_goes_on(self):
        stored = "SELECT count(*) FROM batches WHERE round = 1"
        self.assertTrue(self.kill_when("closing", lambda: self.rows("closing", stored) == BATCHES))
        self.go_on("closing")
        closed = "SELECT count(*) FROM rounds WHERE is_closed"
        self.assertTrue(self.kill_when("closed", lambda: self.rows("closed", closed) == 2))
        self.go_on("closed")

    def test_a_run_that_was_killed_while_its_files_are_written_goes_on(self):
        for name in ("study.toml.partial", "study.toml", "round-3.bin", "model.json"):
            out = f"writing-{name}"
            self.kill_when(out, (self.work / out / name).exists)
            self.go_on(out)

    def test_a_run_whose_store_was_never_finished_begins_again(self):
        (self.work / "begun").mkdir()
        (self.work / "begun/run.sqlite").write_bytes(b"")
        self.assertEqual(self.go_on("begun")["reports"]["sent_now"], USERS)

    def test_a_finished_run_asks_nobody_again(self):
        self.go_on("finished")
        before = (self.work / "finished/run.sqlite").read_bytes()
        self.assertEqual(self.go_on("finished")["reports"]["sent_now"], 0)
        self.assertIn("all were stored before", self.sotto(*FLEET, "--out", "finished").stdout)
        self.assertEqual((self.work / "finished/run.sqlite").read_bytes(), before)

    def test_ctrl_c_ends_cleanly_and_says_how_to_go_on(self):
        running = self.start("stopped")
        until = time.monotonic() + PATIENCE
        while self.rows("stopped", "SELECT count(*) FROM batches") == 0:
            self.assertLess(time.monotonic(), until)
            time.sleep(0.001)
        running.send_signal(signal.SIGINT)
        _, said = running.communicate(timeout=PATIENCE)
        self.assertEqual(running.returncode, INTERRUPTED)
        for part in (b"code: simulate.stopped", b"the same command goes on", b"stopped"):
            self.assertIn(part, said)
        self.assertEqual(sorted(p.name for p in (self.work / "stopped").iterdir()), ["run.sqlite"])
        self.assertLess(self.go_on("stopped")["reports"]["sent_now"], USERS)

    def test_the_run_of_another_command_is_refused_and_left_alone(self):
        small = ("simulate", "--users", 600, "--samples", 20, "--dim", 16, "--epsilon", 4)
        self.sotto(*small, "--out", "theirs", code=DONE)

        def files():
            return {p.name: p.read_bytes() for p in (self.work / "theirs").iterdir()}
        before = files()
        for other in (("--seed", 2), ("--dropout", 0.5), ("--signs", "random"), ("--protocol", "boost"),
                      ("--protocol", "vote"), ("--compare",)):
            refused = self.sotto(*small, *other, "--out", "theirs", code=REFUSED)
            self.assertIn("code: simulate.other_run", refused.stderr)
            self.assertEqual(files(), before, other)

    def test_a_study_that_is_no_simulation_is_left_alone(self):
        self.sotto("study", self.study(), "--out", "real")
        before = {p.name: p.read_bytes() for p in (self.work / "real").iterdir()}
        self.assertIn("code: simulate.other_run", self.sotto(*FLEET, "--out", "real", code=REFUSED).stderr)
        self.assertEqual({p.name: p.read_bytes() for p in (self.work / "real").iterdir()}, before)


if __name__ == "__main__":
    main()
