# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto enrol: keys as the formats say, secrets that stay secret, files that are never lost."""

import csv
import os
import stat

from sotto_case import INPUT_OUTPUT, USAGE, main
from wire_case import WireCase, wire
from reference.seal import derive_key


class Enrol(WireCase):
    def rows(self, name="c.csv"):
        with open(self.work / name, newline="") as file:
            return list(csv.DictReader(file))

    def test_keys_are_derived_from_master_key_study_and_pseudonym(self):
        directory = self.compile()
        result = self.json("enrol", "d", "--count", 50, "--out", "c.csv")
        self.assertEqual((result["issued"], result["reissued"], result["total"]), (50, 0, 50))
        master, study = (directory / "master.key").read_bytes()[:32], wire.digest((directory / "manifest.bin").read_bytes())
        rows = self.rows()
        self.assertEqual(len({row["pseudonym"] for row in rows}), 50)
        for row in rows:
            pseudonym = int(row["pseudonym"], 16)
            self.assertNotEqual(pseudonym, 0)
            self.assertEqual(row["key"], derive_key(master, study, pseudonym).hex())
            self.assertEqual(row["id"], "")

    def test_secrets_are_for_their_owner_and_the_master_key_is_never_shown(self):
        directory = self.compile()
        ran = self.sotto("enrol", "d", "--count", 2, "--out", "c.csv")
        for path in (directory / "master.key", self.work / "c.csv"):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        self.assertNotIn((directory / "master.key").read_bytes()[:32].hex(), ran.stdout + ran.stderr + (self.work / "c.csv").read_text())

    def test_a_second_call_keeps_key_and_lines(self):
        directory = self.compile()
        self.sotto("enrol", "d", "--count", 2, "--out", "c.csv")
        key, before = (directory / "master.key").read_bytes(), self.rows()
        self.assertEqual(self.json("enrol", "d", "--count", 3, "--out", "c.csv")["total"], 5)
        self.assertEqual((directory / "master.key").read_bytes(), key)
        self.assertEqual(self.rows()[:2], before)

    def test_a_new_master_key_is_said_and_a_lost_one_is_not_replaced(self):
        directory = self.compile()
        key = directory / "master.key"
        first = self.json("enrol", "d", "--count", 2, "--out", "c.csv")
        self.assertTrue(first["master_key_drawn"])
        self.assertFalse(self.json("enrol", "d", "--count", 2, "--out", "c.csv")["master_key_drawn"])
        self.assertNotIn("drawn", self.sotto("enrol", "d", "--count", 2, "--out", "c.csv").stdout)
        before = (self.work / "c.csv").read_bytes()
        key.unlink()
        self.assertIn("restore the key", self.stopped("enrol.foreign_file", "enrol", "d", "--count", 2, "--out", "c.csv"))
        for name in ("run.sqlite", "design.bin"):
            (directory / name).write_bytes(b"")
            self.assertIn(name, self.stopped("enrol.key_lost", "enrol", "d", "--count", 2, "--out", "new.csv"))
            (directory / name).unlink()
        self.assertFalse(key.exists())
        self.assertFalse((self.work / "new.csv").exists())
        self.assertEqual((self.work / "c.csv").read_bytes(), before)
        self.assertIn("master key  drawn: d/master.key was missing", self.sotto("enrol", "d", "--count", 2, "--out", "new.csv").stdout)

    def test_ids_are_kept_in_the_file_and_re_issues_are_counted(self):
        self.compile()
        (self.work / "ids").write_text("washer 1\nwasher 2\n\nwasher 1\n")
        result = self.json("enrol", "d", "--ids", "ids", "--out", "c.csv")
        self.assertEqual((result["issued"], result["reissued"]), (3, 1))
        self.assertEqual([row["id"] for row in self.rows()], ["washer 1", "washer 2", "washer 1"])
        again = self.sotto("enrol", "d", "--ids", "-", "--out", "c.csv", stdin="washer 2\nwasher 3\n").stdout
        self.assertIn("re-issued   1: each may cost its person another epsilon", again)

    def test_a_file_of_another_study_or_of_something_else_is_left_alone(self):
        self.compile("d")
        self.compile("e", terms="samples = 9")
        self.sotto("enrol", "d", "--count", 2, "--out", "c.csv")
        before = (self.work / "c.csv").read_bytes()
        self.stopped("enrol.foreign_file", "enrol", "e", "--count", 2, "--out", "c.csv")
        self.assertEqual((self.work / "c.csv").read_bytes(), before)
        (self.work / "notes.txt").write_text("mine\n")
        self.stopped("enrol.foreign_file", "enrol", "d", "--count", 2, "--out", "notes.txt")
        self.assertEqual((self.work / "notes.txt").read_text(), "mine\n")

    def test_a_file_that_repeats_a_line_is_refused_and_left_alone(self):
        self.compile()
        self.sotto("enrol", "d", "--count", 2, "--out", "c.csv")
        lines = (self.work / "c.csv").read_text().splitlines(keepends=True)
        repeated = "".join([*lines, lines[1]])
        (self.work / "c.csv").write_text(repeated)
        said = self.stopped("credentials.damaged", "enrol", "d", "--count", 1, "--out", "c.csv")
        self.assertIn(lines[1].split(",")[1], said)
        self.assertEqual((self.work / "c.csv").read_text(), repeated)

    def test_a_key_that_others_can_read_or_of_another_size_is_refused(self):
        directory = self.compile()
        (directory / "master.key").write_bytes(bytes(32))
        os.chmod(directory / "master.key", 0o644)
        self.assertIn("chmod 600", self.stopped("key.exposed", "enrol", "d", "--count", 1, "--out", "c.csv"))
        (directory / "master.key").write_bytes(bytes(31))
        os.chmod(directory / "master.key", 0o600)
        self.stopped("key.bad_size", "enrol", "d", "--count", 1, "--out", "c.csv")

    def test_bad_ids(self):
        self.compile()
        for text, code in (("a,b\n", "enrol.bad_id"), ('"a"\n', "enrol.bad_id"), (" a\n", "enrol.bad_id"), ("\n\n", "enrol.no_ids")):
            (self.work / "ids").write_text(text)
            self.stopped(code, "enrol", "d", "--ids", "ids", "--out", "c.csv")
        self.assertFalse((self.work / "c.csv").exists())

    def test_a_study_without_credentials_has_none_to_issue(self):
        self.compile(terms="authenticated = false")
        self.stopped("enrol.no_credentials", "enrol", "d", "--count", 1, "--out", "c.csv")

    def test_usage_and_missing_files(self):
        self.compile()
        for more in ([], ["--count", 1, "--ids", "x"], ["--count", 0], ["--count", -1]):
            self.sotto("enrol", "d", *more, "--out", "c.csv", code=USAGE)
        self.sotto("enrol", "d", "--count", 1, code=USAGE)
        self.stopped("io.cannot_read", "enrol", "absent", "--count", 1, "--out", "c.csv", exit_code=INPUT_OUTPUT)
        self.stopped("io.cannot_read", "enrol", "d", "--ids", "absent", "--out", "c.csv", exit_code=INPUT_OUTPUT)

    def test_help_documents_the_file(self):
        self.assertIn("id,pseudonym,key", self.sotto("enrol", "--help").stdout)


if __name__ == "__main__":
    main()
