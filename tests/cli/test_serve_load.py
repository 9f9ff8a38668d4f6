# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto serve under a fleet whose devices each post one report over HTTP: none is lost and none counts twice, also where the
server is killed in the middle."""

import json
import os
import shutil
import subprocess
import threading
import time

from serve_case import ServeCase
from sotto_case import SOTTO, SOURCE, main

DEVICES = int(os.environ.get("SOTTO_DEVICES", "600"))
EFFECTS = SOURCE / "examples/laundry-energy.csv"


class Load(ServeCase):
    def setUp(self):
        super().setUp()
        text = (SOURCE / "examples/laundry.toml").read_text().replace("minimum = 20 ", "minimum = 1 ")
        (self.work / "laundry.toml").write_text(text.replace("devices = 2000", f"devices = {DEVICES}"))
        self.sotto("study", "laundry.toml", "--out", "run")
        shutil.copy(EFFECTS, self.work / "effects.csv")

    def fleet(self, *options):
        """The devices answer until no round is open; a round is closed when no more answers come to it."""
        command = [SOTTO, "fleet", f"http://127.0.0.1:{self.port}/v1/studies/{self.digest}", "--effects", "effects.csv", "--target",
                   "energy", "--users", str(DEVICES), "--samples", "12", "--json", *options]
        done = {}

        def play():
            done["ran"] = subprocess.run(command, cwd=self.work, capture_output=True, text=True, timeout=3000)

        player = threading.Thread(target=play)
        player.start()
        before, since = (0, 0), time.monotonic()
        while player.is_alive():
            time.sleep(0.1)
            status = self.status()
            now = (status["round"], status["reports"]["used"])
            if now != before:
                before, since = now, time.monotonic()
            elif now[1] > 0 and status["state"] == "open" and time.monotonic() - since > 2:
                self.order("close")
        player.join()
        self.assertEqual(done["ran"].returncode, 0, done["ran"].stdout + done["ran"].stderr)
        return json.loads(done["ran"].stdout)

    def test_a_fleet_with_credentials_loses_and_doubles_nothing(self):
        self.sotto("enrol", "run", "--count", DEVICES, "--out", "devices.csv")
        self.serve()
        told = self.fleet("--credentials", "devices.csv", "--connections", "16")
        self.assertEqual((told["reports"], told["accepted"], told["refused"]), (DEVICES, DEVICES, 0), told)
        by_reason = self.status()["all_reports"]["by_reason"]
        self.assertEqual({reason: n for reason, n in by_reason.items() if n}, {"accepted": DEVICES})
        self.assertEqual(self.status()["state"], "finished")
        self.stop()
        print(f"{DEVICES} devices, answers in milliseconds: {told['milliseconds']}", flush=True)

    def test_a_token_enrols_each_device_of_a_fleet_once(self):
        self.sotto("tokens", "run", "--data", "data", "--count", DEVICES, "--out", "tokens.txt")
        self.serve()
        self.assertEqual(self.fleet("--tokens", "tokens.txt")["accepted"], DEVICES)
        url = f"http://127.0.0.1:{self.port}/v1/studies/{self.digest}"
        again = self.sotto("fleet", url, "--effects", "effects.csv", "--target", "energy", "--users", 1, "--tokens", "tokens.txt", code=1)
        self.assertIn("code: fleet.not_enrolled", again.stderr)
        wrong = self.sotto("fleet", url[:-1] + ("0" if url[-1] != "0" else "1"), "--effects", "effects.csv", "--target", "energy",
                           "--users", 1, "--tokens", "tokens.txt", code=1)
        self.assertIn("code: fleet.no_answer", wrong.stderr)
        self.stop()


if __name__ == "__main__":
    main()
