# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto log: what a fleet was asked, and that nobody can change it unseen."""

import json
import random
import resource
import signal
import subprocess
import time

from sotto_case import INPUT_OUTPUT, REFUSED, SOTTO, main
from wire_case import WireCase


class Log(WireCase):
    def setUp(self):
        super().setUp()
        self.sotto("keygen", "--out", "issuer")
        self.compile("study-a", name='name = "pumps a \\u001b[2J"')
        self.sotto("study", "study.toml", "--out", "study-b", "--seed", 2)
        for name in ("study-a", "study-b"):
            self.sotto("sign", name, "--key", "issuer")
        self.log = self.work / "issuer.log"
        self.lines = self.log.read_text().splitlines(keepends=True)

    def damaged(self, line, *words, code="log.damaged"):
        ran = self.sotto("log", "verify", "issuer.log", code=REFUSED)
        self.assertIn(f"code: {code}", ran.stderr)
        self.assertIn(f"issuer.log:{line}:", ran.stderr)
        for word in words:
            self.assertIn(word, ran.stdout + ran.stderr)
        result = json.loads(self.sotto("log", "verify", "issuer.log", "--json", code=REFUSED).stdout)
        self.assertEqual(result["faults"][0]["line"], line)
        # Nothing is added to a log that is not whole.
        before = self.log.read_bytes()
        self.stopped(code, "sign", "study-a", "--key", "issuer")
        self.assertEqual(self.log.read_bytes(), before)

    def test_show_says_what_was_asked_and_nothing_that_a_terminal_acts_on(self):
        shown = self.sotto("log", "show", "issuer.log").stdout
        self.assertEqual(shown.count("manifest"), 2)
        self.assertEqual(shown.count("round 1"), 2)
        for word in ("asks vote", "epsilon 4", "delta 0", "unit installation"):
            self.assertIn(word, shown)
        self.assertRegex(shown, r"pumps a \\(u00|x)1b\[2J")
        self.assertNotIn("\x1b", shown)
        entries = self.json("log", "show", "issuer.log")["entries"]
        self.assertEqual([e["kind"] for e in entries], ["manifest", "round"] * 2)
        self.assertEqual(entries[0]["epsilon_nano"], 4_000_000_000)

    def test_verify_says_the_head_and_what_it_cannot_see(self):
        said = self.sotto("log", "verify", "issuer.log").stdout
        self.assertIn("cannot be seen", said)
        head = self.json("log", "verify", "issuer.log", "--public-key", "issuer.pub")["head"]
        self.assertIn(head, said)
        self.assertNotIn("cannot be seen", self.sotto("log", "verify", "issuer.log", "--head", head).stdout)
        self.sotto("keygen", "--out", "stranger")
        ran = self.sotto("log", "verify", "issuer.log", "--public-key", "stranger.pub", code=REFUSED)
        self.assertIn("code: log.other_key", ran.stderr)

    def test_lines_cut_off_at_the_end_are_seen_with_an_earlier_head_only(self):
        old = self.json("log", "verify", "issuer.log")["entries"][1]["hash"]
        new = self.json("log", "verify", "issuer.log")["head"]
        self.log.write_text("".join(self.lines[:-1]))
        self.sotto("log", "verify", "issuer.log")
        self.sotto("log", "verify", "issuer.log", "--head", old)  # a log that went on since
        self.stopped("log.head_missing", "log", "verify", "issuer.log", "--head", new)
        # Signing again puts back what is missing, with another time perhaps, so that the old head stays lost.
        self.sotto("sign", "study-b", "--key", "issuer", "--no-time")
        self.stopped("log.head_missing", "log", "verify", "issuer.log", "--head", new)

    def test_changed_removed_and_moved_lines_are_named(self):
        self.log.write_text("".join(self.lines).replace('"epsilon_nano":4000000000', '"epsilon_nano":1000000000', 1))
        self.damaged(2, "it was changed")
        self.log.write_text("".join(self.lines[:2] + self.lines[3:]))
        self.damaged(3, "missing, or stand elsewhere")
        self.log.write_text("".join(self.lines[:3] + [self.lines[4], self.lines[3]]))
        self.damaged(4, "missing, or stand elsewhere")
        self.log.write_text("".join(self.lines[1:]))
        self.damaged(1, "names no key")
        self.log.write_text("".join(self.lines + ["\n"]))
        self.damaged(6)

    def test_a_torn_last_line_is_named_and_repaired_only_when_told(self):
        self.log.write_text("".join(self.lines)[:-40])
        self.damaged(5, "cut off", code="log.torn")
        self.assertIn("took out", self.sotto("log", "repair", "issuer.log").stdout)
        self.assertEqual(self.log.read_text(), "".join(self.lines[:-1]))
        self.assertEqual((self.work / "issuer.log.torn").read_text(), self.lines[-1][:-40])
        self.assertEqual(self.json("log", "repair", "issuer.log")["cut_bytes"], 0)
        self.sotto("sign", "study-b", "--key", "issuer")
        self.assertEqual(self.json("log", "verify", "issuer.log")["lines"], 5)
        self.log.write_text("".join(self.lines[:2] + self.lines[3:])[:-5])  # torn and changed
        before = self.log.read_bytes()
        self.stopped("log.damaged", "log", "repair", "issuer.log")
        self.assertEqual(self.log.read_bytes(), before)

    def test_an_interrupted_first_write_is_repaired_too(self):
        self.log.write_text(self.lines[0][:20])
        self.damaged(1, code="log.torn")
        self.sotto("log", "repair", "issuer.log")
        self.sotto("sign", "study-a", "--key", "issuer")
        self.assertEqual(self.json("log", "verify", "issuer.log")["lines"], 3)

    def test_a_log_that_cannot_grow_stays_as_it_is_and_nothing_is_signed(self):
        self.sotto("study", "study.toml", "--out", "study-c", "--seed", 3)
        before = self.log.read_bytes()

        def no_room():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 100, len(before) + 100))  # a hundred bytes of the line

        ran = subprocess.run([SOTTO, "sign", "study-c", "--key", "issuer"], capture_output=True, text=True, cwd=self.work, preexec_fn=no_room)
        self.assertEqual(ran.returncode, INPUT_OUTPUT, ran.stderr)
        self.assertIn("code: io.cannot_write", ran.stderr)
        self.assertEqual(self.log.read_bytes(), before)
        self.assertEqual(self.json("decode", "study-c/manifest.bin")["objects"][0]["fields"]["signature"], "none")
        for device in ("/dev/full", "/dev/zero"):
            self.stopped("io.cannot_write", "sign", "study-c", "--key", "issuer", "--log", device, exit_code=INPUT_OUTPUT)

    def test_kill_9_at_any_moment_leaves_a_log_that_can_be_continued(self):
        chance = random.Random(5)
        studies = [f"killed-{i}" for i in range(12)]
        for i, name in enumerate(studies):
            self.sotto("study", "study.toml", "--out", name, "--seed", 100 + i)
        began = time.monotonic()
        self.sotto("sign", "study-a", "--key", "issuer")
        whole = time.monotonic() - began
        for name in studies:
            process = subprocess.Popen([SOTTO, "sign", name, "--key", "issuer"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self.work)
            time.sleep(chance.uniform(0, whole))
            process.kill()
            process.wait()
            self.sotto("log", "repair", "issuer.log")
            # Whatever carries a signature is in the log.
            logged = {e["digest"] for e in self.json("log", "verify", "issuer.log")["entries"]}
            for file in ("manifest.bin", "round-1.bin"):
                shown = self.json("decode", f"{name}/{file}")["objects"][0]["fields"]
                self.assertTrue(shown["signature"] == "none" or shown["digest"] in logged)
        for name in studies:
            self.sotto("sign", name, "--key", "issuer")
            self.sotto("sign", name, "--verify", "--public-key", "issuer.pub")
        self.assertEqual(self.json("log", "verify", "issuer.log")["lines"], 5 + 2 * len(studies))

    def test_a_study_with_a_long_name_is_logged_with_its_beginning(self):
        self.sotto("study", self.study(name=f'name = "x{"é" * 100000}"'), "--out", "long", "--seed", 9)
        self.sotto("sign", "long", "--key", "issuer")
        names = {e["name"] for e in self.json("log", "verify", "issuer.log")["entries"]}
        self.assertIn("x" + "é" * 127 + "\ufffd", names)  # 256 bytes end within a letter

    def test_a_log_of_another_key_is_not_continued(self):
        self.sotto("keygen", "--out", "stranger")
        self.sotto("study", "study.toml", "--out", "study-c", "--seed", 3)
        before = self.log.read_bytes()
        self.stopped("log.other_key", "sign", "study-c", "--key", "stranger", "--log", "issuer.log")
        self.assertEqual(self.log.read_bytes(), before)
        self.stopped("io.cannot_read", "log", "verify", "missing.log", exit_code=INPUT_OUTPUT)
        self.stopped("io.cannot_read", "log", "repair", "missing.log", exit_code=INPUT_OUTPUT)


if __name__ == "__main__":
    main()
