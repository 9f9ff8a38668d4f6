# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto serve: reports over HTTP become the model that files give; who may do what; what is refused, and how rounds end."""

import http.client
import http.server
import json
import os
import shutil
import socket
import ssl
import subprocess
import threading
import time
import unittest

from serve_case import TOKEN, ServeCase, wire
from sotto_case import REFUSED, USAGE, main

SECRET_PATHS = [("GET", "status"), ("GET", "events"), ("GET", "model"), ("POST", "close"), ("POST", "extend"), ("POST", "abandon"),
                ("DELETE", "pseudonyms/0123456789abcdef"), ("GET", "/metrics")]


class EndToEnd(ServeCase):
    def test_a_cascade_over_http_gives_the_model_of_the_files(self):
        rounds = self.json("study", self.protocol(), "--out", "run")["protocol"]["rounds"]
        credentials = self.enrol(60)
        self.serve()
        self.assertEqual(self.ask("GET", "manifest")[2], (self.work / "run/manifest.bin").read_bytes())
        for number in range(1, rounds + 1):
            reports = self.answers(credentials, number)
            status, headers, body = self.ask("GET", "round")
            self.assertEqual((status, body), (200, (self.work / f"run/round-{number}.bin").read_bytes()))
            self.assertEqual(self.ask("GET", "round", headers={"If-None-Match": headers["ETag"]})[0], 304)
            self.sotto("estimate", "run", *([f"round-{number}.hex"] if reports else []))
            made = [bytes.fromhex(report) for report in reports]
            if made:
                self.assertEqual(self.post(made[:1]), {"accepted": 1})
            if len(made) > 1:
                self.assertEqual(self.post(made[1:]), {"accepted": len(made) - 1})
            self.sotto("estimate", "run", "--close")
            state = self.order("close")["state"]
            if state == "finished":  # reports may leave nothing to ask about in the last rounds
                break
            self.assertEqual(state, "open")
        self.assertEqual(self.status()["state"], "finished")
        self.assertEqual(self.ask("GET", "round")[0], 204)
        own = self.work / "data" / self.digest[:16]
        self.assertEqual((own / "model.json").read_bytes(), (self.work / "run/model.json").read_bytes())
        self.assertEqual(json.loads(self.ask("GET", "model", operator=True)[2]), json.loads((own / "model.json").read_text()))
        self.assertEqual((own / "report.html").read_bytes(), (self.work / "run/report.html").read_bytes())
        late = [bytes.fromhex(line) for line in (self.work / "round-1.hex").read_text().split()]
        self.assertEqual(self.post(late), {"late": len(late)})
        self.order("close", status=409)
        self.assertEqual([line["event"] for line in self.stop()][-1], "finished")
        self.serve()  # a finished run shows the same again
        self.assertEqual(self.status()["state"], "finished")
        self.assertEqual((own / "model.json").read_bytes(), (self.work / "run/model.json").read_bytes())
        self.stop()

    def test_rounds_close_by_count_and_two_studies_share_a_process(self):
        self.sotto("study", self.protocol(), "--out", "run")
        credentials = self.enrol(30)
        reports = [bytes.fromhex(report) for report in self.answers(credentials, 1)]
        self.sotto("study", self.protocol(epsilon="3.0"), "--out", "second")
        self.enrol(1, "second")
        self.serve("--target", len(reports), directories=("run", "second"))
        self.post(reports[1:])
        self.assertEqual(self.status()["round"], 1)
        self.post(reports[:1])
        deadline = time.monotonic() + 60
        while self.status()["round"] == 1 and time.monotonic() < deadline:
            time.sleep(0.05)
        status = self.status()
        self.assertEqual([event["what"] for event in status["events"]], ["opened", "closed", "opened"])
        metrics = self.ask("GET", "/metrics", operator=True)[2].decode()
        self.assertEqual(metrics.count("\nsotto_round{"), 2)
        self.assertEqual(self.post(reports[:1]), {"late": 1})
        self.stop()


