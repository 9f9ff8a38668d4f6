# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Every verb with every kind of bad file: a refusal with a code, never a signal, and memory that does not follow the input."""

import gzip
import json
import os
import resource
import struct
import subprocess

from sotto_case import DONE, INPUT_OUTPUT, REFUSED, SOTTO, SOURCE, USAGE, SottoCase, main

SECONDS = 60
MEGABYTE = 1 << 20

LINE = 5 * MEGABYTE
FILES = {
    "empty": b"",
    "nul": bytes(4096),
    "binary": bytes((i * 131 + (i >> 8)) % 256 for i in range(70000)),
    "huge_line": b"a" * LINE,
    "huge_number": b"9" * LINE,
    "commas": b"," * LINE,
    "quotes": b'"' * (LINE + 1),
    "deep_key": b"a" + b".a" * 500_000 + b" = 1\n",
    "deep_header": b"[" + b"a." * 500_000 + b"a]\n",
    "deep_list": b"name = " + b"[" * 500_000,
    "deep_table": b"name = " + b"{a=" * 500_000,
    "deep_json": b"[" * 500_000 + b"]" * 500_000,
    "deep_format": b'{"format": ' + b"[" * 500_000 + b"]" * 500_000 + b"}",
    "not_utf8": b'name = "\xff\xfe\xc0"\n',
    "hex_junk": b"0" * (LINE + 1),
    "cut_gzip": gzip.compress(b"a,y\n" + b"1,2\n" * 100)[:-9],
    "gzip_of_zeros": gzip.compress(bytes(200 * MEGABYTE), 9),
    "manifest_head": b"SOTM\1" + b"\xff" * 200000,
    "round_head": b"SOTR\1" + b"\xff" * 3000,
    "sqlite_head": b"SQLite format 3\0" + b"\xff" * 5000,
}


