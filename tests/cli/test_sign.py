# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto keygen and sotto sign, and devices that answer only what a key signed."""

import fcntl
import json
import os
import re
import shutil
import stat
import subprocess
import threading

from protocol_case import ProtocolCase
from sotto_case import DONE, INPUT_OUTPUT, REFUSED, SOTTO, USAGE, main
from wire_case import WireCase, wire

DEVICE = os.environ["SOTTO_SIGNED_DEVICE"]


class SignCase(WireCase):
    def setUp(self):
        super().setUp()
        self.sotto("keygen", "--out", "issuer")

    def sign(self, directory="d", key="issuer", **more):
        return self.sotto("sign", directory, "--key", key, **more)

    def without_sums(self, directory="d"):
        """Whoever changes the files of a study changes the sums beside them, too."""
        (self.work / directory / "study.sha256").unlink(missing_ok=True)

    def files(self, directory="d"):
        return {p.name: p.read_bytes() for p in (self.work / directory).iterdir()}


class Keygen(SignCase):
    def test_the_secret_is_for_its_owner_and_the_public_key_is_printed_and_written(self):
        made = self.json("keygen", "--out", "other")
        self.assertEqual(stat.S_IMODE((self.work / "other").stat().st_mode), 0o600)
        self.assertEqual((self.work / "other.pub").read_text(), made["public_key"] + "\n")
        self.assertRegex(made["public_key"], "^[0-9a-f]{64}$")
        self.assertNotIn(made["public_key"], (self.work / "other").read_text())
        self.assertNotEqual((self.work / "other").read_text(), (self.work / "issuer").read_text())
        self.assertEqual({p.name for p in self.work.iterdir()}, {"issuer", "issuer.pub", "other", "other.pub"})

    def test_nothing_is_overwritten(self):
        before = (self.work / "issuer").read_bytes()
        self.stopped("key.exists", "keygen", "--out", "issuer")
        (self.work / "fresh.pub").write_text("mine")
        self.stopped("key.exists", "keygen", "--out", "fresh")
        self.assertFalse((self.work / "fresh").exists())
        self.assertEqual((self.work / "issuer").read_bytes(), before)
        self.stopped("io.cannot_write", "keygen", "--out", "nowhere/key", exit_code=INPUT_OUTPUT)

    def test_a_killed_keygen_leaves_no_secret_that_the_next_one_does_not_remove(self):
        for cut in range(1, 100):
            keys = self.work / f"keys-{cut}"
            keys.mkdir()
            ran = subprocess.run([SOTTO, "keygen", "--out", keys / "issuer"], capture_output=True, text=True, env={
                **os.environ, "LD_PRELOAD": os.environ["SOTTO_FAILING_DISK"], "SOTTO_DISK_PATH": keys.name, "SOTTO_DISK_CUT": str(cut)})
            if ran.returncode == DONE:
                break
            self.assertEqual(ran.returncode, -9, ran.stderr)
            if (keys / "issuer").exists():  # whole, or not there
                self.assertRegex((keys / "issuer").read_text(), "^sotto-secret-key-1 [0-9a-f]{64}\n$")
            subprocess.run([SOTTO, "keygen", "--out", keys / "issuer"], capture_output=True, check=not (keys / "issuer").exists())
            secret = {p.name for p in keys.iterdir() if p.name != "issuer.pub" and p.name != "issuer.pub.partial"}
            self.assertEqual(secret, {"issuer"}, f"cut {cut}")
        # Both files are written, synced, named, and their directory is synced.
        self.assertEqual(cut, 9)

    def test_a_key_that_others_may_read_or_that_is_none_signs_nothing(self):
        directory = self.compile()
        before = self.files()
        (self.work / "issuer").chmod(0o644)
        self.stopped("key.exposed", "sign", "d", "--key", "issuer")
        (self.work / "issuer").chmod(0o600)
        for text in ("", "sotto-secret-key-1 " + "0" * 63 + "g\n", (self.work / "issuer.pub").read_text()):
            (self.work / "bad").write_text(text)
            (self.work / "bad").chmod(0o600)
            self.stopped("key.not_a_key", "sign", "d", "--key", "bad")
        self.stopped("io.cannot_read", "sign", "d", "--key", "missing", exit_code=INPUT_OUTPUT)
        self.stopped("key.not_a_key", "sign", "d", "--verify", "--public-key", "issuer")
        self.assertEqual(self.files(), before)
        self.assertTrue(directory.exists())