class Agents(ServeCase):
    def agent(self, home, *arguments):
        ran = subprocess.run([os.environ["SOTTO_AGENT"], *arguments], capture_output=True, text=True, cwd=self.work, timeout=120)
        self.assertEqual(ran.returncode, 0, (home, arguments, ran.stdout + ran.stderr))
        return ran.stdout

    def test_agents_enrol_fetch_rounds_and_post_until_the_model_is_there(self):
        self.sotto("study", self.protocol(), "--out", "run")
        self.enrol(1)  # draws the master key
        key = self.sotto("tokens", "run", "--data", "data", "--count", 12, "--out", "run/master.key", code=REFUSED)
        self.assertIn("code: tokens.in_study", key.stderr)
        self.sotto("tokens", "run", "--data", "data", "--count", 12, "--out", "tokens.txt")
        tokens = (self.work / "tokens.txt").read_text().split()
        self.serve()
        server = f"http://127.0.0.1:{self.port}/v1/studies/{self.digest}"
        answered = set()  # each device answers one round
        while self.status()["state"] != "finished":
            for number, token in enumerate(tokens):
                home = f"home-{number}"
                options = ("run", home, "--data", self.readings(number), "--server", server, "--token", token)
                if not (self.work / home / "ledger").exists():
                    (self.work / home).mkdir()
                    self.agent(home, "agree", home)
                if "the server has the report" in self.agent(home, *options):
                    answered.add(home)
            before = self.status()
            if before["reports"]["used"] == 0:  # a small cohort may be nobody among so few
                self.order("abandon")
                break
            self.order("close")
        self.assertGreater(len(answered), 0)
        self.assertEqual(self.status()["all_reports"]["by_reason"]["accepted"], len(answered))
        wrong = subprocess.run([os.environ["SOTTO_AGENT"], "run", "other", "--answer", "1", "--server", server[:-1] + "x"],
                               capture_output=True, text=True, cwd=self.work, timeout=120)
        self.assertEqual(wrong.returncode, 3, wrong.stderr)
        self.stop()


    def test_a_page_that_says_200_is_no_acknowledgement(self):
        """The page of a wireless network answers everything with 200."""
        self.sotto("study", self.protocol(), "--out", "run")
        credentials = self.enrol(40)
        self.serve()

        class Between(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            is_honest, port = False, self.port

            def pass_on(self, method):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                status, answer = 200, b"<html>Accept our terms</html>"
                if method == "GET" or self.is_honest:
                    line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
                    line.request(method, self.path, body or None)
                    got = line.getresponse()
                    status, answer = got.status, got.read()
                    line.close()
                self.send_response(status)
                self.send_header("Content-Length", str(len(answer)))
                self.end_headers()
                self.wfile.write(answer)

            def do_GET(self):
                self.pass_on("GET")

            def do_POST(self):
                self.pass_on("POST")

            def log_message(self, *_):
                pass

        network = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Between)
        threading.Thread(target=network.serve_forever, daemon=True).start()
        self.addCleanup(network.server_close)
        self.addCleanup(network.shutdown)
        address = f"http://127.0.0.1:{network.server_port}/v1/studies/{self.digest}"
        for number, issued in enumerate(credentials):
            home = self.work / f"home-{number}"
            home.mkdir()
            (home / "credential").write_text(f"{issued['pseudonym']} {issued['key']}\n")
            shutil.copy(self.work / "run/manifest.bin", home)
            self.agent(home.name, "agree", home.name)
            ask = [os.environ["SOTTO_AGENT"], "run", home.name, "--data", self.readings(number), "--server", address]
            ran = subprocess.run(ask, capture_output=True, text=True, cwd=self.work, timeout=120)
            if "asks cohort" in ran.stdout:
                continue
            self.assertEqual(ran.returncode, 1, ran.stdout + ran.stderr)
            self.assertIn("not sent; the next start tries again", ran.stderr)
            self.assertEqual(self.status()["reports"]["used"], 0)
            Between.is_honest = True
            self.assertIn("the server has the report", self.agent(home.name, *ask[1:]))
            self.assertEqual(self.status()["reports"]["used"], 1)
            break
        else:
            self.fail("no device is in the first cohort")
        self.stop()

    def test_rounds_of_a_signed_study_are_signed_before_a_device_is_asked(self):
        self.sotto("study", self.protocol(), "--out", "run")
        self.sotto("keygen", "--out", "issuer.key")
        self.enrol(1)
        common = ("serve", "run", "--data", "data", "--operator-token-file", "drawn-token")
        digest = wire.digest((self.work / "run/manifest.bin").read_bytes()).hex()  # of the body, without a signature
        self.sotto("sign", "run", "--key", "issuer.key")
        self.assertIn("code: serve.signed", self.sotto(*common, code=REFUSED).stderr)
        self.sotto("keygen", "--out", "other.key")
        self.assertIn("code: sign.other_key", self.sotto(*common, "--key", "other.key", code=REFUSED).stderr)
        self.sotto("tokens", "run", "--data", "data", "--count", 12, "--out", "tokens.txt")
        self.serve("--key", "issuer.key")
        self.digest = digest
        self.assertEqual(self.ask("GET", "manifest")[2], (self.work / "run/manifest.bin").read_bytes())
        server = f"http://127.0.0.1:{self.port}/v1/studies/{self.digest}"
        public = (self.work / "issuer.key.pub").read_text().split()[-1]
        tokens = (self.work / "tokens.txt").read_text().split()
        for round_number in (1, 2):
            self.assertEqual(self.ask("GET", "round")[2], (self.work / f"run/round-{round_number}.bin").read_bytes())
            self.sotto("sign", "run", "--verify", "--public-key", "issuer.key.pub")
            for number, token in enumerate(tokens):
                home = f"home-{number}"
                if not (self.work / home).exists():
                    (self.work / home).mkdir()
                    self.agent(home, "agree", home)
                self.agent(home, "run", home, "--data", self.readings(number), "--server", server, "--token", token, "--issuer", public)
            if self.status()["reports"]["used"] == 0:
                break
            self.order("close")
        self.stop()


