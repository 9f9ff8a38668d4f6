# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What sotto serve acknowledges to an MQTT broker, seen by a broker that the test plays: nothing before it is on the disk."""

import resource
import socket
import struct

from broker_case import BrokerCase
from mqtt_wire import CONNACK, CONNECT, DISCONNECT, PINGREQ, PINGRESP, PUBACK, PUBLISH, SUBACK, SUBSCRIBE, Frames, frame, published
from sotto_case import main


class PlayedBroker:
    def __init__(self):
        self.door = socket.create_server(("127.0.0.1", 0))
        self.port = self.door.getsockname()[1]
        self.line, self.is_left = None, False

    def close(self):
        self.door.close()
        if self.line:
            self.line.close()

    def let_in(self):
        """Takes a connection up to its subscriptions and what it tells. Returns the name of the client and what was retained."""
        if self.line:
            self.line.close()
        self.door.settimeout(30)
        self.line, _ = self.door.accept()
        self.line.settimeout(20)
        self.frames = Frames(self.line)
        kind, _, body = self.frames.next()
        assert kind == CONNECT and body[:7] == b"\x00\x04MQTT\x04" and not body[7] & 2, body  # 3.1.1, and the session lasts
        name = body[12:].decode()
        self.line.sendall(frame(CONNACK, 0, b"\x01\x00"))
        told = {}
        while len(told) < 2:
            kind, flags, body = self.frames.next()
            if kind == SUBSCRIBE:
                self.line.sendall(frame(SUBACK, 0, body[:2] + body[-1:]))
            elif kind == PUBLISH:
                size = struct.unpack(">H", body[:2])[0]
                assert flags & 1 and flags & 2, flags  # retained, with QoS 1
                told[body[2:2 + size].decode()] = body[4 + size:]
                self.line.sendall(frame(PUBACK, 0, body[2 + size:4 + size]))
                if told[max(told, key=len)] and body[2:2 + size].endswith(b"round"):  # as a broker does for who reads it
                    self.line.sendall(published(body[2:2 + size].decode(), body[4 + size:]))
        return name, told

    def heard(self, count, seconds=20):
        """Numbers acknowledged, in order, up to so many; fewer where the connection ends or nothing comes."""
        self.line.settimeout(seconds)
        numbers, topics = [], []
        try:
            while len(numbers) < count:
                kind, _, body = self.frames.next()
                if kind == PUBACK:
                    numbers.append(struct.unpack(">H", body)[0])
                elif kind == PUBLISH:
                    topics.append(body)
                elif kind == PINGREQ:
                    self.line.sendall(frame(PINGRESP, 0, b""))
                elif kind == DISCONNECT:
                    self.is_left = True
                    break
        except (ConnectionError, TimeoutError):
            pass
        return numbers, topics


class Acknowledged(BrokerCase):
    def setUp(self):
        super().setUp()
        self.played = PlayedBroker()
        self.addCleanup(self.played.close)
        self.sotto("study", self.protocol('kind = "auto"\ndevices = 60\nsparsity = 2'), "--out", "run")
        self.credentials = self.enrol(30)
        self.reports = [bytes.fromhex(line) for line in self.answers(self.credentials, 1)]

    def serve_played(self):
        self.serve("--mqtt", f"mqtt://127.0.0.1:{self.played.port}")
        return self.played.let_in()

    def send_all(self, again=False):
        self.played.line.sendall(b"".join(published(self.topic("r"), report, number, again=again)
                                          for number, report in enumerate(self.reports, start=1)))

    def test_every_stored_report_is_acknowledged_in_order(self):
        name, told = self.serve_played()
        self.assertEqual(told, {self.topic("manifest"): (self.work / "run/manifest.bin").read_bytes(),
                                self.topic("round"): (self.work / "run/round-1.bin").read_bytes()})
        self.send_all()
        numbers, _ = self.played.heard(len(self.reports))
        self.assertEqual(numbers, list(range(1, len(self.reports) + 1)))
        self.assertEqual(self.status()["reports"]["used"], len(self.reports))
        self.stop()
        self.assertEqual(self.serve_played()[0], name)  # the same session after a restart
        self.stop()

    def test_a_full_disk_acknowledges_nothing_and_loses_nothing(self):
        self.serve_played()
        unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
        resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, (1, resource.RLIM_INFINITY))  # no file grows any more
        for again in (False, True):
            self.send_all(again)
            self.assertEqual(self.played.heard(1), ([], []))  # neither receipts nor acknowledgements: the connection ends
            self.played.let_in()
        self.assertEqual(self.status()["reports"]["used"], 0)
        resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, unlimited)
        self.send_all(again=True)
        self.assertEqual(self.played.heard(len(self.reports))[0], list(range(1, len(self.reports) + 1)))
        self.assertEqual(self.status()["reports"]["used"], len(self.reports))
        self.server.kill()  # its log lacks what could not be written

    def test_what_a_broker_may_say_wrong_ends_the_connection_alone(self):
        self.serve_played()
        for said in (b"\x00\x00", b"\xff\xff\xff\xff\xff", frame(CONNACK, 0, b"\x00\x05"), frame(PUBLISH, 6, b"\x00\x01xAB"),
                     frame(PUBLISH, 2, b"\x00\x00\x00\x01"), frame(SUBACK, 0, b""), b"\x30\x02\x00"):
            self.played.line.sendall(said)
            self.played.line.close()
            self.played.line = None
            self.played.let_in()
        self.send_all()
        self.assertEqual(len(self.played.heard(len(self.reports))[0]), len(self.reports))
        self.stop()

    def test_a_server_that_ends_leaves_the_broker_in_order(self):
        self.serve_played()
        self.send_all()
        self.assertEqual(len(self.played.heard(len(self.reports))[0]), len(self.reports))
        self.stop()
        numbers, receipts = self.played.heard(1)
        self.assertEqual((numbers, len(receipts)), ([], len(self.reports)))
        self.assertTrue(self.played.is_left)  # it said goodbye

    def test_a_broker_that_never_answers_does_not_hold_the_server_up(self):
        self.serve("--mqtt", f"mqtt://127.0.0.1:{self.played.port}")
        self.assertEqual(self.ask("GET", "/healthz")[0], 200)
        self.assertEqual(self.post(self.reports[:1]), {"accepted": 1})
        self.stop()


if __name__ == "__main__":
    main()