class Sign(SignCase):
    def test_bodies_and_digests_stay_and_trailers_verify(self):
        self.compile()
        before = self.files()
        out = self.json("sign", "d", "--key", "issuer")
        after = self.files()
        for name in ("manifest.bin", "round-1.bin"):
            self.assertEqual(after[name][:-65], before[name])
            self.assertEqual(after[name][-65], 64)
        self.assertEqual(wire.decode_round(after["round-1.bin"])[8:40], wire.digest(before["manifest.bin"]))
        self.assertEqual([o["digest"] for o in out["objects"]],
                         [wire.digest(before[name]).hex() for name in ("manifest.bin", "round-1.bin")])
        self.assertTrue(all(o["newly_signed"] and o["newly_logged"] and o["holds"] for o in out["objects"]))
        self.assertEqual(after["study.toml"], before["study.toml"])
        self.sotto("sign", "d", "--verify", "--public-key", "issuer.pub")
        self.sotto("sign", "d", "--verify", "--public-key", (self.work / "issuer.pub").read_text().strip())

    def test_signing_again_changes_nothing(self):
        self.compile()
        self.sign()
        before, log = self.files(), (self.work / "issuer.log").read_bytes()
        out = self.json("sign", "d", "--key", "issuer")
        self.assertFalse(any(o["newly_signed"] or o["newly_logged"] for o in out["objects"]))
        self.assertEqual((self.files(), (self.work / "issuer.log").read_bytes()), (before, log))

    def test_compiling_a_signed_study_again_keeps_its_signatures(self):
        self.compile()
        self.sign()
        before = self.files()
        self.assertTrue(self.json("study", "study.toml", "--out", "d", "--seed", 1)["compiled"]["unchanged"])
        self.assertEqual(self.files(), before)
        self.stopped("study.exists", "study", "study.toml", "--out", "d", "--seed", 2)

    def test_a_signed_study_is_the_same_study(self):
        self.compile()
        shutil.copytree(self.work / "d", self.work / "bare")
        self.sign()
        self.assertEqual(self.json("study", "--diff", "bare", "d")["verdict"], "same study")

    def test_decode_says_whether_there_is_a_signature(self):
        self.compile()
        for name in ("manifest.bin", "round-1.bin"):
            self.assertEqual(self.json("decode", f"d/{name}")["objects"][0]["fields"]["signature"], "none")
        self.sign()
        for name in ("manifest.bin", "round-1.bin"):
            shown = self.json("decode", f"d/{name}")["objects"][0]["fields"]["signature"]
            self.assertEqual(shown, (self.work / "d" / name).read_bytes()[-64:].hex())

    def test_another_keys_signatures_are_not_replaced(self):
        self.compile()
        self.sign()
        before = self.files()
        self.sotto("keygen", "--out", "stranger")
        self.stopped("sign.other_key", "sign", "d", "--key", "stranger")
        self.assertEqual(self.files(), before)
        self.assertFalse((self.work / "stranger.log").exists())
        self.stopped_verify("sign.bad_signature", "stranger.pub")

    def stopped_verify(self, code, key="issuer.pub"):
        ran = self.sotto("sign", "d", "--verify", "--public-key", key, code=REFUSED)
        self.assertIn(f"code: {code}", ran.stderr)
        self.assertEqual(json.loads(self.sotto("sign", "d", "--verify", "--public-key", key, "--json", code=REFUSED).stdout)["error"]["code"], code)

    def test_verify_refuses_what_is_not_signed_or_was_changed(self):
        directory = self.compile()
        self.without_sums()
        self.stopped_verify("sign.not_signed")
        self.sign()
        good = (directory / "round-1.bin").read_bytes()
        (directory / "round-1.bin").write_bytes(good[:-65])
        self.stopped_verify("sign.not_signed")
        for at in (60, 88 + 1, 88 + 64):  # a parameter, R, S
            (directory / "round-1.bin").write_bytes(good[:at] + bytes([good[at] ^ 1]) + good[at + 1:])
            self.stopped_verify("sign.bad_signature")

    def test_only_directories_of_a_study_are_signed(self):
        directory = self.compile()
        (self.work / "empty").mkdir()
        for name, code in (("empty", "io.cannot_read"), ("missing", "io.cannot_read"), ("study.toml", "io.cannot_read")):
            self.stopped(code, "sign", name, "--key", "issuer", exit_code=INPUT_OUTPUT)
        (self.work / "other.toml").write_text((self.work / "study.toml").read_text())
        self.sotto("study", "other.toml", "--out", "e", "--seed", 2)
        shutil.copy(self.work / "e/round-1.bin", directory / "round-2.bin")
        self.stopped("sign.foreign_round", "sign", "d", "--key", "issuer")
        shutil.copy(directory / "round-1.bin", directory / "round-2.bin")
        self.stopped("sign.misplaced_round", "sign", "d", "--key", "issuer")
        (directory / "round-2.bin").write_bytes(b"SOTR")
        self.stopped("wire.truncated", "sign", "d", "--key", "issuer")
        self.assertFalse((self.work / "issuer.log").exists())

    def test_words_that_do_not_go_together(self):
        for words in (("sign", "d"), ("sign", "d", "--verify"), ("sign", "d", "--key", "k", "--public-key", "p"),
                      ("sign", "d", "--verify", "--public-key", "p", "--key", "k")):
            self.stopped("usage", *words, exit_code=USAGE)

    def test_a_signer_that_was_stopped_between_log_and_file_finishes_later(self):
        directory = self.compile()
        self.sign()
        before, log = self.files(), (self.work / "issuer.log").read_bytes()
        (directory / "round-1.bin").write_bytes(before["round-1.bin"][:-65])
        out = self.json("sign", "d", "--key", "issuer")
        self.assertEqual([(o["newly_signed"], o["newly_logged"]) for o in out["objects"]], [(False, False), (True, False)])
        self.assertEqual((self.files(), (self.work / "issuer.log").read_bytes()), (before, log))

    def test_two_rounds_of_one_number_are_never_signed(self):
        directory = self.compile()
        self.without_sums()
        self.sign()
        body = bytearray((directory / "round-1.bin").read_bytes()[:-65])
        body[60] ^= 1
        (directory / "round-1.bin").write_bytes(body)
        self.assertIn("round 1", self.stopped("log.asked_otherwise", "sign", "d", "--key", "issuer"))
        self.assertEqual((directory / "round-1.bin").read_bytes(), body)

    def test_another_log_does_not_make_a_key_forget(self):
        directory = self.compile()
        self.without_sums()
        self.sign()
        body = bytearray((directory / "round-1.bin").read_bytes()[:-65])
        body[60] ^= 1
        (directory / "round-1.bin").write_bytes(body)
        self.stopped("log.asked_otherwise", "sign", "d", "--key", "issuer", "--log", "other.log")
        self.assertEqual((directory / "round-1.bin").read_bytes(), body)
        self.assertFalse((self.work / "other.log").exists())

    def other_round(self, directory="d"):
        """Another first round of the same study, not signed yet."""
        path = self.work / directory / "round-1.bin"
        body = bytearray(path.read_bytes()[:-65])
        body[60] ^= 1
        path.write_bytes(body)

    def test_a_key_that_only_ever_named_other_logs_remembers_all_of_them(self):
        self.compile()
        self.without_sums()
        self.sotto("sign", "d", "--key", "issuer", "--log", "a.log")
        self.assertEqual(self.json("log", "verify", "issuer.log")["entries"], self.json("log", "verify", "a.log")["entries"])
        self.other_round()
        before = self.files()
        for words in (("--log", "b.log"), ()):
            self.stopped("log.asked_otherwise", "sign", "d", "--key", "issuer", *words)
        self.assertEqual(self.files(), before)
        self.assertFalse((self.work / "b.log").exists())

    def test_a_log_that_was_written_without_the_keys_own_is_taken_over(self):
        self.compile()
        self.without_sums()
        self.sign()
        os.rename(self.work / "issuer.log", self.work / "a.log")  # as a release that wrote only the named log left it
        self.sotto("study", "study.toml", "--out", "e", "--seed", 2)
        self.sotto("sign", "e", "--key", "issuer", "--log", "a.log")
        self.assertEqual(self.json("log", "verify", "issuer.log")["entries"], self.json("log", "verify", "a.log")["entries"])
        self.other_round()
        self.stopped("log.asked_otherwise", "sign", "d", "--key", "issuer")
        # Where the two already say different things, nothing more is signed.
        (self.work / "issuer.log").unlink()
        self.sign()
        self.sotto("study", "study.toml", "--out", "f", "--seed", 3)
        before = self.files("f")
        self.stopped("log.asked_otherwise", "sign", "f", "--key", "issuer", "--log", "a.log")
        self.assertEqual(self.files("f"), before)

    def test_two_names_of_one_key_have_one_log(self):
        self.compile()
        self.without_sums()
        (self.work / "alias").symlink_to("issuer")
        (self.work / "alias.log").symlink_to("issuer.log")
        self.sotto("sign", "d", "--key", "alias", "--log", "alias.log")  # and one file is locked once
        self.assertEqual(self.json("log", "verify", "issuer.log")["lines"], 3)
        (self.work / "alias.log").unlink()
        self.other_round()
        self.stopped("log.asked_otherwise", "sign", "d", "--key", "alias")
        self.stopped("log.asked_otherwise", "sign", "d", "--key", "issuer")

    def test_signers_that_name_each_others_logs_do_not_wait_for_ever(self):
        self.compile()
        self.sotto("keygen", "--out", "stranger")
        for i in range(6):
            self.sotto("study", "study.toml", "--out", f"s{i}", "--seed", 10 + i)
            if i < 2:
                self.sign(f"s{i}", "issuer" if i == 0 else "stranger")
        for i in range(2, 6, 2):
            ran = [subprocess.Popen([SOTTO, "sign", f"s{i + j}", "--key", own, "--log", f"{other}.log"], cwd=self.work, stderr=subprocess.PIPE, text=True)
                   for j, (own, other) in enumerate((("issuer", "stranger"), ("stranger", "issuer")))]
            for process in ran:
                said = process.communicate(timeout=60)[1]
                self.assertRegex(said, "code: (log.other_key|store.busy)")

    def test_a_second_log_that_somebody_holds_is_busy(self):
        self.compile()
        self.sotto("sign", "d", "--key", "issuer", "--log", "a.log")
        self.sotto("study", "study.toml", "--out", "e", "--seed", 2)
        with open(self.work / "a.log", "rb") as held:
            fcntl.flock(held, fcntl.LOCK_EX)
            self.stopped("store.busy", "sign", "e", "--key", "issuer", "--log", "a.log")


