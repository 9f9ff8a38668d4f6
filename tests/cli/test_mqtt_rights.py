# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The configurations of docs/mqtt, as they are shipped: agents answer a round over TLS, and a device user reads nobody else's report."""

import getpass
import os
import random
import socket
import subprocess

from broker_case import BrokerCase, free_port
from mqtt_wire import Mqtt
from sotto_case import INPUT_OUTPUT, SOURCE, USAGE, main

AGENT = os.environ["SOTTO_AGENT"]
DOCS = SOURCE / "docs/mqtt"


class OneBroker:
    def setUp(self):
        super().setUp()
        place = self.work / "secret"
        place.mkdir()
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "2", "-subj",
                        "/CN=localhost", "-addext", "subjectAltName=DNS:localhost", "-keyout", place / "key.pem", "-out", place / "chain.pem"],
                       check=True, capture_output=True)
        self.authority = place / "chain.pem"
        for user in ("gateway", "device"):
            (place / user).write_text(f"{user}\n{user}-password\n")
            (place / user).chmod(0o600)
        self.broker_port = free_port()
        self.start_broker(self.KIND, self.configuration(place))
        self.sotto("study", self.protocol('kind = "auto"\ndevices = 36\nsparsity = 2'), "--out", "run")
        self.credentials = self.enrol(16)

    def serve_broker(self, *more, user="gateway"):
        self.serve("--mqtt", f"mqtts://localhost:{self.broker_port}", "--mqtt-ca", self.authority, "--mqtt-user-file", self.work / "secret" / user,
                   *more)
        self.logged("mqtt_connected")

    def tls(self, name, user="device"):
        return Mqtt(self.broker_port, name, user=user, password=f"{user}-password", authority=str(self.authority))

    def agent(self, command, home, *arguments, code=0):
        ran = subprocess.run([AGENT, command, home, *map(str, arguments)], capture_output=True, text=True, cwd=self.work, timeout=120)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def broker_options(self, user="device"):
        return ("--mqtt", f"mqtts://localhost:{self.broker_port}/{self.digest}", "--mqtt-ca", self.authority,
                "--mqtt-user-file", self.work / "secret" / user)

    def homes(self):
        draw = random.Random(7)
        for number, row in enumerate(self.credentials):
            home = self.work / f"home-{number}"
            home.mkdir()
            (home / "credential").write_text(f"{row['pseudonym']} {row['key']}\n")
            (home / "rows.csv").write_text("".join(",".join(str(round(draw.gauss(0, 100))) for _ in range(7)) + "\n" for _ in range(20)))
            yield f"home-{number}"

    def test_agents_answer_over_tls_and_nobody_reads_anothers_report(self):
        self.serve_broker()
        spy, control = self.tls("spy"), self.tls("control", user="gateway")
        self.addCleanup(control.line.close)
        control.subscribe("sotto/+/r")
        for topic in ("#", "sotto/#", "sotto/+/r", self.topic("r"), "+/+/+", "$MQTT/#", "$MQTT/sub/#", "$MQTT/msgs/#", "$SYS/#", "$share/a/sotto/+/r"):
            for quality in (0, 1):
                try:
                    spy.subscribe(topic, quality)
                except ConnectionError:  # nats-server closes such a connection
                    spy.line.close()
                    spy = self.tls("spy")
        answered = []
        for home in self.homes():
            (self.work / home / "manifest.bin").write_bytes((self.work / "run/manifest.bin").read_bytes())
            self.agent("agree", home)
            (self.work / home / "manifest.bin").unlink()
            said = self.agent("run", home, "--data", f"{home}/rows.csv", *self.broker_options())
            if "the server has the report" in said:
                answered.append(home)
                self.assertEqual(list((self.work / home / "outbox").iterdir()), [])
                if len(answered) == 2:
                    break
        self.assertGreater(len(answered), 0)
        self.assertEqual(self.status()["reports"]["by_reason"]["accepted"], len(answered))
        for _ in answered:
            self.assertIsNotNone(control.told(self.topic("r")))  # who may read reports does
        for topic in ("round", "manifest", "a/0000000000000000"):  # a device tells nobody a round, a study or a receipt
            with self.tls("forger") as forger:
                forger.publish(self.topic(topic), b"forged", retained=True)
                try:
                    forger.hear(0.2)
                except ConnectionError:
                    pass
        with self.tls("reader") as reader:
            reader.subscribe(self.topic("round"), 0)
            self.assertEqual(reader.told(self.topic("round")), (self.work / "run/round-1.bin").read_bytes())
        while spy.hear(0.5):
            pass
        seen = {topic for topic, _ in spy.messages}
        self.assertEqual({topic for topic in seen if not topic.startswith("$SYS")} - {self.topic("round"), self.topic("manifest")}, set())
        spy.line.close()
        self.stop()

    def test_a_brokers_word_is_not_the_servers(self):
        self.serve_broker()
        for home in self.homes():  # one that is asked
            (self.work / home / "manifest.bin").write_bytes((self.work / "run/manifest.bin").read_bytes())
            self.agent("agree", home)
            (self.work / home / "inbox").mkdir()
            (self.work / home / "inbox/round-1.bin").write_bytes((self.work / "run/round-1.bin").read_bytes())
            run = ("run", home, "--data", f"{home}/rows.csv")
            if "asks cohort" not in self.agent(*run):
                break
        self.server.kill()
        self.server.wait()
        report = self.work / home / "outbox/round-1.hex"
        kept = report.read_text()
        said = self.agent(*run, *self.broker_options(), "--tries", 1, code=1)
        self.assertIn("the broker took the report, and no server has said that it is stored: it is kept", said)
        self.assertEqual(report.read_text(), kept)
        self.serve_broker()
        self.assertIn("the server has the report", self.agent(*run, *self.broker_options()))
        self.assertFalse(report.exists())
        self.assertEqual(self.status()["reports"]["used"], 1)
        self.broker.kill()
        self.broker.wait()
        said = self.agent(*run, *self.broker_options(), "--tries", 1, code=1)
        self.assertIn("the next start tries again", said)
        self.stop()

    def test_who_may_not_is_told_so(self):
        with self.assertRaises(ConnectionError):
            Mqtt(self.broker_port, "stranger", user="device", password="wrong", authority=str(self.authority))
        (self.work / "secret/wrong").write_text("gateway\nwrong\n")
        (self.work / "secret/wrong").chmod(0o600)
        self.serve("--mqtt", f"mqtts://localhost:{self.broker_port}", "--mqtt-ca", self.authority, "--mqtt-user-file", self.work / "secret/wrong")
        self.logged("mqtt_lost")
        self.assertIn("not authori", (self.work / "serve.log").read_text())
        self.stop()
        self.serve_broker(user="device")  # may connect, and not tell the round
        self.logged("mqtt_round_not_seen", 30)
        self.stop()


