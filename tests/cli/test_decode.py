# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto decode: what captured bytes say, and what they do not say without the study."""

from sotto_case import INPUT_OUTPUT, main
from wire_case import WireCase, wire


class Decode(WireCase):
    def objects(self, data, *more, name="captured"):
        (self.work / name).write_bytes(data)
        return self.json("decode", name, *more)["objects"]

    def test_a_sealed_report_shows_its_header_and_says_what_it_hides(self):
        self.compile()
        credential = self.enrol(1)[0]
        (self.work / "r").write_bytes(self.report(credential, 5))
        text = self.sotto("decode", "r").stdout
        for part in ("report          33 bytes: this is all that left the device", f"{credential[0]:016x}", "vote", "1 byte, sealed: only the study's collector"):
            self.assertIn(part, text)
        self.assertNotIn("pump", text)

    def test_with_the_study_it_is_opened_and_named(self):
        self.compile()
        payload = self.objects(self.report(self.enrol(1)[0], 5), "--study", "d")[0]["fields"]["payload"]
        self.assertIn("5 of 9 outcomes: pump; randomized", payload)
        self.assertIn("none", self.objects(self.report(self.enrol(1)[0], 8), "--study", "d")[0]["fields"]["payload"])

    def test_why_a_report_cannot_be_opened(self):
        self.compile("d")
        self.compile("e", terms="samples = 9")
        report = bytearray(self.report(self.enrol(1)[0], 5))
        self.assertIn("another study", self.objects(report, "--study", "e")[0]["fields"]["payload"])
        report[-1] ^= 1
        self.assertIn("the tag is wrong", self.objects(report, "--study", "d")[0]["fields"]["payload"])
        (self.work / "d/master.key").unlink()
        self.assertIn("no master.key", self.objects(report, "--study", "d")[0]["fields"]["payload"])

    def test_a_plain_report_shows_its_payload(self):
        self.compile(terms="authenticated = false")
        report = self.report((77, None), 3)
        self.assertTrue(self.objects(report)[0]["fields"]["payload"].startswith("03: what it means is in the study"))
        self.assertIn("3 of 9 outcomes: inlet", self.objects(report, "--study", "d")[0]["fields"]["payload"])
        report = self.report((77, None), 200)
        self.assertIn("outside the 9 outcomes", self.objects(report, "--study", "d")[0]["fields"]["payload"])

    def test_manifest_and_round(self):
        directory = self.compile()
        manifest, round_ = ((directory / f).read_bytes() for f in ("manifest.bin", "round-1.bin"))
        told = self.objects(manifest)[0]
        self.assertEqual((told["kind"], told["bytes"]), ("manifest", 112))
        self.assertEqual(told["fields"]["digest"], wire.digest(manifest).hex())
        self.assertEqual(told["fields"]["epsilon"], "4 nats for one answer")
        told = self.objects(round_)[0]
        self.assertEqual((told["kind"], told["fields"]["recipe"], told["fields"]["study"]), ("round", "screen", wire.digest(manifest).hex()))

    def test_the_recipes_of_protocols_that_collect_once_have_names(self):
        for mechanism, devices, expected in (("binned", 100000, "cells"), ("moments", 1000000, "packed-fourier")):
            (self.work / f"{mechanism}.toml").write_text(
                f'name = "curve"\n[privacy]\nepsilon = 4\n[protocol]\nkind = "kernel-ridge"\nmechanism = "{mechanism}"\n'
                f"devices = {devices}\nfeatures = 1\n")
            self.sotto("study", f"{mechanism}.toml", "--out", mechanism)
            told = self.objects((self.work / mechanism / "round-1.bin").read_bytes())[0]
            self.assertEqual(told["fields"]["recipe"], expected)

    def test_hexadecimal_text_is_read_like_bytes(self):
        directory = self.compile()
        credentials = self.enrol(3)
        reports = [self.report(c, 1) for c in credentials]
        raw = self.objects(reports[0])
        self.assertEqual(self.objects(reports[0].hex().encode()), raw)
        self.assertEqual(self.objects(reports[0].hex(" ").upper().encode() + b"\n", "--hex"), raw)
        self.assertEqual([o["fields"]["pseudonym"] for o in self.objects("\n".join(r.hex() for r in reports).encode())],
                         [f"{p:016x}" for p, _ in credentials])
        manifest = (directory / "manifest.bin").read_bytes()
        wrapped = "\n".join(manifest.hex()[i:i + 60] for i in range(0, 224, 60)).encode()
        self.assertEqual(self.objects(wrapped), self.objects(manifest))

    def test_a_line_that_is_nothing_is_shown_as_that(self):
        self.compile()
        reports = [self.report(c, 1).hex() for c in self.enrol(3)]
        for line in ("00", "abc"):
            for at in (0, 2):
                kinds = [o["kind"] for o in self.objects("\n".join(reports[:at] + [line] + reports[at:]).encode())]
                self.assertEqual(kinds, ["report"] * at + ["unknown"] + ["report"] * (3 - at), line)

    def test_the_study_tells_a_report_from_a_batch(self):
        self.compile(terms="authenticated = false")
        report = self.report((0x0101010101010101, None), 1, number=17) + b"\1\1"
        for data in (report, report.hex().encode()):
            told = self.objects(data, "--study", "d")[0]
            self.assertEqual((told["kind"], told["bytes"], told["fields"]["round"]), ("report", 19, "17"))

    def test_stdin(self):
        self.compile()
        self.assertIn("report", self.sotto("decode", "-", stdin=self.report(self.enrol(1)[0], 1).hex()).stdout)

    def test_a_batch_is_its_reports(self):
        self.compile()
        reports = [self.report(c, 1) for c in self.enrol(4)]
        self.batch(reports)
        objects = self.json("decode", "batch.bin")["objects"]
        self.assertEqual([o["kind"] for o in objects], ["report"] * 4)
        cut = (self.work / "batch.bin").read_bytes()[:-1]
        self.assertIn("cut off", self.objects(cut)[-1]["refused"])

    def test_bytes_that_are_nothing(self):
        for data, code in ((b"", "capture.empty"), (b"hello", "decode.unknown_bytes"), (bytes(40), "decode.unknown_bytes"),
                           (b"SOTM\1", "decode.unknown_bytes"), (b"abc", "capture.bad_hex")):
            (self.work / "x").write_bytes(data)
            self.stopped(code, "decode", "x")
        (self.work / "x").write_bytes(b"\x11\0\1")
        self.stopped("capture.bad_hex", "decode", "x", "--hex")
        self.stopped("io.cannot_read", "decode", "absent", exit_code=INPUT_OUTPUT)
        self.stopped("io.cannot_read", "decode", "x", "--study", "absent", exit_code=INPUT_OUTPUT)


if __name__ == "__main__":
    main()
