# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto serve among clients that mean no good, and on a disk that is full: others are served, memory stays bounded, and
nothing is acknowledged that was not stored."""

import contextlib
import os
import pathlib
import random
import resource
import socket
import subprocess
import time

from serve_case import ServeCase
from sotto_case import main

# How many of each kind: the long run asks for more.
CROWD = int(os.environ.get("SOTTO_CROWD", "300"))
MEMORY_FOR_EACH = 96 << 10  # bytes of a connection, whatever it sends


class Hostile(ServeCase):
    def setUp(self):
        super().setUp()
        self.sotto("study", self.protocol(), "--out", "run")
        self.enrol(1)
        self.serve()
        self.opened = []
        self.addCleanup(lambda: [connection.close() for connection in self.opened])

    def crowd(self, number, first=b""):
        for _ in range(number):
            connection = socket.create_connection(("127.0.0.1", self.port), timeout=30)
            self.opened.append(connection)
            if first:
                connection.sendall(first)

    def memory(self):
        status = pathlib.Path(f"/proc/{self.server.pid}/status").read_text()
        return int(status.split("VmRSS:")[1].split()[0]) * 1024

    def others_are_served(self):
        self.assertEqual(self.ask("GET", "/healthz")[0], 200)
        self.assertEqual(self.ask("GET", "round")[0], 200)
        self.assertEqual(self.status()["round"], 1)

    def reply(self, *pieces, half_closed=False):
        """The first line of what the server says to raw bytes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as raw:
            for piece in pieces:
                try:
                    raw.sendall(piece)
                except OSError:
                    break  # refused already
            if half_closed:
                raw.shutdown(socket.SHUT_WR)
            said = b""
            try:
                while b"\r\n" not in said:
                    more = raw.recv(4096)
                    if not more:
                        break
                    said += more
            except OSError:
                pass
            return said.split(b"\r\n")[0].decode()

    def test_slow_senders_keep_nobody_out_and_cost_little(self):
        before = self.memory()
        head = f"POST /v1/studies/{self.digest}/reports HTTP/1.1\r\nHost: x\r\nContent-Length: 60000\r\n".encode()
        self.crowd(CROWD, head)
        for step in range(3):
            for connection in self.opened:
                connection.sendall(b"X-Slow: %d\r\n" % step)
            self.others_are_served()
        self.assertLess(self.memory() - before, CROWD * MEMORY_FOR_EACH + (32 << 20))
        self.stop()

    def test_many_idle_connections_keep_nobody_out(self):
        limit = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit[1], limit[1]))
        before = self.memory()
        self.crowd(min(5 * CROWD, limit[1] - 200))
        self.others_are_served()
        self.assertLess(self.memory() - before, len(self.opened) * MEMORY_FOR_EACH)
        metrics = self.ask("GET", "/metrics", operator=True)[2].decode()
        open_now = int(metrics.split("\nsotto_connections ")[1].split()[0])
        self.assertGreaterEqual(open_now, min(len(self.opened), 1000) - 100)
        self.stop()

    def test_bodies_that_are_too_large_are_refused_before_they_are_read(self):
        path = f"POST /v1/studies/{self.digest}/reports HTTP/1.1\r\nHost: x\r\n".encode()
        chunk = b"2000\r\n" + b"x" * 0x2000 + b"\r\n"
        self.assertIn("413", self.reply(path + b"Content-Length: 65537\r\n\r\n", b"x" * 65537))
        self.assertIn("413", self.reply(path + b"Content-Length: 99999999999999\r\n\r\n"))
        self.assertIn("413", self.reply(path + b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 9, b"0\r\n\r\n"))
        self.assertIn("400", self.reply(path + b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\nabcde\r\n0\r\n\r\n"))
        self.assertIn("400", self.reply(path + b"Transfer-Encoding: chunked\r\n\r\n", b"zz\r\nabcde\r\n0\r\n\r\n"))
        for pieces in ((b"0\r\n", b"\n", b"\r\n\r\n"), (b"0", b"\r", b"\n", b"\r", b"\n"), (b"3\r\n\x01\x00a\r\n0\r\n", b"x", b": y\r\n\r\n")):
            with socket.create_connection(("127.0.0.1", self.port), timeout=30) as raw:  # a last chunk that comes bit by bit
                raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                raw.sendall(path + b"Transfer-Encoding: chunked\r\n\r\n")
                for piece in pieces:
                    time.sleep(0.05)
                    raw.sendall(piece)
                raw.shutdown(socket.SHUT_WR)
                self.assertRegex(raw.recv(4096), b"^HTTP/1.1 (200|400)|^$", pieces)
        self.others_are_served()
        self.stop()

    def test_a_sender_that_closes_its_half_still_has_its_answer(self):
        path = f"POST /v1/studies/{self.digest}/reports HTTP/1.1\r\nHost: x\r\n".encode()
        self.assertIn("400", self.reply(path + b"Content-Length: 3\r\n\r\nabc", half_closed=True))
        self.assertNotIn(" 200 ", self.reply(path + b"Content-Length: 300\r\n\r\nabc", half_closed=True))
        self.assertEqual(self.reply(b"", half_closed=True), "")
        self.others_are_served()
        self.stop()

    def test_garbage_gets_an_error_and_nothing_else(self):
        draw = random.Random(3)
        good = f"GET /v1/studies/{self.digest}/round HTTP/1.1\r\nHost: x\r\n\r\n".encode()
        for number in range(CROWD):
            text = bytearray(good)
            for _ in range(draw.randrange(1, 6)):
                text[draw.randrange(len(text))] = draw.randrange(256)
            text = bytes(text) if number % 2 else draw.randbytes(draw.randrange(1, 400))
            said = self.reply(text, half_closed=True)
            self.assertRegex(said, r"^$|^HTTP/1\.1 (200|304|400|404|405|413|431|501)\b", text)
        for sneaky in (good.replace(b"Host: x", b"Host: x\r\nContent-Length: 5\r\nContent-Length: 6"),
                       good.replace(b"Host: x", b"Host: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked"),
                       good.replace(b"Host: x", b"Ho st: x"), good.replace(b"round", b"round\r\nX-Injected: 1")):
            self.assertNotIn("X-Injected", self.reply(sneaky, half_closed=True))
        self.others_are_served()
        self.stop()


class DiskFull(ServeCase):
    REPORTS = 1200

    def setUp(self):
        super().setUp()
        self.sotto("study", self.protocol(), "--out", "run")
        credentials = self.enrol(self.REPORTS)
        asked = [bytes.fromhex(report) for report in self.answers(credentials[:12], 1)]
        self.reports = self.made_reports(credentials[12:], asked[0])

    def post_all(self, reports):
        """Posts each; tells which were acknowledged."""
        done = []
        for report in reports:
            status, headers, _ = self.ask("POST", "reports", report)
            self.assertIn(status, (200, 503))
            if status == 503:
                self.assertIn("Retry-After", headers)
            done.append(status == 200)
        return done

    def goes_on_after(self, fill, empty):
        """The disk has no room for a while."""
        self.serve(data=str(self.data))
        first, middle, last = self.reports[:100], self.reports[100:-100], self.reports[-100:]
        self.assertTrue(all(self.post_all(first)))
        fill()
        taken = self.post_all(middle)
        self.assertIn(False, taken)
        used = self.status()["reports"]["used"]
        empty()
        self.assertTrue(all(self.post_all(last)))
        self.assertGreaterEqual(self.status()["reports"]["used"], used)
        self.server.kill()
        self.server.wait()
        self.serve(data=str(self.data))
        stored = self.status()["reports"]["used"]
        acknowledged = [report for report, is_taken in zip(middle, taken) if is_taken]
        for report in first + acknowledged + last:
            self.assertIn(self.post([report]), ({"duplicate": 1}, {"wrong_cohort": 1}))
        self.assertEqual(self.status()["reports"]["used"], stored)
        again = [self.post([report]) for report, is_taken in zip(middle, taken) if not is_taken]
        self.assertNotIn({"duplicate": 1}, again)
        self.stop()

    def test_a_limit_of_file_sizes_loses_nothing_that_was_acknowledged(self):
        self.data = self.work / "data"

        def fill():
            sizes = [path.stat().st_size for path in self.data.glob("*/run.sqlite*")]
            resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, (max(sizes) + 20000, resource.RLIM_INFINITY))

        def empty():
            resource.prlimit(self.server.pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))

        self.goes_on_after(fill, empty)

    def test_a_full_disk_loses_nothing_that_was_acknowledged(self):
        self.data = self.work / "small"
        self.data.mkdir()
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "sotto-test", self.data], capture_output=True)
        if mounted.returncode != 0:
            self.skipTest("no small file system can be mounted here: " + mounted.stderr.decode().strip())
        self.addCleanup(subprocess.run, ["umount", "--lazy", self.data], check=True)
        filler = self.data / "filler"

        def fill():
            with open(filler, "wb", buffering=0) as file, contextlib.suppress(OSError):
                while file.write(bytes(4096)) == 4096:
                    pass
            os.truncate(filler, filler.stat().st_size - 24576)

        self.goes_on_after(fill, filler.unlink)


if __name__ == "__main__":
    main()
