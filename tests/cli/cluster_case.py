# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Starts `sotto fleet up`, talks to its gateways and brokers, hurts its processes by their numbers, and always stops it."""

import hashlib
import http.client
import json
import os
import shutil
import signal
import socket
import sqlite3
import struct
import subprocess
import threading
import time
import urllib.parse

from serve_case import TOKEN, ServeCase
from sotto_case import SOTTO, SOURCE

BROKER = os.environ.get("SOTTO_NATS_SERVER") or shutil.which("nats-server") or "/usr/sbin/nats-server"
SEED = 7
FLEETS = {
    "cascade": ("--effects", SOURCE / "examples/laundry-energy.csv", "--target", "energy", "--users", 600, "--samples", 20),
    "million": ("--effects", SOURCE / "examples/laundry-energy.csv", "--target", "energy", "--users", 1_000_000, "--samples", 20),
    "label-iht": ("--protocol", "label-iht", "--users", 2000, "--dim", 16, "--nonzeros", 2, "--signal", "0.5"),
    "ldp-iht": ("--protocol", "ldp-iht", "--users", 3000, "--samples", 1, "--dim", 8, "--nonzeros", 2, "--signal", "0.5"),
    "number": ("--protocol", "number", "--users", 3000),
}


class Nats:
    """The few words of the NATS protocol that a test needs."""

    def __init__(self, address):
        host, port = address.removeprefix("nats://").split(":")
        self.socket = socket.create_connection((host, int(port)), timeout=10)
        self.file = self.socket.makefile("rb")
        self.file.readline()
        self.socket.sendall(b'CONNECT {"verbose":false,"headers":true,"no_responders":true}\r\nSUB _INBOX.test 1\r\n')

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.file.close()
        self.socket.close()

    def ask(self, subject, body=b""):
        """The answer to a request, as JSON."""
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.socket.sendall(f"PUB {subject} _INBOX.test {len(body)}\r\n".encode() + body + b"\r\n")
        while True:
            words = self.file.readline().split()
            if words[:1] == [b"PING"]:
                self.socket.sendall(b"PONG\r\n")
            elif words[:1] in ([b"MSG"], [b"HMSG"]):
                payload = self.file.read(int(words[-1]) + 2)[:-2]
                return json.loads(payload[int(words[-2]):] or b"{}") if words[0] == b"HMSG" else json.loads(payload)


