# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The wrapper for Android and the JVM on OpenJDK: a study of several rounds to a model, misuse, and the bytes of the library."""

import csv
import os
import pathlib
import random
import shutil
import subprocess
import tempfile

from sotto_case import MEMORY, SOURCE, SottoCase, main

JAVA = SOURCE / "device/ports/android/sotto/src/main/java"
TESTS = SOURCE / "tests/jvm"
STUDY = """name = "jvm"
[privacy]
epsilon = 4.0
[study]
samples = 20
minimum = 5
[protocol]
kind = "auto"
devices = 60
features = 6
sparsity = 1
noise = 0.5
[feature]
low = -100
high = 100
[target]
low = -100
high = 100
"""


class Jvm(SottoCase):
    PLACE = MEMORY

    @classmethod
    def setUpClass(cls):
        place = tempfile.TemporaryDirectory()
        cls.addClassCleanup(place.cleanup)
        cls.built = pathlib.Path(place.name)
        subprocess.run([os.environ["SOTTO_JAVAC"], "-Xlint:all", "-Werror", "-h", cls.built / "headers", "-d", cls.built / "classes",
                        *sorted((JAVA / "org/sotto/device").glob("*.java")), *sorted(TESTS.glob("*.java"))], check=True)

    def java(self, name, *arguments, library="SOTTO_JNI", code=0):
        ran = subprocess.run([os.environ["SOTTO_JAVA"], "-Xcheck:jni", "-XX:TieredStopAtLevel=1", "-Xshare:auto",
                              f"-Djava.library.path={os.environ[library]}", "-cp", self.built / "classes", name, *map(str, arguments)],
                             capture_output=True, text=True, cwd=self.work, timeout=240)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        self.assertNotIn("WARNING in native method", ran.stdout)
        return ran.stdout

    def enrol(self, count):
        self.sotto("enrol", "run", "--count", count, "--out", "credentials.csv")
        with open(self.work / "credentials.csv", newline="", encoding="utf-8") as file:
            return list(csv.DictReader(file))

    def test_a_study_of_several_rounds_becomes_a_model(self):
        (self.work / "study.toml").write_text(STUDY)
        self.sotto("study", "study.toml", "--out", "run")
        self.enrol(60)
        for name in ("ledgers", "readings"):
            (self.work / name).mkdir()
        draw = random.Random(4)
        for device in range(60):
            rows = [[round(draw.gauss(0, 25)) for _ in range(6)] for _ in range(20)]
            (self.work / f"readings/{device}.csv").write_text(
                "".join(",".join(map(str, [*row, round(0.9 * row[2] + draw.gauss(0, 10))])) + "\n" for row in rows))
        number, owner = 1, ["agree"]
        while (self.work / f"run/round-{number}.bin").exists() and not (self.work / "run/model.json").exists():
            reports = self.java("Fleet", "ledgers", "run/manifest.bin", f"run/round-{number}.bin", "credentials.csv", "readings", *owner)
            self.assertGreaterEqual(len(reports.splitlines()), 5)
            (self.work / f"{number}.hex").write_text(reports)
            result = self.json("estimate", "run", f"{number}.hex", "--close")
            self.assertEqual(result["reports"]["by_reason"]["accepted"], len(reports.splitlines()))
            number, owner = number + 1, []
        self.assertTrue((self.work / "run/model.json").exists())
        self.assertGreater(number, 2)

    def test_misuse_is_refused_and_the_bytes_are_those_of_the_library(self):
        study = self.study(privacy="epsilon = 2.0", question='kind = "vote"\nfeatures = 8\nselector = "given"',
                           extra="[study]\nauthenticated = true")
        self.sotto("study", study, "--out", "run")
        issued = self.enrol(16)[0]
        arguments = ["run/manifest.bin", "run/round-1.bin", issued["pseudonym"], issued["key"]]
        report = self.java("Misuse", "kernel.ledger", *arguments)
        files = ["run/manifest.bin", "run/round-1.bin", "credentials.csv"]
        scripted = self.java("Same", "scripted-", *files, library="SOTTO_JNI_SCRIPTED")
        library = subprocess.run([os.environ["SOTTO_SAME_REPORT"], "library-", *files], cwd=self.work, capture_output=True, text=True,
                                 check=True).stdout
        self.assertEqual(len(library.splitlines()), 16)
        self.assertEqual(scripted, library)
        (self.work / "reports.hex").write_text(report)
        self.assertEqual(self.json("estimate", "run", "reports.hex", code=1)["reports"]["by_reason"]["accepted"], 1)

    def test_a_device_that_knows_its_issuer_refuses_what_nobody_signed(self):
        study = self.study(privacy="epsilon = 2.0", question='kind = "vote"\nfeatures = 8\nselector = "given"',
                           extra="[study]\nauthenticated = true")
        self.sotto("study", study, "--out", "run")
        issued = self.enrol(1)[0]
        for name in ("manifest", "round-1"):
            shutil.copy(self.work / f"run/{name}.bin", self.work / f"{name}-unsigned.bin")
        self.sotto("keygen", "--out", "issuer")
        self.sotto("sign", "run", "--key", "issuer")
        said = self.java("Signed", "signed.ledger", "issuer.pub", "run/manifest.bin", "run/round-1.bin", "manifest-unsigned.bin",
                         "round-1-unsigned.bin", issued["pseudonym"], issued["key"])
        self.assertEqual(said.splitlines()[-1], "done")

    def test_every_native_method_is_there(self):
        self.assertEqual(len(list((self.built / "headers").glob("*.h"))), 2)
        wanted = {line.split()[-1] for path in (self.built / "headers").glob("*.h") for line in path.read_text().splitlines()
                  if line.startswith("JNIEXPORT")}
        exported = subprocess.run(["nm", "-D", "--defined-only", pathlib.Path(os.environ["SOTTO_JNI"]) / "libsotto_jni.so"],
                                  capture_output=True, text=True, check=True).stdout.split()
        self.assertEqual(wanted, {name for name in exported if "sotto" in name})


if __name__ == "__main__":
    main()