class Rounds(ServeCase):
    def setUp(self):
        super().setUp()
        self.sotto("study", self.protocol(study="minimum = 5"), "--out", "run")
        self.credentials = self.enrol(60)
        self.reports = [bytes.fromhex(report) for report in self.answers(self.credentials, 1)]
        self.assertGreater(len(self.reports), 5)

    def wait_for(self, state):
        deadline = time.monotonic() + 60
        while self.status()["state"] != state:
            self.assertLess(time.monotonic(), deadline)
            time.sleep(0.05)

    def test_a_deadline_below_the_minimum_stalls_until_the_operator_decides(self):
        self.serve("--deadline", 1)
        self.post(self.reports[:1])
        self.wait_for("stalled")
        error = self.order("close", status=409)["error"]
        self.assertEqual(error["code"], "serve.below_minimum")
        self.assertEqual(self.order("extend", {"seconds": 3600})["state"], "open")
        self.assertEqual(self.ask("POST", "extend", "{}", operator=True)[0], 400)
        form = {"Content-Type": "application/x-www-form-urlencoded"}  # what curl says of what it is given
        self.assertEqual(self.ask("POST", "extend", '{"seconds": 3600}', form, operator=True)[0], 200)
        self.stop()
        self.serve("--deadline", 1)  # what was decided outlives the process
        self.assertEqual((self.status()["state"], self.status()["round"]), ("open", 1))
        self.post(self.reports[1:])
        self.assertEqual(self.order("close")["round"], 2)
        self.wait_for("stalled")
        self.assertEqual(self.order("abandon")["state"], "abandoned")
        self.assertEqual(self.ask("GET", "round")[0], 204)
        self.order("extend", {"seconds": 3600}, status=409)
        self.assertEqual([event["what"] for event in self.status()["events"]],
                         ["opened", "stalled", "extended", "extended", "closed by the operator", "opened", "stalled", "abandoned"])
        self.stop()
        self.serve()
        self.assertEqual(self.status()["state"], "abandoned")
        self.assertEqual(self.post(self.reports[:1]), {"late": 1})
        self.stop()

    def test_a_pseudonym_is_forgotten_while_its_round_is_open(self):
        self.serve()
        self.post(self.reports)
        name = self.reports[0][8:16][::-1].hex()
        self.assertEqual(self.ask("DELETE", f"pseudonyms/{name}", operator=True)[0], 200)
        self.assertEqual(self.status()["reports"]["used"], len(self.reports) - 1)
        self.assertEqual(self.ask("DELETE", f"pseudonyms/{name}", operator=True)[0], 404)
        self.assertEqual(self.ask("DELETE", "pseudonyms/xyz", operator=True)[0], 400)
        second = self.reports[1][8:16][::-1].hex()
        own = f"data/{self.digest[:16]}"
        self.assertIn("code: store.busy", self.sotto("forget", second, own, code=REFUSED).stderr)
        self.stop()
        self.assertIn("forgotten", self.sotto("forget", second, own).stdout)
        self.serve()
        self.assertEqual(self.status()["reports"]["used"], len(self.reports) - 2)
        self.order("close")
        third = self.reports[2][8:16][::-1].hex()
        self.assertEqual(self.ask("DELETE", f"pseudonyms/{third}", operator=True)[0], 409)
        self.stop()


