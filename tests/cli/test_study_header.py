# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto study --header: what a firmware compiles in is what the study directory holds, and its sizes are those of the device."""

import os
import re
import shutil
import subprocess

from sotto_case import SOURCE, USAGE, SottoCase, main

LEAST = """
#include <stdio.h>
#include <string.h>
#include "sotto_posix.h"
#include "study.h"
/* Prints the statuses of preparing round 1 with the work space of the header, and with 8 bytes less. */
int main(void) {
  static uint64_t words[SOTTO_LEDGER_MEMORY_BYTES(1, STUDY_REPORT_BYTES) / 8], work[STUDY_WORK_BYTES / 8];
  static int16_t rows[STUDY_NOMINAL_ROWS * (STUDY_FEATURES + 1)];
  static sotto_ledger ledger;
  static sotto_session session;
  static uint8_t report[STUDY_REPORT_BYTES];
  const sotto_ledger_memory memory = {words, sizeof words, STUDY_REPORT_BYTES};
  const sotto_policy policy = {{STUDY_EPSILON, 0}, {STUDY_EPSILON, 0}};
  const sotto_entropy entropy = sotto_posix_entropy();
  const sotto_question* const questions[] = {STUDY_ROUND_1_QUESTION()};
  const sotto_hooks hooks = {.entropy = entropy, .questions = questions, .question_count = 1};
  const sotto_local local = {.samples = {.rows = STUDY_NOMINAL_ROWS, .features = STUDY_FEATURES, .mapped = rows, .stride = STUDY_FEATURES + 1}};
  sotto_posix_flash file;
  sotto_flash flash;
  size_t used = 0;
  remove("ledger");
  if (!sotto_posix_flash_open(&file, "ledger", &flash)) return 3;
  if (sotto_ledger_create(&ledger, &memory, &flash, NULL, &policy, &entropy) != SOTTO_OK) return 4;
  if (sotto_ledger_set_consent(&ledger, true) != SOTTO_OK) return 5;
#if STUDY_SEALED
  if (sotto_enrol(&ledger, study_manifest, sizeof study_manifest, &study_credential, &hooks) != SOTTO_OK) return 6;
#else
  if (sotto_enrol_plain(&ledger, study_manifest, sizeof study_manifest, &hooks) != SOTTO_OK) return 6;
#endif
  if (sotto_session_open(&session, study_manifest, sizeof study_manifest, &ledger, &hooks) != SOTTO_OK) return 7;
  printf("%d ", sotto_prepare(&session, study_round_1, sizeof study_round_1, &local, work, sizeof work - 8));
  printf("%d ", sotto_answer(&session, study_round_1, sizeof study_round_1, &local, work, sizeof work, report, sizeof report, &used));
  printf("%zu", used);
  return 0;
}
"""


def arrays(text):
    return {name: bytes.fromhex("".join(re.findall("0x(..)", body)))
            for name, body in re.findall(r"uint8_t (\w+)\[\d+\] = \{(.*?)\};", text, re.S)}


TIMED = """name = "timed"
[privacy]
epsilon = 2.0
[rounds]
opens = 2027-01-04T07:00:00+01:00
length = 86400
[question]
kind = "vote"
features = 8
selector = "given"
"""


class Times(SottoCase):
    """[rounds]: when rounds are open, in the study, its bytes, its header."""

    def study(self, text, **expected):
        (self.work / "study.toml").write_text(text)
        return self.sotto("study", "study.toml", "--out", "d", "--header", "study.h", **expected)

    def test_times_are_in_the_study_the_round_and_the_header(self):
        opens, closes = 1799042400, 1799042400 + 86400
        words = "2027-01-04 06:00:00 UTC to 2027-01-05 06:00:00 UTC"
        self.assertIn(f"open        {words}", self.study(TIMED).stdout)
        self.assertIn(words, self.sotto("decode", "d/round-1.bin").stdout)
        round_1 = (self.work / "d/round-1.bin").read_bytes()
        self.assertEqual((len(round_1), round_1[86]), (104, 1))
        self.assertEqual((int.from_bytes(round_1[88:96], "little"), int.from_bytes(round_1[96:104], "little")), (opens, closes))
        header = (self.work / "study.h").read_text()
        self.assertIn(f"#define STUDY_ROUND_1_OPENS UINT64_C({opens})", header)
        self.assertIn(f"#define STUDY_ROUND_1_CLOSES UINT64_C({closes})", header)

    def test_a_round_that_closes_before_it_opens_is_not_read(self):
        self.study(TIMED)
        path = self.work / "d/round-1.bin"
        data = path.read_bytes()
        path.write_bytes(data[:88] + data[96:104] + data[88:96])
        self.assertIn("bad_field", self.sotto("decode", "d/round-1.bin", code=1).stderr)

    def test_what_is_no_time_is_refused_by_name(self):
        for old, new, said in (("2027-01-04T07:00:00+01:00", "2027-01-04T07:00:00", "ends in Z or a distance from UTC"),
                               ("2027-01-04T07:00:00+01:00", "1799042400", "ends in Z or a distance from UTC"),
                               ("2027-", "1927-", "must be after 1970"), ("86400", "59", "must be from 60"),
                               ("length = 86400\n", "", "rounds.length is missing"), ("length", "lenght", "did you mean rounds.length?")):
            self.assertIn(said, self.study(TIMED.replace(old, new), code=1).stderr)


