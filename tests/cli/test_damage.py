# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""One changed bit of any file that an estimate rests on is refused or harmless: never another round, another model or another design with
exit code 0. SOTTO_FLIPS=n tries n times as many, and all bits of small files."""

import contextlib
import csv
import shutil
import sqlite3
import subprocess
import sys

from damage import check_flips, some_bits
from protocol_case import NAMES, ProtocolCase
from sotto_case import MEMORY, REFUSED, main
from test_labels import KIND


class OpenRound(ProtocolCase):
    """A run whose first round has its reports and is not closed: closing it gives the second round."""

    SECONDS = 60
    PLACE = MEMORY

    def setUp(self):
        super().setUp()
        self.sotto("study", self.protocol(), "--out", "whole/run")
        credentials = self.enrol(60, "whole/run")
        self.reports = self.answers(credentials, 1, "whole/run")
        (self.work / "round-1.hex").rename(self.work / "whole/round-1.hex")
        for ledger in (self.work / "whole").glob("*.ledger"):
            ledger.unlink()
        (self.work / "whole/run.csv").unlink()
        self.sotto("estimate", "whole/run", "whole/round-1.hex")

    def closes(self, name, count):
        """How many of how many flips were refused."""
        bits = some_bits((self.work / "whole/run" / name).stat().st_size, count)
        refused = check_flips(self, "whole", f"run/{name}", bits, ("estimate", "run", "--close", "--json"), ["run/round-2.bin"])
        return refused, len(bits)

    def test_a_bit_of_the_store(self):
        path = self.work / "whole/run/run.sqlite"
        with contextlib.closing(sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)) as run:
            roots = dict(run.execute("SELECT name, rootpage FROM sqlite_schema").fetchall())
            page, = run.execute("PRAGMA page_size").fetchone()
        self.assertGreaterEqual(set(roots), {"pieces", "rounds", "batches", "fates", "seen"})
        # The head of the database, a page of every table and index, and anything.
        bits = set(some_bits(100, 24)) | set(some_bits(path.stat().st_size, 24))
        for name, root in roots.items():
            bits |= {bit + 8 * page * (root - 1) for bit in some_bits(page, 60 if name == "seen" else 12)}
        refused = check_flips(self, "whole", "run/run.sqlite", sorted(bits), ("estimate", "run", "--close", "--json"), ["run/round-2.bin"])
        self.assertGreater(refused, len(bits) // 10)

    def test_a_bit_of_the_log_that_a_killed_reader_left(self):
        run = self.work / "whole/run"
        (run / "run.sqlite").unlink()
        half = len(self.reports) // 2
        for name, reports in (("one", self.reports[:half]), ("two", self.reports[half:])):
            (self.work / name).write_text("\n".join(reports) + "\n")
        self.sotto("estimate", "whole/run", "one")
        # While somebody has the run open the log is not removed; who is killed never removes it.
        hold = 'import sqlite3, sys\nrun = sqlite3.connect(sys.argv[1])\nrun.execute("SELECT count(*) FROM seen").fetchall()\nprint(flush=True)\ninput()'
        reader = subprocess.Popen([sys.executable, "-c", hold, str(run / "run.sqlite")], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        reader.stdout.readline()
        told = self.json("estimate", "whole/run", "two")["all_reports"]["used"]
        reader.kill()
        reader.communicate()
        self.assertEqual(told, len(self.reports))
        log = run / "run.sqlite-wal"
        bits = some_bits(log.stat().st_size, 60) if log.exists() else []
        check_flips(self, "whole", "run/run.sqlite-wal", bits, ("estimate", "run", "--close", "--json"), ["run/round-2.bin"])
        # Without the log, and without the memory that processes share, all reports are there.
        for name in ("run.sqlite-wal", "run.sqlite-shm"):
            (run / name).unlink(missing_ok=True)
        self.assertEqual(self.json("estimate", "whole/run")["all_reports"]["used"], told)

    def test_a_bit_of_the_studys_files(self):
        for name in ("manifest.bin", "round-1.bin", "study.toml", "study.sha256"):
            refused, tried = self.closes(name, 30)
            self.assertEqual(refused, tried, name)

    def test_a_bit_of_the_master_key_that_opens_further_reports(self):
        (self.work / "whole/run/run.sqlite").unlink()
        half = len(self.reports) // 2
        (self.work / "whole/round-1.hex").write_text("\n".join(self.reports[:half]) + "\n")
        self.sotto("estimate", "whole/run", "whole/round-1.hex")
        (self.work / "whole/round-1.hex").write_text("\n".join(self.reports[half:]) + "\n")
        bits = some_bits(40, 30)
        refused = check_flips(self, "whole", "run/master.key", bits, ("estimate", "run", "round-1.hex", "--close", "--json"), ["run/round-2.bin"])
        self.assertEqual(refused, len(bits))


class Design(ProtocolCase):
    SECONDS = 60
    PLACE = MEMORY

    def setUp(self):
        super().setUp()
        (self.work / "whole").mkdir()
        self.sotto("study", self.protocol(KIND, study="minimum = 1"), "--out", "whole/real")
        (self.work / "ids.txt").write_text("".join(f"machine-{i}\n" for i in range(20)))
        self.sotto("enrol", "whole/real", "--ids", "ids.txt", "--out", "whole/credentials.csv")
        with open(self.work / "whole/features.csv", "w", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            writer.writerow(["id", *NAMES])
            for i in range(20):
                for _ in range(20):
                    writer.writerow([f"machine-{i}", *(10 * i + j for j in range(len(NAMES)))])

    def test_a_bit_of_the_credentials(self):
        size = (self.work / "whole/credentials.csv").stat().st_size
        bits = some_bits(size, 60)
        refused = check_flips(self, "whole", "credentials.csv", bits, ("design", "real", "features.csv", "--credentials", "credentials.csv"),
                              ["real/design.bin"])
        self.assertEqual(refused, len(bits))
        whole = (self.work / "whole/credentials.csv").read_bytes()
        for bit in some_bits(size, 20, seed=3)[:400:2]:
            damaged = bytearray(whole)
            damaged[bit // 8] ^= 1 << bit % 8
            (self.work / "whole/credentials.csv").write_bytes(damaged)
            self.sotto("enrol", "whole/real", "--count", 1, "--out", "whole/credentials.csv", code=REFUSED)
            self.assertEqual((self.work / "whole/credentials.csv").read_bytes(), damaged)

    def test_credentials_of_an_earlier_release_are_read_with_a_word_and_get_their_checks(self):
        path = self.work / "whole/credentials.csv"
        old = [line.rsplit(",", 1)[0] for line in path.read_text().splitlines()]
        path.write_text("\n".join(old) + "\n")
        said = self.sotto("design", "whole/real", "whole/features.csv", "--credentials", "whole/credentials.csv").stderr
        self.assertIn("has no checks", said)
        self.sotto("enrol", "whole/real", "--count", 1, "--out", "whole/credentials.csv")
        new = path.read_text().splitlines()
        self.assertEqual(new[0], "id,pseudonym,key,check")
        self.assertEqual([line.rsplit(",", 1)[0] for line in new[:21]], old)
        self.assertEqual(self.sotto("design", "whole/real", "whole/features.csv", "--credentials", "whole/credentials.csv").stderr, "")


class StoredModel(ProtocolCase):
    SECONDS = 60
    PLACE = MEMORY

    def test_a_bit_of_design_and_store_of_a_finished_run(self):
        self.sotto("simulate", "--protocol", "label-iht", "--users", 1000, "--dim", 12, "--nonzeros", 3, "--signal", "uniform", "--noise",
                   "uniform:0.05", "--design", "rademacher", "--epsilon", 4, "--out", "whole/run")
        for name in ("model.json", "report.html"):
            (self.work / "whole/run" / name).unlink()
        command, results = ("estimate", "run", "--json"), ["run/model.json"]
        size = (self.work / "whole/run/design.bin").stat().st_size
        bits = some_bits(size, 60)
        self.assertEqual(check_flips(self, "whole", "run/design.bin", bits, command, results), len(bits))
        size = (self.work / "whole/run/run.sqlite").stat().st_size
        self.assertGreater(check_flips(self, "whole", "run/run.sqlite", some_bits(size, 60), command, results), 5)

    def test_a_design_of_an_earlier_format_is_refused_with_the_way_out(self):
        self.sotto("study", self.protocol(KIND, study="minimum = 1"), "--out", "run")
        manifest = (self.work / "run/manifest.bin").read_bytes()
        self.enrol(1)
        (self.work / "run/design.bin").write_bytes(b"SOTD\1\0\0\0" + bytes(32 + 16) + manifest)
        (self.work / "report.hex").write_text("01" * 20 + "\n")
        said = self.sotto("estimate", "run", "report.hex", code=REFUSED).stderr
        self.assertIn("code: design.other_version", said)
        self.assertIn("sotto design DIR FEATURES.csv", said)
        shutil.rmtree(self.work / "run")


if __name__ == "__main__":
    main()