class ClusterCase(ServeCase):
    SECONDS = 600

    def made_fleet(self, name):
        """A study directory, and the batches of each round that a simulated fleet sent."""
        self.sotto("simulate", *FLEETS[name], "--epsilon", 8, "--seed", SEED, "--threads", 1, "--out", "made")
        (self.work / "run").mkdir()
        for path in (self.work / "made").iterdir():
            if path.name in ("study.toml", "manifest.bin", "round-1.bin", "design.bin"):
                shutil.copy(path, self.work / "run" / path.name)
        study = self.work / "run/study.toml"  # a simulation needs no minimum, and a collection does
        study.write_text(study.read_text().replace("minimum = 0", "minimum = 1"))
        key = self.work / "run/master.key"
        key.write_bytes(hashlib.sha256(b"sotto-simulated-master" + struct.pack("<Q", SEED)).digest())
        key.chmod(0o600)
        batches = {}
        store = sqlite3.connect(self.work / "made/run.sqlite")
        for number, batch in store.execute("SELECT round, bytes FROM batches ORDER BY round, number"):
            batches.setdefault(number, []).append(batch)
        store.close()
        return batches

    @staticmethod
    def small(batches, reports=20):
        """The same reports in more and smaller batches."""
        out = {}
        for number, some in batches.items():
            every = []
            for batch in some:
                at = 0
                while at < len(batch):
                    size = 2 + struct.unpack_from("<H", batch, at)[0]
                    every.append(batch[at:at + size])
                    at += size
            out[number] = [b"".join(every[i:i + reports]) for i in range(0, len(every), reports)]
        return out

    def model_of_one_process(self, batches):
        """What `sotto serve` alone makes of these reports."""
        self.serve(data="alone")
        for number in sorted(batches):
            for batch in batches[number]:
                self.assertEqual(self.ask("POST", "reports", batch)[0], 200)
            self.order("close")
        while self.status()["state"] == "open":
            self.order("close")
        self.stop()
        return (self.work / "alone" / self.digest[:16] / "model.json").read_bytes()

    def up(self, directory="cluster", nodes=3, gateways=2, workers=2, partitions=4, more=()):
        """Starts the cluster; its operator's token is the one of these tests."""
        place = self.work / directory
        place.mkdir(exist_ok=True)
        (place / "operator.token").write_text(TOKEN + "\n")
        (place / "operator.token").chmod(0o600)
        self.cluster = subprocess.Popen([SOTTO, "fleet", "up", "--dir", directory, "--nodes", str(nodes), "--gateways", str(gateways),
                                         "--workers", str(workers), "--partitions", str(partitions), "--nats-server", BROKER,
                                         *map(str, more), "run"], cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.down, self.cluster)
        line = self.cluster.stdout.readline()
        self.assertTrue(line, self.cluster.stderr.read() if not line else "")
        self.facts = json.loads(line)
        self.digest = self.facts["study_digest"]
        self.at(0)
        return self.facts

    @staticmethod
    def down(cluster):
        if cluster.poll() is None:
            cluster.send_signal(signal.SIGTERM)
            try:
                cluster.wait(100)
            except subprocess.TimeoutExpired:
                cluster.kill()
                cluster.wait()
        cluster.stdout.close()
        cluster.stderr.close()

    def end_cluster(self):
        self.cluster.send_signal(signal.SIGTERM)
        said = self.cluster.stderr.read()
        self.assertEqual(self.cluster.wait(100), 0, said)
        return said

    def at(self, gateway):
        """From now on requests go to this gateway."""
        self.port = urllib.parse.urlsplit(self.facts["addresses"][gateway]).port

    def post_until_stored(self, batch, seconds=120):
        """Posts a batch until a gateway says that it is stored; returns how long that took."""
        begin = time.monotonic()
        while time.monotonic() - begin < seconds:
            try:
                status, _, answer = self.ask("POST", "reports", batch)
                if status == 202:
                    return time.monotonic() - begin
                self.assertIn(status, (429, 503), answer)
            except (OSError, http.client.HTTPException):
                pass
            time.sleep(0.1)
        self.fail("a batch was not stored")

    def wait_for(self, what, seconds=90):
        """The status, once it is so."""
        until = time.monotonic() + seconds
        while True:
            try:
                status = self.status()
                if what(status):
                    return status
            except (OSError, http.client.HTTPException):
                status = None
            if time.monotonic() > until:
                self.fail(f"it does not come to that: {status}")
            time.sleep(0.1)

    def close_round(self, seconds=120):
        """As the operator, also while the log is away for a moment."""
        number = self.status()["round"]
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            try:
                status, _, answer = self.ask("POST", "close", operator=True)
                if status == 200:
                    return
                self.assertIn(status, (409, 503), answer)
            except OSError:  # the answer waits for the workers, and those for the log
                pass
            now = self.wait_for(lambda _: True)
            if now["round"] != number or now["state"] != "open":
                return
            time.sleep(0.2)
        self.fail("the round does not close")

    def run_study(self, batches, while_posting=None):
        """Posts every round and closes it; returns the model and the longest stall of a post."""
        longest = 0
        for number in sorted(batches):
            for at, batch in enumerate(batches[number]):
                if while_posting:
                    while_posting(number, at, len(batches[number]))
                self.at(at % len(self.facts["addresses"]))
                longest = max(longest, self.post_until_stored(batch))
            self.at(0)
            self.close_round()
        while self.wait_for(lambda status: status["state"] in ("open", "finished"))["state"] == "open":
            self.close_round()  # rounds that ask nobody
        gateway = self.work / self.facts["operator_token_file"]
        return (gateway.parent / "gateway-1" / self.digest[:16] / "model.json").read_bytes(), longest

    def process(self, name):
        for kind in ("brokers", "gateways", "workers"):
            for one in self.facts[kind]:
                if one["name"] == name:
                    return one
        raise KeyError(name)

    def kill(self, name):
        os.kill(self.process(name)["pid"], signal.SIGKILL)

    def start_broker(self, name):
        """A broker that was killed comes back with its disk."""
        broker = subprocess.Popen([BROKER, "-c", self.process(name)["config"]], cwd=self.work, stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        self.process(name)["pid"] = broker.pid
        self.addCleanup(self.end_process, broker)

    def start_worker(self, name, *more):
        worker = subprocess.Popen([SOTTO, "work", "run", "--data", str(self.work / "cluster" / name), "--log", self.facts["log"],
                                   "--name", name, *more], cwd=self.work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(self.end_process, worker)
        return worker

    @staticmethod
    def end_process(process):
        if process.poll() is None:
            process.kill()
        process.wait()

    def stream(self, partition):
        return f"SOTTO-{self.digest[:16]}-1-{partition}"

    def leader(self, partition):
        with Nats(self.facts["brokers"][0]["address"]) as nats:
            return nats.ask(f"$JS.API.STREAM.INFO.{self.stream(partition)}")["cluster"]["leader"]


class FakeBroker:
    """Introduces itself as a broker, and says no more."""

    def __init__(self, **info):
        self.socket = socket.create_server(("127.0.0.1", 0))
        self.address = f"127.0.0.1:{self.socket.getsockname()[1]}"
        self.line = b"INFO " + json.dumps({"server_name": "fake", "jetstream": True, "max_payload": 131072, **info}).encode() + b"\r\n"
        self.thread = threading.Thread(target=self.answer, daemon=True)
        self.thread.start()

    def answer(self):
        while True:
            try:
                with self.socket.accept()[0] as line:
                    line.sendall(self.line)
            except OSError:
                return

    def close(self):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
        self.thread.join(5)