class StudyHeader(SottoCase):
    def header(self, *more):
        self.sotto("study", "study.toml", "--out", "d", "--header", "study.h", *more)
        return (self.work / "study.h").read_text()

    def test_the_bytes_are_those_of_the_directory(self):
        self.study()
        found = arrays(self.header())
        self.assertEqual(found, {"study_manifest": (self.work / "d/manifest.bin").read_bytes(),
                                 "study_round_1": (self.work / "d/round-1.bin").read_bytes()})

    def test_sizes_are_the_least_that_the_device_takes(self):
        cases = {"given": ('kind = "vote"\nfeatures = 8\nselector = "given"', False),
                 "screen": ('kind = "vote"\nfeatures = 12', True),
                 "lasso": ('kind = "vote"\nfeatures = 12\nselector = "lasso"\nkeep = 8', True)}
        (self.work / "least.c").write_text(LEAST)
        for name, (question, sealed) in cases.items():
            with self.subTest(name):
                shutil.rmtree(self.work / "d", ignore_errors=True)
                self.study(question=question, extra=f"[study]\nauthenticated = {str(sealed).lower()}")
                text = self.header()
                if sealed:
                    self.sotto("enrol", "d", "--count", 1, "--out", "d/credentials.csv")
                    text = self.header("--credential", "d/credentials.csv")
                subprocess.run(["cc", "-std=c99", "-Wall", "-Wextra", "-Werror", "least.c", "-I.",
                                *os.environ["SOTTO_POSIX_FLAGS"].split(","), "-o", "least"], cwd=self.work, check=True)
                ran = subprocess.run(["./least"], cwd=self.work, check=True, capture_output=True, text=True)
                report = re.search(r"STUDY_REPORT_BYTES (\d+)", text).group(1)
                self.assertEqual(ran.stdout, f"10 0 {report}")  # short_buffer, ok, and the report fits exactly

    def test_the_headers_of_the_examples_are_fresh(self):
        for example in ("firmware", "number_firmware", "first_report"):
            old = (SOURCE / f"examples/{example}/study.h").read_text()
            directory = self.work / example
            directory.mkdir()
            shutil.copy(SOURCE / f"examples/{example}" / ("study.toml" if example == "first_report" else "study/study.toml"), directory)
            for name, data in arrays(old).items():
                (directory / {"study_manifest": "manifest.bin", "study_round_1": "round-1.bin"}[name]).write_bytes(data)
            more = [] if example == "first_report" else ["--credential", SOURCE / f"examples/{example}/study/credentials.csv"]
            self.sotto("study", directory / "study.toml", "--out", directory, "--header", "new.h", *more)
            self.assertEqual((self.work / "new.h").read_text(), old, example)

    def test_what_does_not_go_together_is_refused(self):
        self.study()
        self.assertIn("add --out", self.sotto("study", "study.toml", "--header", "study.h", code=USAGE).stderr)
        self.assertIn("add --header", self.sotto("study", "study.toml", "--out", "d", "--credential", "c.csv", code=USAGE).stderr)
        (self.work / "c.csv").write_text("id,pseudonym,key,check\n")
        ran = self.sotto("study", "study.toml", "--out", "d", "--header", "study.h", "--credential", "c.csv", code=1)
        self.assertIn("header.bad_credentials", ran.stderr)
        self.assertFalse((self.work / "study.h").exists())


if __name__ == "__main__":
    main()
