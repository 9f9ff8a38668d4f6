# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Starts mosquitto or nats-server on a free loopback port, and always stops it."""

import getpass
import hashlib
import shutil
import socket
import subprocess
import time

from mqtt_wire import Mqtt
from serve_case import ServeCase
from sotto_case import MEMORY

BROKERS = {name: shutil.which(name, path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin") for name in ("mosquitto", "nats-server")}


def free_port():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


class BrokerCase(ServeCase):
    PLACE = MEMORY  # a process that is killed loses nothing that it wrote, and nobody waits for a disk

    def start_broker(self, kind, configuration=None):
        """Starts it with what it stored before; returns when it lets a client in. Another configuration takes {port} and {place}."""
        if not BROKERS[kind]:
            self.skipTest(f"{kind} is not installed")
        place = self.work / kind
        place.mkdir(exist_ok=True)
        if not hasattr(self, "broker_port"):
            self.broker_port = free_port()
        written = self.work / f"{kind}.conf"
        if configuration:
            written.write_text(configuration)
        elif kind == "mosquitto":
            written.write_text(f"listener {self.broker_port} 127.0.0.1\nallow_anonymous true\nuser {getpass.getuser()}\npersistence true\n"
                               f"persistence_location {place}/\nmax_inflight_messages 1000\nmax_queued_messages 100000\n")
        else:
            written.write_text(f'server_name: n1\nlisten: "127.0.0.1:{free_port()}"\njetstream {{ store_dir: "{place}" }}\n'
                               f'mqtt {{ listen: "127.0.0.1:{self.broker_port}", max_ack_pending: 1000 }}\n')
        with open(self.work / "broker.log", "a", encoding="utf-8") as log:
            self.broker = subprocess.Popen([BROKERS[kind], "-c", written], stdout=log, stderr=log)
        self.addCleanup(self.end_broker, self.broker)
        for _ in range(300):
            try:
                socket.create_connection(("127.0.0.1", self.broker_port), timeout=1).close()
                return
            except OSError:
                self.assertIsNone(self.broker.poll(), (self.work / "broker.log").read_text())
                time.sleep(0.05)
        self.fail((self.work / "broker.log").read_text())

    @staticmethod
    def end_broker(broker):
        if broker.poll() is None:
            broker.kill()
        broker.wait()

    @property
    def broker_url(self):
        return f"mqtt://127.0.0.1:{self.broker_port}"

    def topic(self, what):
        return f"sotto/{self.digest[:8]}/{what}"

    def receipt(self, report):
        return self.topic("a/" + hashlib.sha256(report).hexdigest()[:16])

    def logged(self, event, seconds=20):
        """Waits until the server has logged this event."""
        for _ in range(int(seconds * 20)):
            if f'"event":"{event}"' in (self.work / "serve.log").read_text():
                return
            time.sleep(0.05)
        self.fail(f"no {event} in {(self.work / 'serve.log').read_text()}")

    def client(self, name="test", **how):
        """A client whose broker may still be starting."""
        for _ in range(100):
            try:
                return Mqtt(self.broker_port, name, **how)
            except (ConnectionError, TimeoutError):
                time.sleep(0.1)
        self.fail("the broker lets nobody in")

    def send(self, client, reports, seconds=20):
        """Publishes reports and returns the receipts in words, None for those that got none."""
        for report in reports:
            client.publish(self.topic("r"), report)
        return [self.said(client.told(self.receipt(report), seconds)) for report in reports]

    @staticmethod
    def said(payload):
        return None if payload is None else payload.decode()