class Requests(ServeCase):
    def setUp(self):
        super().setUp()
        self.sotto("study", self.protocol(), "--out", "run")
        self.credentials = self.enrol(16)

    def test_nothing_works_without_its_right(self):
        self.serve()
        for method, path in SECRET_PATHS:
            for headers in ({}, {"Authorization": "Bearer " + "0" * 64}, {"Authorization": TOKEN}, {"Cookie": "sotto_session=00"}):
                self.assertIn(self.ask(method, path, headers=headers)[0], (401, 429), (method, path, headers))
        self.assertEqual(self.ask("GET", f"/studies/{self.digest}")[0], 401)
        self.assertEqual(self.ask("GET", "/healthz")[0], 200)
        self.assertEqual(self.status()["round"], 1)
        self.stop()

    def test_every_endpoint_takes_its_method_and_its_right_and_nothing_else(self):
        self.serve()
        study = f"/v1/studies/{self.digest}/"
        endpoints = {  # address: the method that it takes, and whether it is the operator's
            **{study + name: ("GET", False) for name in ("manifest", "round")}, **{study + name: ("POST", False) for name in ("reports", "enroll")},
            **{study + name: ("GET", True) for name in ("status", "model", "events")}, "/metrics": ("GET", True),
            **{study + name: ("POST", True) for name in ("close", "extend", "abandon")}, study + "pseudonyms/0123456789abcdef": ("DELETE", True),
            "/healthz": ("GET", False), "/live.js": ("GET", False), "/style.css": ("GET", False), f"/studies/{self.digest}": ("GET", True),
            "/": ("GET", True), "/logout": ("POST", True)}
        wrong_rights = ({}, {"Authorization": "Bearer"}, {"Authorization": "Bearer " + TOKEN[:-1]}, {"Authorization": f"Bearer {TOKEN}0"},
                        {"Authorization": "Basic " + TOKEN}, {"Cookie": "sotto_session=" + TOKEN}, {"X-CSRF-Token": TOKEN})
        for path, (own, is_operators) in endpoints.items():
            for method in ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE"):
                if method == own:
                    continue
                status, headers, _ = self.ask(method, path, operator=True)
                self.assertEqual((status, headers.get("Allow")), (405, own), (method, path))
            for rights in wrong_rights if is_operators else ():
                self.assertIn(self.ask(own, path, headers=rights)[0], (401, 429), (own, path, rights))
        events = self.status()["events"]
        self.assertEqual([event["what"] for event in events], ["opened"])  # nothing of this closed or abandoned anything
        line = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        for method, code in (("HEAD", 405), ("GET", 200)):  # a reply to HEAD has no body that the next one would begin with
            self.assertEqual(self.ask(method, "/healthz", connection=line)[0], code)
        line.close()
        self.stop()

    def test_addresses_that_climb_or_inject_are_no_addresses(self):
        self.serve()
        study = f"/v1/studies/{self.digest}"
        for path in (f"{study}/../{self.digest}/manifest", f"{study}/./manifest", f"{study}//manifest", f"{study}/manifest/", f"{study}/manifest%00",
                     f"{study}/%6danifest", "/v1/studies/..%2f..%2fetc%2fpasswd/manifest", "//etc/passwd", "/studies/../metrics",
                     f"http://127.0.0.1{study}/manifest", f"/v1/studies/{self.digest.upper()}/manifest", f"/v1/studies/{self.digest[:15]}/manifest",
                     f"{study}/pseudonyms/../status", f"{study}/pseudonyms/", "*"):
            method = "DELETE" if "pseudonyms" in path else "GET"
            self.assertIn(self.ask(method, path, operator=True)[0], (400, 404), path)
        self.assertEqual(self.ask("GET", f"/v1/studies/{self.digest[:16]}/manifest?a=../b")[0], 200)
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        status, headers, _ = self.ask("POST", "/login", f"token={TOKEN}%0d%0aX-Injected:%201", form)
        self.assertEqual((status, "X-Injected" in headers), (401, False))
        with socket.create_connection(("127.0.0.1", self.port)) as raw:
            raw.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nIf-None-Match: a\rSet-Cookie: b\r\n\r\n")
            self.assertIn(b" 400 ", raw.recv(100))
        self.stop()

    def test_wrong_requests_get_the_right_code(self):
        self.serve()
        for method, path, body, headers, code in (
                ("GET", "reports", None, {}, 405), ("PUT", "manifest", b"", {}, 405), ("POST", "status", b"", {}, 405),
                ("GET", "/nothing", None, {}, 404), ("GET", "/../etc/passwd", None, {}, 404), ("GET", "nothing", None, {}, 404),
                ("GET", "/v1/studies/" + "0" * 64 + "/round", None, {}, 404), ("POST", "/healthz", b"", {}, 405),
                ("POST", "reports", b"x" * 65537, {"Content-Type": "application/octet-stream"}, 413),
                ("POST", "reports", b"{}", {"Content-Type": "application/json"}, 415),
                ("POST", "reports", b"", {}, 400), ("POST", "reports", b"\x05\x00abc", {}, 400),
                ("GET", "round", None, {"X-Long": "y" * 9000}, 431)):
            self.assertEqual(self.ask(method, path, body, headers)[0], code, (method, path))
        self.assertEqual(self.status()["all_reports"]["by_reason"]["malformed"], 2)
        with socket.create_connection(("127.0.0.1", self.port)) as raw:
            raw.sendall(b"\x16\x03\x01garbage\r\n\r\n")
            self.assertIn(b"400", raw.recv(100))
        with socket.create_connection(("127.0.0.1", self.port)) as raw:  # a chunked body beyond the limit
            raw.sendall(f"POST /v1/studies/{self.digest}/reports HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n".encode())
            raw.sendall(b"10001\r\n" + b"x" * 65537 + b"\r\n0\r\n\r\n")
            self.assertIn(b"413", raw.recv(100))
        self.stop()

    def test_reports_that_do_not_count_are_counted(self):
        reports = [bytes.fromhex(report) for report in self.answers(self.credentials, 1)]
        self.serve()
        self.assertEqual(self.post(reports), {"accepted": len(reports)})
        self.assertEqual(self.post(reports), {"duplicate": len(reports)})
        forged = reports[0][:-1] + bytes([reports[0][-1] ^ 1])
        foreign = reports[0][:4] + bytes(4) + reports[0][8:]
        early = reports[0][:2] + b"\x09\x00" + reports[0][4:]
        self.assertEqual(self.post([forged, foreign, early, b"\x00"]),
                         {"forged": 1, "foreign_study": 1, "early": 1, "unsupported_version": 1})
        self.assertEqual(self.ask("POST", "/v1/studies/" + "0" * 64 + "/reports", self.batch(reports))[0], 404)
        text = self.ask("GET", "/metrics", operator=True)[2].decode()
        self.assertIn(f'sotto_reports_total{{study="{self.digest[:16]}",reason="forged"}} 1\n', text)
        self.stop()
        self.serve()  # also the counts of refusals are kept by an orderly end
        self.assertEqual(self.status()["all_reports"]["count"], 2 * len(reports) + 4)
        self.stop()

    def test_slow_and_idle_connections_keep_nobody_out(self):
        self.serve()
        idle = []
        try:
            for number in range(400):
                idle.append(socket.create_connection(("127.0.0.1", self.port)))
                if number % 2 == 0:
                    idle[-1].sendall(b"POST /v1/studies/")
            self.assertEqual(self.ask("GET", "/healthz")[0], 200)
            self.assertEqual(self.status()["round"], 1)
        finally:
            for connection in idle:
                connection.close()
        self.stop()

    def test_devices_enrol_once_with_a_token(self):
        self.sotto("tokens", "run", "--data", "data", "--count", 2, "--out", "tokens.txt")
        first, second = (self.work / "tokens.txt").read_text().split()
        self.serve()
        status, _, body = self.ask("POST", "enroll", json.dumps({"token": first}), {"Content-Type": "application/json"})
        self.assertEqual(status, 200, body)
        issued = json.loads(body)
        self.assertEqual((len(issued["pseudonym"]), len(issued["key"])), (16, 64))
        self.assertEqual(self.ask("POST", "enroll", first)[0], 409)
        self.assertEqual(self.ask("POST", "enroll", "0" * 64)[0], 401)
        self.assertEqual(self.ask("POST", "enroll", "")[0], 401)
        status, _, body = self.ask("POST", "enroll", headers={"Authorization": "Bearer " + second})
        self.assertNotEqual(json.loads(body)["pseudonym"], issued["pseudonym"])
        self.assertNotIn(first.encode(), (self.work / "data" / self.digest[:16] / "collection.sqlite").read_bytes())
        reports = []
        for row in (issued, json.loads(body)):  # the credentials are good: at most the cohort is another
            report = self.answers([row], 1, "run")
            reports += [bytes.fromhex(line) for line in report]
            for path in self.work.glob("run-*.ledger"):
                path.unlink()
        for report in reports:
            self.assertEqual(self.post([report]), {"accepted": 1})
        self.stop()


