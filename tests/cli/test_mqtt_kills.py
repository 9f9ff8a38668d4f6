# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The gateway and the broker killed under load: every report whose receipt says stored counts once, and the sums are those of files."""

import os
import random
import threading
import time

from broker_case import BrokerCase
from mqtt_wire import Mqtt
from sotto_case import main

KILLS = int(os.environ.get("SOTTO_MQTT_KILLS", "3"))


class OneBroker:
    def device(self, own, told, wrong, ended):
        """Sends its reports until each has a receipt, some of them several times, whatever dies meanwhile."""
        draw, left = random.Random(hash(own[0])), dict.fromkeys(own)
        while left or not ended.is_set():
            try:
                with Mqtt(self.broker_port, f"device-{draw.random()}", timeout=5) as line:
                    line.subscribe(self.topic("a/+"), 0)
                    while left or not ended.is_set():
                        for report in draw.sample(sorted(left or own), min(len(left or own), 8)):
                            line.publish(self.topic("r"), report)
                        while line.hear(0.3):
                            pass
                        for topic, said in line.messages:
                            report = self.by_receipt[topic]
                            if told.setdefault(report, said) != said:
                                wrong.append((topic, said))
                            left.pop(report, None)
                        line.messages.clear()
            except OSError:
                time.sleep(0.1)

    def test_every_receipt_holds(self):
        self.sotto("study", self.protocol('kind = "auto"\ndevices = 60\nsparsity = 2'), "--out", "run")
        credentials = self.enrol(320)
        like = bytes.fromhex(self.answers(credentials[:12], 1)[0])
        self.start_broker(self.KIND)
        self.serve("--mqtt", self.broker_url)
        reports = self.made_reports(credentials[12:], like)
        self.by_receipt = {self.receipt(report): report for report in reports}
        (self.work / "made.bin").write_bytes(self.batch(reports))
        told, wrong, ended, draw = {}, [], threading.Event(), random.Random(3)
        threads = [threading.Thread(target=self.device, args=(reports[first::2], told, wrong, ended)) for first in range(2)]
        for thread in threads:
            thread.start()
        for kill in range(KILLS):
            time.sleep(draw.uniform(0.2, 1))
            if kill % 3 != 1:
                self.server.kill()
                self.server.wait()
                time.sleep(draw.uniform(0, 0.3))
                self.serve("--mqtt", self.broker_url)
            else:
                self.broker.kill()
                self.broker.wait()
                self.start_broker(self.KIND)
        ended.set()
        for thread in threads:
            thread.join(120)
        self.assertEqual((wrong, len(told)), ([], len(reports)))
        stored = sum(said == b"stored" for said in told.values())
        self.assertEqual(self.status()["reports"]["used"], stored)
        self.assertEqual(self.json("estimate", "run", "made.bin")["reports"]["used"], stored)
        self.sotto("estimate", "run", "--close")
        self.assertEqual(self.order("close")["round"], 2)
        self.assertEqual(self.ask("GET", "round")[2], (self.work / "run/round-2.bin").read_bytes())
        self.stop()
        print(f"{self.KIND}: {KILLS} kills, {stored} of {len(reports)} reports stored", flush=True)


class Mosquitto(OneBroker, BrokerCase):
    KIND = "mosquitto"


class Nats(OneBroker, BrokerCase):
    KIND = "nats-server"


if __name__ == "__main__":
    main()
