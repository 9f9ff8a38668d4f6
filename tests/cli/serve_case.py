# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Starts `sotto serve` on a free loopback port, talks to it, and always stops it."""

import http.client
import json
import signal
import struct
import subprocess
import sys

from protocol_case import ProtocolCase
from sotto_case import SOTTO, SOURCE

sys.path.insert(0, str(SOURCE / "tests"))
from reference import wire  # noqa: E402
from reference.seal import seal_report  # noqa: E402

TOKEN = "0123456789abcdef" * 4


class ServeCase(ProtocolCase):
    def serve(self, *arguments, directories=("run",), data="data", scheme="http"):
        """Starts the server; returns when it listens."""
        token = self.work / "token"
        if not token.exists():
            token.write_text(TOKEN + "\n")
            token.chmod(0o600)
        self.log = open(self.work / "serve.log", "w+", encoding="utf-8")
        self.addCleanup(self.log.close)
        self.server = subprocess.Popen([SOTTO, "serve", *directories, "--listen", "127.0.0.1:0", "--data", data,
                                        "--operator-token-file", "token", *map(str, arguments)],
                                       cwd=self.work, stdout=self.log, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.end, self.server)
        line = self.server.stderr.readline()
        self.assertTrue(line.startswith(f"listening on {scheme}://127.0.0.1:"), line + (self.server.stderr.read() if not line else ""))
        self.port = int(line.rsplit(":", 1)[1])
        self.digest = wire.digest((self.work / directories[0] / "manifest.bin").read_bytes()).hex()

    @staticmethod
    def end(server):
        if server.poll() is None:
            server.kill()
        server.wait()
        server.stderr.close()

    def stop(self):
        """SIGTERM; the server ends with 0. Returns what it logged."""
        self.server.send_signal(signal.SIGTERM)
        said = self.server.stderr.read()
        self.assertEqual((self.server.wait(60), said), (0, ""))
        self.log.seek(0)
        return [json.loads(line) for line in self.log]

    def ask(self, method, path, body=None, headers=None, operator=False, connection=None):
        """Status, headers and body of one request. A path without a slash is one of the study."""
        own = connection or http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        try:
            if operator:
                headers = {**(headers or {}), "Authorization": "Bearer " + TOKEN}
            own.request(method, path if path.startswith("/") else f"/v1/studies/{self.digest}/{path}", body, headers or {})
            answer = own.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            if connection is None:
                own.close()

    def order(self, what, body=None, status=200):
        got, _, answer = self.ask("POST", what, json.dumps(body) if body else None, operator=True)
        self.assertEqual(got, status, answer)
        return json.loads(answer)

    def status(self):
        got, _, answer = self.ask("GET", "status", operator=True)
        self.assertEqual(got, 200, answer)
        return json.loads(answer)

    def post(self, reports, status=200, connection=None):
        """Posts one report as it is, several as a batch; returns the counts by reason that are not 0."""
        body = reports[0] if len(reports) == 1 else self.batch(reports)
        got, _, answer = self.ask("POST", "reports", body, {"Content-Type": "application/octet-stream"}, connection=connection)
        self.assertEqual(got, status, answer)
        return {reason: n for reason, n in json.loads(answer)["by_reason"].items() if n}

    @staticmethod
    def batch(reports):
        return b"".join(struct.pack("<H", len(report)) + report for report in reports)

    def made_reports(self, credentials, like, directory="run"):
        """Reports to round 1 with a payload of zeros, of the size and question of a real one."""
        study = wire.digest((self.work / directory / "manifest.bin").read_bytes())
        round_digest = wire.digest((self.work / directory / "round-1.bin").read_bytes())
        payload = bytes(len(like) - 32)
        return [seal_report(bytes.fromhex(row["key"]), study, round_digest, like[:8] + struct.pack("<Q", int(row["pseudonym"], 16)), payload)
                for row in credentials]