class Pages(ServeCase):
    def test_the_operator_logs_in_and_forms_of_others_do_nothing(self):
        self.sotto("study", self.protocol(), "--out", "run")
        self.enrol(1)
        self.serve()
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        self.assertEqual(self.ask("POST", "/login", "token=wrong", form)[0], 401)
        status, headers, _ = self.ask("POST", "/login", f"token={TOKEN}", form)
        self.assertEqual((status, headers["Location"]), (303, "/"))
        for part in ("HttpOnly", "SameSite=Strict"):
            self.assertIn(part, headers["Set-Cookie"])
        cookie = {"Cookie": headers["Set-Cookie"].split(";")[0]}
        self.assertIn(b"laundry", self.ask("GET", "/", headers=cookie)[2])
        status, headers, body = self.ask("GET", f"/studies/{self.digest}", headers=cookie)
        self.assertEqual(status, 200)
        self.assertIn("default-src 'none'", headers["Content-Security-Policy"])
        self.assertNotIn("unsafe", headers["Content-Security-Policy"])
        self.assertNotIn(b"style=", body)
        self.assertNotIn(TOKEN.encode(), body)
        secret = body.split(b'name="csrf" value="')[1].split(b'"')[0].decode()
        self.assertEqual(self.ask("POST", "extend", "seconds=60", {**form, **cookie})[0], 401)
        self.assertEqual(self.ask("POST", "extend", "seconds=60&csrf=" + "0" * 64, {**form, **cookie})[0], 401)
        status, headers, _ = self.ask("POST", "extend", f"seconds=60&csrf={secret}", {**form, **cookie})
        self.assertEqual((status, headers["Location"]), (303, f"/studies/{self.digest}"))
        self.assertIsNotNone(self.status()["deadline"])
        for path in ("/live.js", "/style.css"):
            self.assertEqual(self.ask("GET", path)[0], 200)
        live = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        live.request("GET", f"/v1/studies/{self.digest}/events", headers=cookie)
        stream = live.getresponse()
        self.assertEqual(stream.getheader("Content-Type"), "text/event-stream")
        for _ in range(2):
            self.assertEqual(json.loads(stream.readline().removeprefix(b"data: "))["study"], "laundry")
            stream.readline()
        live.close()
        self.ask("POST", "/logout", f"csrf={secret}", {**form, **cookie})
        self.assertEqual(self.ask("GET", "/", headers=cookie)[0], 401)
        self.stop()