class Devices(SignCase):
    """From the study file to a report, through the C API of the device library."""

    def setUp(self):
        super().setUp()
        self.compile(question='selector = "given"', terms="authenticated = false")
        self.sign()

    def device(self, ledger, hook="sotto", key="issuer.pub", manifest="d/manifest.bin", round_="d/round-1.bin"):
        ran = subprocess.run([DEVICE, hook, key, ledger, manifest, round_, "3"], capture_output=True, text=True, cwd=self.work, timeout=60)
        self.assertIn(ran.returncode, (DONE, REFUSED), ran.stderr)
        return ran.stdout.strip() if ran.returncode == DONE else ran.stderr.strip()

    def test_signed_studies_are_answered_and_counted(self):
        reports = [self.device(f"device-{i}", hook) for i, hook in enumerate(("sotto", "libsodium", "sotto"))]
        for report in reports:
            self.assertRegex(report, "^[0-9a-f]{34}$")
        (self.work / "reports.hex").write_text("\n".join(reports) + "\n")
        counted = self.json("estimate", "d", "reports.hex", code=REFUSED)  # three are no estimate
        self.assertEqual(counted["reports"]["by_reason"]["accepted"], 3)

    def test_what_is_not_signed_by_the_key_is_refused_and_costs_nothing(self):
        self.sotto("keygen", "--out", "stranger")
        manifest, round_ = (self.work / "d/manifest.bin").read_bytes(), (self.work / "d/round-1.bin").read_bytes()
        for hook in ("sotto", "libsodium"):
            self.assertEqual(self.device("a", hook, key="stranger.pub"), "bad_signature 0")
            (self.work / "bare").write_bytes(manifest[:-65])
            self.assertEqual(self.device("a", hook, manifest="bare"), "bad_signature 0")
            (self.work / "bare").write_bytes(round_[:-65])
            self.assertEqual(self.device("b", hook, round_="bare"), "bad_signature 0")
        # The seed, where every byte is a valid one, and the signature; then a parameter of the round's recipe, and its signature.
        for at in (52, 83, len(manifest) - 64, len(manifest) - 1):
            (self.work / "turned").write_bytes(manifest[:at] + bytes([manifest[at] ^ 4]) + manifest[at + 1:])
            self.assertEqual(self.device("a", manifest="turned"), "bad_signature 0")
        for at in (60, len(round_) - 64, len(round_) - 1):
            (self.work / "turned").write_bytes(round_[:at] + bytes([round_[at] ^ 4]) + round_[at + 1:])
            self.assertEqual(self.device("b", round_="turned"), "bad_signature 0")
        # A manifest's signature does not serve a round.
        (self.work / "swapped").write_bytes(round_[:-64] + manifest[-64:])
        self.assertEqual(self.device("b", round_="swapped"), "bad_signature 0")
        self.assertRegex(self.device("b"), "^[0-9a-f]{34}$")


