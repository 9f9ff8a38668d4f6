# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto serve, killed under load: every acknowledged report counts once, and the sums are those of an undisturbed run."""

import http.client
import json
import os
import random
import threading
import time

from serve_case import ServeCase
from sotto_case import main

KILLS = int(os.environ.get("SOTTO_KILLS", "10"))


class Kills(ServeCase):
    def test_every_acknowledged_report_counts_once(self):
        self.sotto("study", self.protocol(), "--out", "run")
        credentials = self.enrol(300 + 20 * KILLS)
        like = bytes.fromhex(self.answers(credentials[:12], 1)[0])
        reports = self.made_reports(credentials[12:], like)
        (self.work / "made.bin").write_bytes(self.batch(reports))
        draw = random.Random(1)
        acknowledged, wrong = {}, []

        def device(own, stopped):
            """Sends its reports, one by one and in small batches, until the server is gone."""
            connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=10)
            chance = random.Random(own[0])
            while not stopped.is_set():
                some = chance.sample(own, chance.choice((1, 1, 3)))
                body = reports[some[0]] if len(some) == 1 else self.batch([reports[i] for i in some])
                try:
                    connection.request("POST", f"/v1/studies/{self.digest}/reports", body)
                    answer = connection.getresponse()
                    text = answer.read()
                except (OSError, http.client.HTTPException):
                    return
                if answer.status == 200:
                    counts = json.loads(text)["by_reason"]
                    if len(some) != sum(counts.values()):
                        wrong.append(text)
                    for i in some:
                        acknowledged[i] = True
                elif answer.status != 503:
                    wrong.append(text)

        for _ in range(KILLS):
            self.serve()
            before = self.status()["reports"]["used"]
            stopped = threading.Event()
            threads = [threading.Thread(target=device, args=(range(first, len(reports), 4), stopped)) for first in range(4)]
            for thread in threads:
                thread.start()
            time.sleep(draw.uniform(0.01, 0.4))
            self.server.kill()
            self.server.wait()
            stopped.set()
            for thread in threads:
                thread.join()
            self.assertGreaterEqual(before, 0)
        self.assertEqual(wrong, [])
        self.serve()
        stored = self.status()["reports"]["used"]
        again = [self.post([reports[i]]) for i in sorted(acknowledged)]
        for counts in again:  # each was stored before, or its cohort is another
            self.assertIn(counts, ({"duplicate": 1}, {"wrong_cohort": 1}))
        self.assertEqual(self.status()["reports"]["used"], stored)
        self.assertGreaterEqual(stored, sum(counts == {"duplicate": 1} for counts in again))
        for at in range(0, len(reports), 100):
            self.post(reports[at:at + 100])
        used = self.status()["reports"]["used"]
        self.assertEqual(self.json("estimate", "run", "made.bin")["reports"]["used"], used)
        self.sotto("estimate", "run", "--close")
        self.assertEqual(self.order("close")["round"], 2)
        self.assertEqual(self.ask("GET", "round")[2], (self.work / "run/round-2.bin").read_bytes())
        self.stop()
        print(f"{KILLS} kills, {len(acknowledged)} reports acknowledged, {used} counted", flush=True)


if __name__ == "__main__":
    main()