def limited(most_bytes):
    def before():
        resource.setrlimit(resource.RLIMIT_AS, (most_bytes, most_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    return before


class BadInput(SottoCase):
    def setUp(self):
        super().setUp()
        (self.work / "bad").mkdir()
        for name, data in FILES.items():
            (self.work / "bad" / name).write_bytes(data)
        (self.work / "bad" / "directory").mkdir()
        os.mkfifo(self.work / "fifo")
        (self.work / "loop").symlink_to("loop")
        self.sotto("study", self.study(), "--out", "d", "--seed", 1)
        (self.work / "good.csv").write_text("user,a,b,y\n1,1,2,3\n2,3,4,5\n3,5,6,8\n")
        (self.work / "ids").write_text("one\ntwo\n")

    def run_limited(self, *arguments, most=512 * MEGABYTE, stdin=None):
        return subprocess.run([SOTTO, *map(str, arguments)], cwd=self.work, capture_output=True, timeout=SECONDS, preexec_fn=limited(most),
                              stdin=stdin if stdin is not None else subprocess.DEVNULL)

    def refused_somehow(self, *arguments, **more):
        """Ends by itself, refuses with a code and a fix, within the memory."""
        ran = self.run_limited(*arguments, **more)
        self.assertIn(ran.returncode, (REFUSED, USAGE, INPUT_OUTPUT), f"{arguments}\n{ran.stdout[-500:]}\n{ran.stderr[-2000:]}")
        self.assertIn(b"code: ", ran.stderr, arguments)
        self.assertNotIn(b"sotto: stopped", ran.stderr, arguments)
        self.assertNotIn(b"memory.exhausted", ran.stderr, arguments)

    def every_bad(self, *before, after=()):
        for name in (*FILES, "directory", "absent"):
            self.refused_somehow(*before, f"bad/{name}", *after)
        self.refused_somehow(*before, "loop", *after)

    def test_study(self):
        self.every_bad("study")
        self.every_bad("study", after=("--json",))

    def test_decode(self):
        # Zeros are a batch of empty reports, of which none is one.
        self.every_bad("decode")

    def test_reports_that_are_none_are_counted(self):
        for name in FILES:
            ran = self.run_limited("estimate", "d", f"bad/{name}")
            self.assertIn(ran.returncode, (REFUSED, INPUT_OUTPUT), f"{name}\n{ran.stderr[-1000:]}")
            self.assertNotIn(b"sotto: stopped", ran.stderr, name)

    def test_models(self):
        self.every_bad("report")
        self.every_bad("predict", after=("good.csv",))

    def test_names_of_any_length_are_compared_soon(self):
        # What is mistyped is looked for among the columns, in a time that is the product of the lengths.
        model = json.loads((SOURCE / "tests/fuzz/corpus/model/cascade").read_text())
        model["coefficients"][0]["name"] = "a" * 400_000
        (self.work / "model.json").write_text(json.dumps(model))
        (self.work / "long.csv").write_text(",".join(letter * 400_000 for letter in "bcde") + "\n1,2,3,4\n")
        self.refused_somehow("predict", "model.json", "long.csv")

    def test_tables(self):
        for name in (*FILES, "directory", "absent"):
            self.refused_somehow("simulate", "--data", f"bad/{name}", "--target", "y", "--epsilon", 1)
            self.refused_somehow("fit", f"bad/{name}", "--target", "y", "--nonzeros", 1, "--epsilon", 1)
            self.refused_somehow("fit", f"bad/{name}", "--libsvm", "--nonzeros", 1, "--epsilon", 1)

    def test_directories_of_studies(self):
        for verb in (("estimate", "DIR", "ids"), ("enrol", "DIR", "--count", "1", "--out", "out.csv"),
                     ("design", "DIR", "good.csv", "--credentials", "ids"), ("decode", "ids", "--study", "DIR")):
            for name in ("bad/directory", "bad/absent", "bad/binary", "loop"):
                self.refused_somehow(*[name if word == "DIR" else word for word in verb])
        for damaged in ("manifest.bin", "round-1.bin", "study.toml"):
            kept = (self.work / "d" / damaged).read_bytes()
            for name in ("empty", "nul", "binary", "manifest_head", "deep_key"):
                (self.work / "d" / damaged).write_bytes(FILES[name])
                ran = self.run_limited("estimate", "d", "ids")
                self.assertIn(ran.returncode, (REFUSED, INPUT_OUTPUT), f"{damaged} {name}\n{ran.stderr}")
                self.assertNotIn(b"sotto: stopped", ran.stderr)
            (self.work / "d" / damaged).write_bytes(kept)

    def test_credentials_and_ids(self):
        for name in (*FILES, "directory"):
            ran = self.run_limited("enrol", "d", "--count", 1, "--out", f"bad/{name}")
            self.assertIn(ran.returncode, (REFUSED, INPUT_OUTPUT), f"{name}\n{ran.stderr}")
            self.refused_somehow("design", "d", "good.csv", "--id-column", "user", "--credentials", f"bad/{name}")

    def test_what_never_ends_is_refused_when_it_is_too_long(self):
        # Neither is a file of any size that somebody waits for.
        for verb in (("study", "-"), ("decode", "-"), ("report", "-"), ("estimate", "d", "-")):
            with open("/dev/zero", "rb") as endless:
                self.refused_somehow(*verb, stdin=endless)

    def test_a_batch_of_any_size_is_decoded_and_counted_in_a_little_memory(self):
        report = struct.pack("<BBHIQ", 0x11, 0, 1, 7, 9) + b"\1"
        batch = (struct.pack("<H", len(report)) + report) * 400_000  # 7.6 MB, which took 280 MB
        (self.work / "batch.bin").write_bytes(batch)
        for more in ((), ("--json",)):
            ran = subprocess.run([SOTTO, "decode", "batch.bin", *more], cwd=self.work, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
                                 timeout=SECONDS, preexec_fn=limited(64 * MEGABYTE))
            self.assertEqual(ran.returncode, DONE, ran.stderr)

    def most_memory(self, *arguments):
        """Of a command that ends well, in bytes."""
        with open(self.work / "told", "w") as told:
            process = subprocess.Popen([SOTTO, *map(str, arguments)], cwd=self.work, stdout=told, stderr=told)
            _, status, usage = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(process.returncode, DONE, (self.work / "told").read_text())
        return usage.ru_maxrss * 1024

    def test_repeats_are_kept_as_numbers(self):
        run = ("simulate", "--users", 30, "--samples", 2, "--dim", 4, "--nonzeros", 2, "--epsilon", 4, "--threads", 1, "--repeat")
        few, many = (self.most_memory(*run, repeats) for repeats in (20, 320))
        self.assertLess(many - few, 300 * 16 * 1024)  # each took 75 KB

    def test_credentials_take_little_memory_each(self):
        few, many = (self.most_memory("enrol", "d", "--count", count, "--out", f"{count}.csv") for count in (10, 100_010))
        self.assertLess(many - few, 100_000 * 60)  # each took 204 bytes

    def test_threads_that_the_system_does_not_start_are_named(self):
        ran = self.run_limited("simulate", "--protocol", "vote", "--users", 100000, "--dim", 8, "--epsilon", 1, "--threads", 1024,
                               most=200 * MEGABYTE)
        self.assertEqual(ran.returncode, REFUSED, ran.stderr)
        self.assertIn(b"code: system.refused", ran.stderr)
        self.assertIn(b"--threads", ran.stderr)

    def test_memory_that_runs_out_is_named(self):
        (self.work / "wide.csv").write_text(",".join(f"a{i}" for i in range(2000)) + ",y\n" + ("1," * 2000 + "2\n") * 3000)
        ran = self.run_limited("simulate", "--data", "wide.csv", "--target", "y", "--epsilon", 1, "--threads", 1, most=40 * MEGABYTE)
        self.assertEqual(ran.returncode, REFUSED, ran.stderr)
        self.assertIn(b"code: memory.exhausted", ran.stderr)


if __name__ == "__main__":
    main()