class Mosquitto(OneBroker, BrokerCase):
    KIND = "mosquitto"

    def configuration(self, place):
        for user in ("gateway", "device"):
            new = [] if (place / "passwords").exists() else ["-c"]
            subprocess.run(["mosquitto_passwd", "-b", *new, place / "passwords", user, f"{user}-password"], check=True, capture_output=True)
        (place / "sotto.acl").write_bytes((DOCS / "sotto.acl").read_bytes())
        for file in ("passwords", "sotto.acl"):
            (place / file).chmod(0o600)
        text = (DOCS / "mosquitto.conf").read_text()
        return (text.replace("listener 8883", f"listener {self.broker_port} 127.0.0.1").replace("/etc/mosquitto/sotto", str(place))
                .replace("/var/lib/mosquitto/", f"{self.work}/mosquitto/") + f"user {getpass.getuser()}\n")


class Nats(OneBroker, BrokerCase):
    KIND = "nats-server"

    def configuration(self, place):
        text = (DOCS / "nats.conf").read_text()
        self.own_port = free_port()
        return (text.replace("0.0.0.0:8883", f"127.0.0.1:{self.broker_port}").replace("127.0.0.1:4222", f"127.0.0.1:{self.own_port}")
                .replace("/etc/nats/sotto", str(place)).replace("/var/lib/nats", f"{self.work}/nats-server")
                .replace("DEVICE_PASSWORD", "device-password").replace("GATEWAY_PASSWORD", "gateway-password"))

    def test_no_user_speaks_the_brokers_own_protocol(self):
        for user in ("device", "gateway"):
            with socket.create_connection(("127.0.0.1", self.own_port), timeout=10) as line:
                line.recv(65536)
                line.sendall(f'CONNECT {{"user":"{user}","pass":"{user}-password","verbose":true}}\r\nSUB $MQTT.sub.> 1\r\nPING\r\n'.encode())
                self.assertIn(b"-ERR", line.recv(65536))


class Misuse(BrokerCase):
    def test_addresses_that_are_none_are_refused_before_a_round_opens(self):
        self.sotto("study", self.protocol(), "--out", "run")
        self.enrol(1)
        (self.work / "token").write_text("0" * 64)
        (self.work / "token").chmod(0o600)
        for given, code, said in ((("--mqtt", "http://127.0.0.1"), 3, "mqtt.address"), (("--mqtt", "mqtt://user@127.0.0.1"), 3, "mqtt.address"),
                                  (("--mqtt", "mqtt://127.0.0.1:70000"), 3, "mqtt.address"),
                                  (("--mqtt", "mqtt://broker.example"), 3, "mqtt.needs_tls"), (("--mqtt", "mqtt://127.0.0.1/x"), 3, "mqtt.address"),
                                  (("--mqtt", "mqtts://127.0.0.1", "--mqtt-ca", "nowhere"), 3, "mqtt.authority"),
                                  (("--mqtt-ca", "run/manifest.bin"), USAGE, "--mqtt")):
            ran = subprocess.run([os.environ["SOTTO"], "serve", "run", "--data", "data", "--operator-token-file", "token", "--listen",
                                  "127.0.0.1:0", *given], cwd=self.work, capture_output=True, text=True, timeout=20)
            self.assertIn(said, ran.stderr)
            self.assertNotIn("opened", ran.stdout)
            self.assertNotEqual(ran.returncode, 0)
        digest = "ab" * 32
        for url, code in (("mqtt://127.0.0.1:1/short", INPUT_OUTPUT), (f"mqtt://127.evil.example/{digest}", INPUT_OUTPUT),
                          (f"http://127.0.0.1:1/{digest}", INPUT_OUTPUT)):
            ran = subprocess.run([AGENT, "run", "home", "--answer", "1", "--mqtt", url], cwd=self.work, capture_output=True, text=True, timeout=20)
            self.assertEqual(ran.returncode, code, ran.stderr)
            self.assertIn("mqtts://", ran.stderr)


if __name__ == "__main__":
    main()
