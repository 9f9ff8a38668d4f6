# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Disks that fail while a file is read, that are full, and streams that nobody takes: a named error and its exit code, and no half of a file."""

import contextlib
import gzip
import json
import os
import pathlib
import re
import resource
import shutil
import signal
import stat
import subprocess
import time

from sotto_case import INPUT_OUTPUT, MEMORY, REFUSED, SOTTO, main
from wire_case import WireCase
from test_report import sample

DISK = os.environ["SOTTO_FAILING_DISK"]


class DiskCase(WireCase):
    PLACE = MEMORY  # how it fails is up to failing_disk.c

    def on_disk(self, path, *arguments, code=INPUT_OUTPUT, **limits):
        """Runs sotto on a disk that fails for files whose path holds `path`: read=, write= bytes, or cut= at a call."""
        disk = {f"SOTTO_DISK_{name.upper()}": str(limit) for name, limit in limits.items()}
        ran = subprocess.run([SOTTO, *map(str, arguments)], capture_output=True, text=True, cwd=self.work, timeout=self.SECONDS,
                             env={**os.environ, "LD_PRELOAD": DISK, "SOTTO_DISK_PATH": path, **disk})
        if code is not None:
            self.assertEqual(ran.returncode, code, f"{arguments}\n{ran.stdout}\n{ran.stderr}")
        return ran

    def files(self):
        return {str(p.relative_to(self.work)): p.read_bytes() for p in self.work.rglob("*") if p.is_file()}