@unittest.skipUnless(shutil.which("openssl"), "openssl makes the certificate")
class Encrypted(ServeCase):
    def setUp(self):
        super().setUp()
        self.sotto("study", self.protocol(), "--out", "run")
        self.enrol(1)
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
                        "-subj", "/CN=127.0.0.1", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", "key.pem", "-out", "chain.pem"],
                       cwd=self.work, check=True, capture_output=True)

    def test_over_tls_everything_is_as_without_and_cookies_stay_inside(self):
        self.serve("--tls-cert", "chain.pem", "--tls-key", "key.pem", scheme="https")
        trusted = ssl.create_default_context(cafile=str(self.work / "chain.pem"))
        line = http.client.HTTPSConnection("127.0.0.1", self.port, context=trusted, timeout=30)
        for _ in range(2):  # one connection for both
            self.assertEqual(self.ask("GET", "round", connection=line)[2], (self.work / "run/round-1.bin").read_bytes())
        status, headers, _ = self.ask("POST", "/login", f"token={TOKEN}", {"Content-Type": "application/x-www-form-urlencoded"}, connection=line)
        self.assertEqual(status, 303)
        self.assertIn("; Secure", headers["Set-Cookie"])
        self.assertEqual(self.ask("GET", "status", operator=True, connection=line)[0], 200)
        line.close()
        with self.assertRaises(ssl.SSLCertVerificationError):
            http.client.HTTPSConnection("127.0.0.1", self.port, context=ssl.create_default_context(), timeout=30).connect()
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as plain:  # no word of HTTP in the clear
            plain.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
            self.assertNotIn(b"HTTP/", plain.recv(100))
        self.stop()

    def test_an_agent_speaks_tls_and_trusts_whom_it_is_told(self):
        self.sotto("tokens", "run", "--data", "data", "--count", 1, "--out", "tokens.txt")
        self.serve("--tls-cert", "chain.pem", "--tls-key", "key.pem", scheme="https")
        run = [os.environ["SOTTO_AGENT"], "run", "home", "--data", self.readings(0), "--server",
               f"https://127.0.0.1:{self.port}/v1/studies/{self.digest}", "--token", (self.work / "tokens.txt").read_text().strip()]
        subprocess.run([run[0], "agree", "home"], cwd=self.work, check=True, timeout=60)
        stranger = subprocess.run(run, cwd=self.work, capture_output=True, text=True, timeout=60)
        self.assertEqual(stranger.returncode, 3, stranger.stderr)
        self.assertIn("certificate", stranger.stderr)
        other = [word.replace("127.0.0.1", "localhost") for word in run]  # the certificate is for the address alone
        trusting = {**os.environ, "SSL_CERT_FILE": str(self.work / "chain.pem")}
        ran = subprocess.run(other, cwd=self.work, capture_output=True, text=True, timeout=60, env=trusting)
        self.assertEqual(ran.returncode, 3, ran.stderr)
        self.assertFalse((self.work / "home/credential").exists())  # the token was not sent
        ran = subprocess.run(run, cwd=self.work, capture_output=True, text=True, timeout=60, env=trusting)
        self.assertEqual(ran.returncode, 0, ran.stdout + ran.stderr)
        self.assertTrue((self.work / "home/credential").exists())
        self.stop()

    def test_a_certificate_that_cannot_be_used_is_refused_before_a_round_opens(self):
        (self.work / "bad.pem").write_text("no certificate\n")
        for chain, key in (("bad.pem", "key.pem"), ("chain.pem", "bad.pem"), ("missing.pem", "key.pem")):
            said = self.sotto("serve", "run", "--listen", "127.0.0.1:0", "--data", "data", "--operator-token-file", "token", "--tls-cert",
                              chain, "--tls-key", key, code=REFUSED).stderr
            self.assertIn("code: serve.bad_certificate", said)
        self.assertEqual(list(self.work.glob("data/*/run.sqlite")), [])