class Rounds(ProtocolCase):
    """Rounds that a protocol asks later."""

    def test_a_round_that_is_not_signed_is_named_and_a_key_signs_it(self):
        rounds = self.json("study", self.protocol(), "--out", "run")["protocol"]["rounds"]
        self.assertGreaterEqual(rounds, 3)
        self.sotto("keygen", "--out", "issuer")
        self.sotto("sign", "run", "--key", "issuer")
        credentials = self.enrol(60)
        for number, with_key in ((1, False), (2, True)):
            reports = self.answers(credentials, number)
            self.sotto("estimate", "run", *([f"round-{number}.hex"] if reports else []))
            if with_key:
                self.sotto("keygen", "--out", "stranger")
                wrong = self.sotto("estimate", "run", "--close", "--key", "stranger", code=REFUSED)
                self.assertIn("code: sign.other_key", wrong.stderr)  # and the round is still open
                closed = self.json("estimate", "run", "--close", "--key", "issuer")
                self.assertFalse(closed["next_round"]["unsigned"])
                self.assertEqual(closed["next_round"]["bytes"], (self.work / "run/round-3.bin").stat().st_size)
            else:
                closed = self.sotto("estimate", "run", "--close")
                self.assertIn("round 2 is not", closed.stderr)
                self.assertIn("sotto sign run --key KEY", closed.stderr)
                refused = self.sotto("sign", "run", "--verify", "--public-key", "issuer.pub", code=REFUSED)
                self.assertRegex(refused.stderr, r"run/round-2\.bin")
                self.sotto("sign", "run", "--key", "issuer")
            self.sotto("sign", "run", "--verify", "--public-key", "issuer.pub")
        shown = self.json("log", "verify", "issuer.log", "--public-key", "issuer.pub")
        self.assertEqual([e["round"] for e in shown["entries"]], [None, 1, 2, 3])

    def test_a_changed_later_round_is_neither_signed_nor_left_in_place(self):
        self.sotto("study", self.protocol(), "--out", "run")
        self.sotto("keygen", "--out", "issuer")
        self.answers(self.enrol(60), 1)
        self.sotto("estimate", "run", "round-1.hex", "--close")
        path, sums = self.work / "run/round-2.bin", self.work / "run/study.sha256"
        whole, lines = path.read_bytes(), sums.read_text()
        self.assertIn("  round-2.bin\n", lines)
        self.sotto("study", "run/study.toml", "--out", "run")  # compiled again, and the round keeps its line
        self.assertEqual(sums.read_text().count("round-2.bin"), 1)
        path.write_bytes(whole[:60] + bytes([whole[60] ^ 1]) + whole[61:])
        for words in (("sign", "run", "--key", "issuer"), ("estimate", "run")):
            self.assertIn("code: study.changed", self.sotto(*words, code=REFUSED).stderr)
        sums.write_text("".join(line for line in lines.splitlines(keepends=True) if "round-2" not in line))
        self.assertIn("code: study.changed", self.sotto("sign", "run", "--key", "issuer", code=REFUSED).stderr)
        self.assertIn("code: estimate.other_round", self.sotto("estimate", "run", code=REFUSED).stderr)
        path.write_bytes(whole)
        self.sotto("estimate", "run")  # the run vouches for it again
        self.assertEqual(sums.read_text(), lines)
        self.sotto("sign", "run", "--key", "issuer")


class Together(SignCase):
    def test_signers_at_the_same_time_leave_one_whole_log(self):
        text = self.work / "study.toml"
        self.compile()
        for i in range(6):
            self.sotto("study", text, "--out", f"s{i}", "--seed", 10 + i)
        threads = [threading.Thread(target=self.sign, args=(f"s{i % 6}",)) for i in range(6)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        log = self.json("log", "verify", "issuer.log", "--public-key", "issuer.pub")
        self.assertEqual(log["lines"], 13)
        self.assertEqual(len({e["study"] for e in log["entries"]}), 6)
        self.assertTrue(all(re.match(r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$", e["time"]) for e in log["entries"]))


if __name__ == "__main__":
    main()