class Reading(DiskCase):
    def stopped_while_reading(self, path, *arguments, read=100):
        before = self.files()
        ran = self.on_disk(path, *arguments, read=read)
        self.assertEqual(ran.stdout, "")
        self.assertRegex(ran.stderr, r"code: io\.(cannot_read|failed)")
        self.assertIn(path, ran.stderr)
        self.assertEqual(self.files(), before)

    def test_reports(self):
        self.compile(terms="minimum = 3")
        self.batch(self.votes(self.enrol(40), "drum"))
        size = (self.work / "batch.bin").stat().st_size
        for read in (0, 20, size // 2, size - 1, size):  # the last: an error in place of the end
            self.stopped_while_reading("batch.bin", "estimate", "d", "batch.bin", read=read)
        self.stopped_while_reading("batch.bin", "decode", "batch.bin")
        self.assertEqual(self.json("estimate", "d", "batch.bin")["reports"]["used"], 40)

    def test_credentials_are_not_rewritten_from_a_half(self):
        self.compile()
        self.enrol(50)
        for read in (0, 200, 3000):
            self.stopped_while_reading("credentials.csv", "enrol", "d", "--count", 1, "--out", "credentials.csv", read=read)
        (self.work / "ids").write_text("".join(f"machine-{i}\n" for i in range(50)))
        self.stopped_while_reading("ids", "enrol", "d", "--ids", "ids", "--out", "new.csv")

    def test_files_of_the_study_and_the_key(self):
        self.compile()
        self.batch(self.votes(self.enrol(40), "drum"))
        for name in ("manifest.bin", "round-1.bin", "study.toml", "study.sha256", "master.key"):
            self.stopped_while_reading(f"d/{name}", "estimate", "d", "batch.bin", read=16)

    def test_tables_plain_and_packed_and_models(self):
        (self.work / "model.json").write_text(sample("sample"))
        names = [c["name"] for c in json.loads(sample("sample"))["coefficients"]]
        text = ",".join(f'"{name}"' for name in names) + "\n" + "".join(",".join(str(i) for _ in names) + "\n" for i in range(500))
        (self.work / "rows.csv").write_text(text)
        with gzip.open(self.work / "rows.csv.gz", "wt") as file:
            file.write(text)
        for name in ("rows.csv", "rows.csv.gz"):
            self.sotto("predict", "model.json", name)
            self.stopped_while_reading(name, "predict", "model.json", name)
        self.stopped_while_reading("model.json", "report", "model.json")
        self.stopped_while_reading("model.json", "predict", "model.json", "rows.csv")

    def test_the_store_of_a_run(self):
        self.sotto("simulate", "--users", 200, "--dim", 16, "--samples", 20, "--nonzeros", 2, "--epsilon", 4, "--out", "run")
        before = self.files()
        for read in (0, 3000, 20_000, 40_000):  # SQLite takes some failures for damage
            ran = self.on_disk("run.sqlite", "estimate", "run", read=read, code=None)
            self.assertIn(ran.returncode, (REFUSED, INPUT_OUTPUT))
            self.assertRegex(ran.stderr, r"code: (io\.[a-z_]+|store\.damaged)")
            self.assertEqual(ran.stdout, "")
            self.assertEqual(self.files(), before)


class Streams(DiskCase):
    def run_on(self, *arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL):
        return subprocess.run([SOTTO, *map(str, arguments)], stdout=stdout, stderr=stderr, cwd=self.work, timeout=self.SECONDS).returncode

    def commands(self):
        """One call of every verb that gives something on stdout."""
        self.compile(terms="minimum = 3")
        self.batch(self.votes(self.enrol(40), "drum"))
        (self.work / "model.json").write_text(sample("sample"))
        fleet = ("simulate", "--users", 200, "--dim", 16, "--samples", 20, "--nonzeros", 2, "--epsilon", 4)
        return [("--help",), ("--version",), ("study", "d/study.toml"), ("study", "--diff", "d", "d"), ("enrol", "d", "--count", 1, "--out", "c.csv"),
                ("estimate", "d", "batch.bin"), ("estimate", "d", "batch.bin", "--json"), ("decode", "batch.bin"), ("report", "model.json"),
                ("audit", "--stem", "grr", "--json"), ("fit", "--synthetic", "60,4,2", "--nonzeros", 2, "--epsilon", 1, "--delta", 1e-6), fleet,
                ("simulate", "--protocol", "vote", "--users", 100, "--dim", 4, "--epsilon", 1)]

    def test_short_output_is_no_success(self):
        with open("/dev/full", "wb") as full:
            for arguments in self.commands():
                self.assertEqual(self.run_on(*arguments), 0, arguments)
                self.assertEqual(self.run_on(*arguments, stdout=full), INPUT_OUTPUT, arguments)

    def test_a_refusal_that_nobody_hears_keeps_its_exit_code(self):
        self.compile()
        with open("/dev/full", "wb") as full:
            for arguments, code in ((("study", "absent.toml"), INPUT_OUTPUT), (("study", "absent.toml", "--json"), INPUT_OUTPUT), ((), 2),
                                    (("guess",), 2), (("enrol", "d", "--count", 1, "--out", "d/study.toml"), REFUSED)):
                self.assertEqual(self.run_on(*arguments, stderr=full), code, arguments)
                self.assertEqual(self.run_on(*arguments, stderr=full, stdout=full), code, arguments)

    def test_streams_that_are_closed(self):
        self.compile()
        for closed, code in ((">&-", INPUT_OUTPUT), ("2>&-", 0)):
            ran = subprocess.run(["sh", "-c", f'"$0" study d/study.toml {closed}', SOTTO], cwd=self.work, capture_output=True)
            self.assertEqual(ran.returncode, code, closed)


class Writing(DiskCase):
    def stopped_while_writing(self, path, *arguments, write=10):
        before = self.files()
        ran = self.on_disk(path, *arguments, write=write)
        self.assertRegex(ran.stderr, r"code: io\.(cannot_write|disk_full)")
        self.assertEqual({n: b for n, b in self.files().items() if not n.endswith(("-wal", "-shm", "run.sqlite"))}, before)

    def test_a_full_disk_leaves_no_half_file_and_keeps_the_old_one(self):
        self.compile()
        self.enrol(40)
        (self.work / "model.json").write_text(sample("sample"))
        self.sotto("report", "model.json")
        self.stopped_while_writing("report.html", "report", "model.json", write=5000)
        self.stopped_while_writing("credentials.csv", "enrol", "d", "--count", 1, "--out", "credentials.csv", write=1000)
        self.stopped_while_writing("manifest.bin", "study", "d/study.toml", "--out", "e")
        (self.work / "d/master.key").unlink()
        self.stopped_while_writing("master.key", "enrol", "d", "--count", 1, "--out", "new.csv")
        self.stopped_while_writing("run.sqlite", "simulate", "--users", 200, "--dim", 16, "--samples", 20, "--nonzeros", 2, "--epsilon", 4, "--out",
                                   "run", write=5000)

    def test_a_limit_of_file_sizes_is_a_full_disk(self):
        (self.work / "model.json").write_text(sample("sample"))
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        ran = subprocess.run([SOTTO, "report", "model.json"], cwd=self.work, capture_output=True, text=True, preexec_fn=limit)
        self.assertEqual(ran.returncode, INPUT_OUTPUT)
        self.assertIn("code: io.cannot_write", ran.stderr)
        self.assertEqual(sorted(os.listdir(self.work)), ["model.json"])

    def test_only_files_are_replaced(self):
        (self.work / "model.json").write_text(sample("sample"))
        (self.work / "directory").mkdir()
        (self.work / "link").symlink_to("target.html")
        os.mkfifo(self.work / "pipe")
        outs = ["directory", "link", "pipe"]
        with contextlib.suppress(PermissionError):  # only root makes devices
            os.mknod(self.work / "device", stat.S_IFCHR | 0o600, os.makedev(1, 3))
            outs.append("device")
        for out in outs:
            ran = self.sotto("report", "model.json", "--out", out, code=INPUT_OUTPUT)
            self.assertIn("only a file is replaced", ran.stderr)
        self.assertTrue((self.work / "pipe").is_fifo())
        self.assertTrue((self.work / "link").is_symlink())
        self.assertEqual((self.work / "device").is_char_device(), "device" in outs)
        self.compile()
        for out in outs:
            self.assertIn("code: io.cannot_write", self.sotto("enrol", "d", "--count", 1, "--out", out, code=INPUT_OUTPUT).stderr)

    def test_names_that_cannot_be_are_input_and_output_errors(self):
        (self.work / "loop").symlink_to("loop")
        (self.work / "model.json").write_text(sample("sample"))
        self.compile()
        self.enrol(1)  # the study has its key: none is drawn where the issuer's file cannot be written
        for name in ("loop", "x" * 300, "loop/x"):
            for arguments in (("study", name), ("study", "d/study.toml", "--out", name), ("enrol", name, "--count", 1, "--out", "c.csv"),
                              ("enrol", "d", "--count", 1, "--out", name), ("estimate", name, "model.json"), ("estimate", "d", name), ("decode", name),
                              ("report", name), ("report", "model.json", "--out", name), ("study", "--diff", name, "d"), ("predict", name, "model.json"),
                              ("fit", name, "--target", "y", "--epsilon", 1, "--nonzeros", 2),
                              ("simulate", "--users", 100, "--dim", 8, "--epsilon", 4, "--out", name)):
                said = self.json(*arguments, code=INPUT_OUTPUT)["error"]
                self.assertTrue(said["code"].startswith("io."), said)

    def test_a_fleet_that_is_too_large_is_the_options_fault(self):
        ran = self.sotto("simulate", "--users", 2**64 - 1, "--dim", 8, "--epsilon", 4, code=2)
        self.assertIn("--users", ran.stderr)
        self.assertNotIn("study.toml", ran.stderr)


class Cuts(DiskCase):
    def test_an_estimate_that_is_cut_anywhere_goes_on(self):
        """Killed at every call that changes the store, from its creation to its first batch: the same command then does everything."""
        names = "".join(f'[[feature]]\nname = "f{i}"\nlow = -1\nhigh = 1\n' for i in range(6))
        (self.work / "study.toml").write_text('name = "x"\n[privacy]\nepsilon = 4\n[protocol]\nkind = "cascade"\ndevices = 60\nsparsity = 2\n'
                                              f'[study]\nminimum = 1\nsamples = 20\n[target]\nname = "y"\nlow = -1\nhigh = 1\n{names}')
        self.sotto("study", "study.toml", "--out", "run")
        self.enrol(1, "run")
        (self.work / "report.hex").write_text("01" * 20 + "\n")
        calls = 0
        while True:
            calls += 1
            ran = self.on_disk("run.sqlite", "estimate", "run", "report.hex", cut=calls, code=None)
            if ran.returncode != -signal.SIGKILL:
                self.assertEqual(ran.returncode, 0, ran.stderr)
                break
            if calls % 3 == 0:  # without reports there is nothing to begin: that is said, and changes nothing
                alone = subprocess.run([SOTTO, "estimate", "run"], cwd=self.work, capture_output=True, text=True)
                self.assertTrue(alone.returncode == 0 or "code: estimate.no_run" in alone.stderr, alone.stderr)
            told = self.json("estimate", "run", "report.hex")["reports"]
            self.assertIn(told["count"], (1, 2))  # twice where the first one was stored before the cut
            for path in (self.work / "run").glob("run.sqlite*"):
                path.unlink()
        self.assertGreater(calls, 8)


    def killed_at_every_change(self, path, again, *arguments):
        """The command is killed at its first, second, ... change of files under `path`; after each `again` looks at what is left."""
        for calls in range(1, 200):
            ran = self.on_disk(path, *arguments, cut=calls, code=None)
            if ran.returncode != -signal.SIGKILL:
                self.assertEqual(ran.returncode, 0, ran.stderr)
                return calls
            again()
        return self.fail("it never ends")

    def test_a_study_that_is_cut_anywhere_is_compiled_by_the_same_command(self):
        self.study()
        def again():
            self.sotto("study", "study.toml", "--out", "cut")
            self.sotto("enrol", "cut", "--count", 1, "--out", "c.csv")
            self.assertEqual(sorted(os.listdir(self.work / "cut")), ["manifest.bin", "master.key", "round-1.bin", "study.sha256", "study.toml"])
            shutil.rmtree(self.work / "cut")
            (self.work / "c.csv").unlink()
        self.assertGreater(self.killed_at_every_change("/cut", again, "study", "study.toml", "--out", "cut"), 12)

    def test_credentials_that_are_cut_anywhere_are_those_before_or_after(self):
        self.compile()
        self.enrol(5, out="c.csv")
        before = (self.work / "c.csv").read_text()
        def again():
            now = (self.work / "c.csv").read_text()
            self.assertTrue(now == before or (now.startswith(before) and now.count("\n") == 8), now)
            self.sotto("enrol", "d", "--count", 1, "--out", "c.csv")
            self.assertEqual([p.name for p in self.work.glob("*.partial")], [])
            (self.work / "c.csv").write_text(before)
        self.assertGreater(self.killed_at_every_change("c.csv", again, "enrol", "d", "--count", 2, "--out", "c.csv"), 2)


    # What writes something and the page that shows it, and the same in another way.
    PAIRS = (("fit.json", "--epsilon", ("fit", "--synthetic", "60,4,2", "--nonzeros", 2, "--delta", 1e-6, "--repeat", 2, "--seed", 1)),
             ("result.json", "--epsilon", ("simulate", "--protocol", "vote", "--users", 200, "--dim", 4)))

    def both(self, name):
        """What stands in the directory, and its page; None where there is none."""
        return tuple(path.read_text() if path.exists() else None for path in (self.work / "out" / name, self.work / "out/report.html"))

    def restore(self, name, files):
        shutil.rmtree(self.work / "out", ignore_errors=True)
        (self.work / "out").mkdir()
        for path, text in zip((name, "report.html"), files):
            (self.work / "out" / path).write_text(text)

    def assert_of_one(self, files, epsilons):
        """A page is of what stands beside it."""
        said, page = files
        epsilon = re.search(r'"command": "[^"]*--epsilon (\d)', said).group(1)
        self.assertIn(int(epsilon), epsilons)
        if page is not None:
            self.assertRegex(page, f"--epsilon {epsilon} ")
        return int(epsilon)

    def test_a_page_is_never_one_of_another_model(self):
        for name, option, words in self.PAIRS:
            command = (*words, "--out", "out", option)
            self.sotto(*command, 1)
            before = self.both(name)
            self.assert_of_one(before, (1,))
            def again():
                self.assert_of_one(self.both(name), (1, 2))
                self.sotto(*command, 3)  # goes on from whatever was left
                self.assertIsNotNone(self.both(name)[1])
                self.assert_of_one(self.both(name), (3,))
                self.assertEqual(list((self.work / "out").glob("*.partial")), [])
                self.restore(name, before)
            self.assertGreater(self.killed_at_every_change("/out", again, *command, 2), 6)
            shutil.rmtree(self.work / "out")

    def test_a_full_disk_takes_neither_the_model_nor_its_page(self):
        for name, option, words in self.PAIRS:
            command = (*words, "--out", "out", option)
            self.sotto(*command, 1)
            before = self.both(name)
            for path in (f"/out/{name}", "/out/report.html"):
                self.assertIn("code: io.cannot_write", self.on_disk(path, *command, 2, write=100).stderr)
                self.assertEqual(self.both(name), before)
            shutil.rmtree(self.work / "out")

    def test_a_refusal_behind_the_work_is_the_only_object(self):
        for words in (("--protocol", "vote", "--users", 200, "--dim", 4), ("--users", 200, "--dim", 16, "--samples", 20, "--nonzeros", 2)):
            ran = self.on_disk("result.json", "simulate", *words, "--epsilon", 4, "--json", "--out", "out", write=100)
            self.assertEqual(json.loads(ran.stdout)["error"]["code"], "io.cannot_write")
            shutil.rmtree(self.work / "out")

    def test_who_interrupts_a_fit_learns_whether_there_is_a_model(self):
        name, option, words = self.PAIRS[0]
        command = (*words, "--out", "out", option)
        self.sotto(*command, 1)
        before = self.both(name)
        seen = set()
        for times in (1, 2):
            for calls in range(1, 12):
                ran = self.on_disk("/out", *command, 2, interrupt=calls, times=times, code=None)
                now = self.both(name)
                seen.add(ran.returncode)
                if ran.returncode == 0:
                    self.assertEqual(self.assert_of_one(now, (2,)), 2)
                    self.assertIsNotNone(now[1])
                    self.assertIn("page  ", ran.stdout)
                else:
                    self.assertEqual(ran.returncode, 130, ran.stderr)
                    self.assertIn("code: interrupted", ran.stderr)
                    written = "the model was written" in ran.stderr
                    self.assertNotEqual(written, "no model was written" in ran.stderr)
                    self.assertEqual(self.assert_of_one(now, (1, 2)), 2 if written else 1)
                    self.assertIsNotNone(now[1])
                self.assertEqual(list((self.work / "out").glob("*.partial")), [])
                self.restore(name, before)
        self.assertEqual(seen, {0, 130})


class Interrupts(DiskCase):
    def interrupted(self, *arguments, when):
        running = subprocess.Popen([SOTTO, *map(str, arguments)], cwd=self.work, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        with running:
            while running.poll() is None and not when(running):
                time.sleep(0.001)
            running.send_signal(signal.SIGINT)
            _, said = running.communicate(timeout=self.SECONDS)
        self.assertEqual(running.returncode, 130, said)
        self.assertIn(b"stopped", said)

    def waits(self, running):
        """For its standard input: in read(0, ...). A read of another file is still the start of the program, which no handler guards."""
        return pathlib.Path(f"/proc/{running.pid}/syscall").read_text().startswith("0 0x0 ")

    def test_a_verb_that_waits_for_its_input_ends_in_order(self):
        self.interrupted("study", "-", when=self.waits)
        self.compile()
        self.enrol(1)
        self.interrupted("estimate", "d", "-", when=self.waits)

    def test_a_fit_that_is_stopped_in_its_last_part_releases_nothing(self):
        """Without folds all that it does is the fit of the model that would leave."""
        (self.work / "rows.csv").write_text("a,b,c,y\n" + "".join(f"{i % 7},{i % 5},{i % 3},{i % 2}\n" for i in range(500)))
        command = ("fit", "rows.csv", "--nonzeros", 2, "--epsilon", 1, "--folds", 0, "--method", "dp-iht", "--steps", 100_000, "--out", "out")
        running = subprocess.Popen([SOTTO, *map(str, command)], cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        with running:
            def worked():  # in hundredths of a second: reading these rows takes a few
                return sum(map(int, pathlib.Path(f"/proc/{running.pid}/stat").read_text().rsplit(")")[1].split()[11:13]))
            while running.poll() is None and worked() < 30:
                time.sleep(0.001)
            running.send_signal(signal.SIGINT)
            out, said = running.communicate(timeout=self.SECONDS)
        self.assertEqual(running.returncode, 130, said)
        self.assertIn("no model was written", said)
        self.assertEqual(out, "")
        self.assertFalse((self.work / "out").exists())

    def test_no_half_file_is_left(self):
        self.compile()
        before = self.files()
        self.interrupted("enrol", "d", "--count", 3_000_000, "--out", "many.csv",
                         when=lambda _: all((self.work / name).exists() for name in ("many.csv.partial", "d/master.key")))
        self.assertEqual(set(self.files()) - set(before), {"d/master.key"})


if __name__ == "__main__":
    main()