class Refusals(ServeCase):
    def test_what_cannot_be_served_is_refused_at_the_start(self):
        self.sotto("study", self.protocol(), "--out", "run")
        common = ("--data", "data", "--operator-token-file", "token")
        self.assertIn("code: estimate.no_key", self.sotto("serve", "run", *common, code=REFUSED).stderr)
        self.enrol(1)
        self.assertEqual((self.work / "token").stat().st_mode & 0o777, 0o600)
        self.assertEqual(len((self.work / "token").read_text().strip()), 64)
        for listen, code, exit_code in (("0.0.0.0:0", "serve.needs_tls", REFUSED), ("nowhere", "usage", USAGE),
                                        ("127.0.0.1:99999", "usage", USAGE)):
            self.assertIn(f"code: {code}", self.sotto("serve", "run", *common, "--listen", listen, code=exit_code).stderr)
        for wrong in (("--target", "-5"), ("--target", "0"), ("--deadline", "-1")):
            self.assertIn("code: usage", self.sotto("serve", "run", *common, *wrong, code=USAGE).stderr)
        with socket.create_server(("127.0.0.1", 0)) as taken:  # no round opens whose time would run
            where = f"127.0.0.1:{taken.getsockname()[1]}"
            self.assertIn("code: serve.cannot_listen", self.sotto("serve", "run", *common, "--listen", where, code=REFUSED).stderr)
            self.assertEqual(list(self.work.glob("data/*/run.sqlite")), [])
        self.sotto("study", self.study(), "--out", "vote")
        (self.work / "vote/study.toml").unlink()
        self.assertIn("code: serve.no_study", self.sotto("serve", "vote", *common, code=REFUSED).stderr)
        (self.work / "short").write_text("secret")
        self.assertIn("code: serve.bad_token", self.sotto("serve", "run", "--data", "data", "--operator-token-file", "short",
                                                          code=REFUSED).stderr)
        self.serve()
        self.assertIn("code: store.busy", self.sotto("serve", "run", *common, "--listen", "127.0.0.1:0", code=REFUSED).stderr)
        self.stop()


if __name__ == "__main__":
    main()
