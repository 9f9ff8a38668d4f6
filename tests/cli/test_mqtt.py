# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto serve --mqtt behind mosquitto and nats-server: what a device is told, what counts, and what outlives a death."""

import shutil

from broker_case import BrokerCase
from sotto_case import main


class OneBroker:
    """The same for every broker."""

    def study(self, devices=60):
        self.sotto("study", self.protocol(f'kind = "auto"\ndevices = {devices}\nsparsity = 2'), "--out", "run")
        return self.enrol(devices)

    def serve_broker(self, *more, data="data", **how):
        self.serve("--mqtt", self.broker_url, *more, data=data, **how)
        self.logged("mqtt_connected")

    def test_a_study_over_mqtt_is_the_study_over_files(self):
        credentials = self.study()
        self.start_broker(self.KIND)
        self.serve_broker()
        number = 1
        with self.client() as device:
            device.subscribe(self.topic("manifest"))
            device.subscribe(self.topic("a/+"))
            device.subscribe(self.topic("round"), 0)
            self.assertEqual(device.told(self.topic("manifest")), (self.work / "run/manifest.bin").read_bytes())
            while True:
                told = device.told(self.topic("round"))
                if not told:
                    break
                self.assertEqual(told, (self.work / f"run/round-{number}.bin").read_bytes())
                reports = [bytes.fromhex(line) for line in self.answers(credentials, number)]
                self.assertEqual(self.send(device, reports), ["stored"] * len(reports))
                self.assertEqual(self.send(device, reports[:3]), ["stored"] * 3)  # sent again, as in the file
                with open(self.work / f"round-{number}.hex", "a", encoding="utf-8") as file:
                    file.writelines(report.hex() + "\n" for report in reports[:3])
                self.sotto("estimate", "run", f"round-{number}.hex", "--close")
                self.order("close")
                number += 1
        self.assertEqual(told, b"")  # no round any more
        self.assertEqual(self.ask("GET", "model", operator=True)[2], (self.work / "run/model.json").read_bytes())
        self.stop()

    def test_what_does_not_count_is_refused_and_harms_nobody(self):
        credentials = self.study(30)
        self.start_broker(self.KIND)
        self.serve_broker()
        report = bytes.fromhex(self.answers(credentials, 1)[0])
        with self.client() as device:
            device.subscribe(self.topic("a/+"))
            forged = report[:-1] + bytes([report[-1] ^ 1])
            self.assertEqual(self.send(device, [b"garbage", b"", forged, bytes(70000)]), ["refused"] * 4)
            for topic in ("sotto/00000000/r", self.topic("x"), self.topic("r/r"), "other"):
                device.publish(topic, report)
            self.assertEqual(self.send(device, [report]), ["stored"])
            self.assertIsNone(device.told(self.receipt(report), 0.3))  # the foreign topics gave none
        self.assertEqual(self.status()["reports"]["used"], 1)
        metrics = self.ask("GET", "/metrics", operator=True)[2].decode()
        self.assertIn('sotto_mqtt_messages_total{fate="refused"} 4', metrics)
        self.assertIn("sotto_mqtt_connected 1", metrics)
        self.stop()

    def test_what_came_while_the_gateway_was_dead_is_stored_when_it_lives(self):
        credentials = self.study(40)
        self.start_broker(self.KIND)
        self.serve_broker()
        reports = self.made_reports(credentials, bytes.fromhex(self.answers(credentials[:20], 1)[0]))
        self.server.kill()
        self.server.wait()
        with self.client() as device:
            device.subscribe(self.topic("a/+"))
            for report in reports:
                device.publish(self.topic("r"), report)
            while len(device.acknowledged) < len(reports):
                self.assertTrue(device.hear(10))
            self.assertEqual(device.messages, [])  # the broker has them, and nobody said stored
            self.serve_broker()
            receipts = [device.told(self.receipt(report)) for report in reports]
        self.assertNotIn(None, receipts)
        self.assertEqual(self.status()["all_reports"]["used"], receipts.count(b"stored"))
        self.assertEqual(self.status()["all_reports"]["count"], len(reports))
        self.stop()

    def test_a_broker_that_dies_gets_its_round_again(self):
        credentials = self.study(30)
        self.start_broker(self.KIND)
        self.serve_broker()
        reports = [bytes.fromhex(line) for line in self.answers(credentials, 1)]
        with self.client() as device:
            device.subscribe(self.topic("a/+"))
            self.assertEqual(self.send(device, reports[:2]), ["stored"] * 2)
        self.broker.kill()
        self.broker.wait()
        if self.KIND == "mosquitto":  # it writes its sessions every half an hour: all is lost
            shutil.rmtree(self.work / self.KIND)
        self.logged("mqtt_lost")
        self.start_broker(self.KIND)
        with self.client() as device:
            device.subscribe(self.topic("a/+"))
            device.subscribe(self.topic("round"))
            self.assertEqual(device.told(self.topic("round")), (self.work / "run/round-1.bin").read_bytes())
            self.assertEqual(self.send(device, reports), ["stored"] * len(reports))
        self.assertEqual(self.status()["reports"]["used"], len(reports))
        self.stop()

    def test_two_gateways_at_one_broker_hinder_nobody(self):
        credentials = self.study(30)
        self.start_broker(self.KIND)
        self.serve_broker(data="other")
        first = self.server, self.log
        self.serve_broker()
        reports = [bytes.fromhex(line) for line in self.answers(credentials, 1)]
        with self.client() as device:
            device.subscribe(self.topic("a/+"))
            self.assertEqual(self.send(device, reports), ["stored"] * len(reports))
        self.assertEqual(self.status()["reports"]["used"], len(reports))
        self.stop()
        self.server, self.log = first
        self.stop()


class Mosquitto(OneBroker, BrokerCase):
    KIND = "mosquitto"


class Nats(OneBroker, BrokerCase):
    KIND = "nats-server"


if __name__ == "__main__":
    main()
