# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Tickets of enrolment: an issuer who knows the devices and a collector who sees the reports, of whom neither can link the two.
The devices here are the independent reference of RFC 9474, and sotto-device."""

import hashlib
import http.client
import http.server
import json
import os
import shutil
import signal
import subprocess
import threading
import unittest

from serve_case import ServeCase
from sotto_case import REFUSED, SOTTO, main

from reference import ticket  # serve_case has set the path

KEY = {}  # drawn once: an RSA key takes a moment


class TicketCase(ServeCase):
    def setUp(self):
        super().setUp()
        if not KEY:
            KEY["fingerprint"] = self.json("keygen", "--tickets", "--out", "issuer.key")["fingerprint"]
            KEY["secret"], KEY["public"] = ((self.work / name).read_bytes() for name in ("issuer.key", "issuer.key.pub"))
        else:
            (self.work / "issuer.key").write_bytes(KEY["secret"])
            (self.work / "issuer.key.pub").write_bytes(KEY["public"])
            (self.work / "issuer.key").chmod(0o600)
        study = f'minimum = 1\ntickets = "{KEY["fingerprint"]}"'
        self.sotto("study", self.protocol(study=study), "--out", "run")
        shutil.copytree(self.work / "run", self.work / "office")  # the issuer's copy has no master key
        shutil.copy(self.work / "issuer.key.pub", self.work / "run/tickets.pub")

    def open_office(self, tokens):
        self.sotto("tokens", "office", "--data", "issued", "--count", tokens, "--out", "tokens.txt")
        self.office = subprocess.Popen([SOTTO, "issue", "office", "--data", "issued", "--key", "issuer.key", "--listen", "127.0.0.1:0"],
                                       cwd=self.work, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(self.close_office)
        line = self.office.stderr.readline()
        self.assertTrue(line.startswith("listening on http://127.0.0.1:"), line)
        self.office_port = int(line.rsplit(":", 1)[1])
        return (self.work / "tokens.txt").read_text().split()

    def close_office(self):
        if self.office.poll() is None:
            self.office.kill()
        self.office.communicate()

    def serve(self, *arguments, **options):
        drawn = not (self.work / "run/master.key").exists()
        if drawn:  # which is said before it listens; here it is drawn by a start that fails for want of an address
            self.sotto("serve", "run", "--data", "data", "--operator-token-file", "early", "--listen", "192.0.2.1:1", "--tls-cert", "none",
                       "--tls-key", "none", code=REFUSED)
        super().serve(*arguments, **options)

    def ask_office(self, method, what, body=None):
        line = http.client.HTTPConnection("127.0.0.1", self.office_port, timeout=30)
        path = what if what.startswith("/") else f"/v1/studies/{self.digest}/{what}"
        line.request(method, path, json.dumps(body) if body is not None else None)
        answer = line.getresponse()
        text = answer.read()
        line.close()
        return answer.status, text

    def ticket(self, token, study=None):
        """A signed ticket, as a device gets one. Returns it with what the issuer saw."""
        status, pem = self.ask_office("GET", "ticket-key")
        self.assertEqual((status, pem), (200, self.ask("GET", "ticket-key")[2]))
        key = ticket.PublicKey.from_pem(pem.decode())
        name = os.urandom(32)
        message = ticket.message_of(name, study or bytes.fromhex(self.digest))
        blinded, inverse = key.blind(message)
        status, text = self.ask_office("POST", "tickets", {"token": token, "blinded": blinded.hex()})
        self.assertEqual(status, 200, text)
        signed = bytes.fromhex(json.loads(text)["signature"])
        return {"ticket": name.hex(), "signature": key.unblind(message, signed, inverse).hex()}, blinded.hex()

    def enroll(self, body, status=200):
        got, _, text = self.ask("POST", "enroll", json.dumps(body), {"Content-Type": "application/json"})
        self.assertEqual(got, status, text)
        return json.loads(text)

    def stored_by(self, directory):
        return b"".join(path.read_bytes() for path in sorted((self.work / directory).rglob("*")) if path.is_file())


class Tickets(TicketCase):
    def test_a_device_enrols_by_a_ticket_and_its_reports_count(self):
        tokens = self.open_office(12)
        self.serve()
        issued, seen = [], []
        for token in tokens:
            own, blinded = self.ticket(token)
            issued.append(self.enroll(own))
            self.assertEqual(self.enroll(own), issued[-1])  # a lost answer costs nothing
            seen.append((token, own, blinded))
        self.assertEqual(len({one["pseudonym"] for one in issued}), len(tokens))
        reports = [bytes.fromhex(report) for report in self.answers(issued, 1)]
        self.assertEqual(self.post(reports), {"accepted": len(reports)})
        logged = self.stop()
        self.assertNotIn("tickets", str(logged))
        self.office.send_signal(signal.SIGTERM)
        said, trouble = self.office.communicate(timeout=60)
        self.assertEqual((self.office.returncode, trouble), (0, ""))
        self.assertEqual([json.loads(line)["event"] for line in said.splitlines()], ["ticket"] * len(tokens))
        # What each party has kept names nothing that the other one saw.
        office, collector = self.stored_by("issued") + self.stored_by("office") + said.encode(), self.stored_by("data") + self.stored_by("run")
        for one, (token, own, blinded) in zip(issued, seen):
            for text, who in ((one["pseudonym"], office), (one["key"], office), (own["ticket"], office), (own["signature"], office),
                              (token, collector), (blinded, collector), (hashlib.sha256(token.encode()).hexdigest(), collector),
                              (hashlib.sha256(bytes.fromhex(blinded)).hexdigest(), collector)):
                self.assertNotIn(bytes.fromhex(text), who)
                self.assertNotIn(bytes.fromhex(text)[::-1], who)
                self.assertNotIn(text.encode(), who)
        self.assertFalse((self.work / "office/master.key").exists())

    def test_what_is_no_ticket_enrols_nobody(self):
        tokens = self.open_office(3)
        self.serve()
        own, _ = self.ticket(tokens[0])
        self.assertEqual(self.enroll({"token": tokens[1]}, 409)["error"]["code"], "enroll.needs_ticket")
        for wrong in ({**own, "ticket": "0" * 64}, {**own, "signature": "0" * 768}, {**own, "signature": ""}, {**own, "ticket": "zz"},
                      {**own, "signature": own["signature"] + "00"}, {**own, "signature": own["signature"][:-2]}):
            self.assertEqual(self.enroll(wrong, 401)["error"]["code"], "enroll.bad_ticket")
        other, _ = self.ticket(tokens[1], study=bytes(32))
        self.assertEqual(self.enroll(other, 401)["error"]["code"], "enroll.bad_ticket")
        self.assertIn("pseudonym", self.enroll(own))
        self.stop()

    def test_an_issuer_signs_once_for_a_token_and_nothing_else(self):
        tokens = self.open_office(2)
        self.serve()
        asked = {"token": tokens[0], "blinded": "01" * 384}
        status, first = self.ask_office("POST", "tickets", asked)
        self.assertEqual((status, self.ask_office("POST", "tickets", asked)), (200, (200, first)))  # a lost answer costs no token
        for body, code in (({**asked, "blinded": "02" * 384}, 409), ({**asked, "token": "0" * 64}, 401), ({"blinded": "01" * 384}, 401),
                           ({"token": tokens[1]}, 400), ({"token": tokens[1], "blinded": "ff" * 384}, 400),
                           ({"token": tokens[1], "blinded": "01" * 383}, 400), ([], 400)):
            self.assertEqual(self.ask_office("POST", "tickets", body)[0], code, body)
        for method, what, code in (("GET", "tickets", 405), ("POST", "ticket-key", 405), ("GET", "/healthz", 200), ("GET", "reports", 404),
                                   ("GET", "/v1/studies/" + "0" * 64 + "/ticket-key", 404), ("GET", "/metrics", 404)):
            self.assertEqual(self.ask_office(method, what)[0], code, what)
        self.close_office()  # a token that was spent stays spent
        self.sotto("tokens", "office", "--data", "issued", "--count", 1, "--out", "more.txt")
        self.open_office(1)
        self.assertEqual(self.ask_office("POST", "tickets", {**asked, "blinded": "02" * 384})[0], 409)
        self.assertEqual(self.ask_office("POST", "tickets", asked), (200, first))
        self.stop()

    def test_wrong_keys_and_studies_are_refused(self):
        common = ("--data", "data", "--operator-token-file", "token", "--listen", "127.0.0.1:0")
        self.assertIn("code: enrol.by_ticket", self.sotto("enrol", "run", "--count", 1, "--out", "x.csv", code=REFUSED).stderr)
        (self.work / "run/tickets.pub").unlink()
        self.assertIn("code: ticket.no_key", self.sotto("serve", "run", *common, code=REFUSED).stderr)
        (self.work / "run/tickets.pub").write_text("no key\n")
        self.assertIn("code: ticket.bad_key", self.sotto("serve", "run", *common, code=REFUSED).stderr)
        self.sotto("keygen", "--tickets", "--out", "other.key")
        shutil.copy(self.work / "other.key.pub", self.work / "run/tickets.pub")
        self.assertIn("code: ticket.other_key", self.sotto("serve", "run", *common, code=REFUSED).stderr)
        issue = ("issue", "office", "--data", "issued", "--listen", "127.0.0.1:0", "--key")
        self.assertIn("code: ticket.other_key", self.sotto(*issue, "other.key", code=REFUSED).stderr)
        self.assertIn("code: key.exposed", self.sotto(*issue, "issuer.key.pub", code=REFUSED).stderr)
        (self.work / "issuer.key.pub").chmod(0o600)
        self.assertIn("code: ticket.bad_key", self.sotto(*issue, "issuer.key.pub", code=REFUSED).stderr)
        (self.work / "issuer.key").chmod(0o644)
        self.assertIn("code: key.exposed", self.sotto(*issue, "issuer.key", code=REFUSED).stderr)
        (self.work / "issuer.key").chmod(0o600)
        (self.work / "issuer.key.study").write_text("0" * 64 + "\n")
        self.assertIn("code: issue.other_study", self.sotto(*issue, "issuer.key", code=REFUSED).stderr)
        self.assertIn("code: key.exists", self.sotto("keygen", "--tickets", "--out", "issuer.key", code=REFUSED).stderr)
        self.sotto("study", self.protocol(), "--out", "plain")
        self.assertIn("code: issue.no_tickets", self.sotto("issue", "plain", "--data", "issued", "--key", "issuer.key", code=REFUSED).stderr)
        for terms in ('tickets = "12"', f'tickets = "{"0" * 64}"\nauthenticated = false'):
            self.assertIn("study.tickets", self.sotto("study", self.protocol(study=terms), code=REFUSED).stderr)


@unittest.skipUnless("SOTTO_AGENT" in os.environ, "no sotto-device")
class Agents(TicketCase):
    def agent(self, *arguments, code=0):
        ran = subprocess.run([os.environ["SOTTO_AGENT"], *map(str, arguments)], capture_output=True, text=True, cwd=self.work, timeout=120)
        self.assertEqual(ran.returncode, code, ran.stdout + ran.stderr)
        return ran.stdout + ran.stderr

    def test_agents_enrol_by_tickets_and_wait_between_the_two_parties(self):
        tokens = self.open_office(8)
        self.serve()
        server, office = (f"http://127.0.0.1:{port}/v1/studies/{self.digest}" for port in (self.port, self.office_port))
        answered = 0
        for number, token in enumerate(tokens):
            home = f"home-{number}"
            (self.work / home).mkdir()
            self.agent("agree", home)
            run = ("run", home, "--data", self.readings(number), "--server", server, "--tickets", office, "--token", token)
            if number == 0:  # the ticket is kept until its time has come
                self.assertIn("the ticket is used in", self.agent(*run, "--spread", 100000))
                kept = self.work / home / "ticket"
                self.assertEqual(kept.stat().st_mode & 0o777, 0o600)
                self.assertFalse((self.work / home / "credential").exists())
                name, signature, _ = kept.read_text().split()
                kept.write_text(f"{name}\n{signature}\n0\n")
            said = self.agent(*run, "--spread", 0)
            self.assertEqual((self.work / home / "credential").stat().st_mode & 0o777, 0o600)
            self.assertEqual([path.name for path in (self.work / home).glob("ticket*")], [])
            answered += "the server has the report" in said
        self.assertGreater(answered, 0)
        self.assertEqual(self.status()["reports"]["used"], answered)
        self.stop()

    def test_a_key_that_the_two_parties_do_not_share_is_not_used(self):
        """An issuer who had a key for each device could tell devices apart by it, with the collector's help."""
        tokens = self.open_office(1)
        self.serve()
        server, office = (f"http://127.0.0.1:{port}/v1/studies/{self.digest}" for port in (self.port, self.office_port))

        class Liar(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self):
                body = b"-----BEGIN PUBLIC KEY-----\n"
                self.close_connection = True
                self.send_response(200)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, *_):
                pass

        liar = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Liar)
        threading.Thread(target=liar.serve_forever, daemon=True).start()
        self.addCleanup(liar.server_close)
        self.addCleanup(liar.shutdown)
        (self.work / "home").mkdir()
        self.agent("agree", "home")
        run = ("run", "home", "--data", self.readings(1), "--server", server, "--token", tokens[0], "--spread", 0, "--tickets")
        self.assertIn("different keys", self.agent(*run, office.replace(str(self.office_port), str(liar.server_port)), code=3))
        self.assertEqual([path.name for path in (self.work / "home").glob("ticket*")], [])
        self.agent(*run, office)
        self.stop()


class Rows(ServeCase):
    def test_devices_of_a_label_study_enrol_by_tokens_of_their_own_rows(self):
        (self.work / "study.toml").write_text('name = "labels"\n[privacy]\nepsilon = 4\n[study]\nminimum = 1\n[protocol]\nkind = "label-iht"\ndevices = 40\n'
                                              'sparsity = 1\nfeatures = 4\n')
        self.sotto("study", "study.toml", "--out", "run")
        ids = [f"machine-{number}" for number in range(40)]
        (self.work / "ids.txt").write_text("\n".join(ids) + "\n")
        self.sotto("enrol", "run", "--ids", "ids.txt", "--out", "issued.csv")
        (self.work / "rows.csv").write_text("id,a,b,c,d\n" + "".join(f"{one},{number},1,2,3\n" for number, one in enumerate(ids)))
        self.sotto("design", "run", "rows.csv", "--credentials", "issued.csv")
        by_count = self.sotto("tokens", "run", "--data", "data", "--count", 1, "--out", "tokens.csv", code=REFUSED).stderr
        self.assertIn("code: tokens.by_row", by_count)
        self.sotto("tokens", "run", "--data", "data", "--credentials", "issued.csv", "--out", "tokens.csv")
        tokens = dict(line.split(",") for line in (self.work / "tokens.csv").read_text().splitlines())
        self.assertEqual(sorted(tokens), sorted(ids))
        issued = {line.split(",")[0]: line.split(",")[1:3] for line in (self.work / "issued.csv").read_text().splitlines()[1:]}
        text = (self.work / "issued.csv").read_text()
        self.sotto("study", "study.toml", "--out", "other")
        self.sotto("enrol", "other", "--count", 1, "--out", "other.csv")
        foreign = self.sotto("tokens", "run", "--data", "data", "--credentials", "other.csv", "--out", "none.csv", code=REFUSED).stderr
        self.assertIn("code: tokens.foreign_file", foreign)
        self.assertEqual((self.work / "issued.csv").read_text(), text)
        self.serve()
        for one in ids[:5]:
            status, _, body = self.ask("POST", "enroll", tokens[one])
            self.assertEqual((status, [json.loads(body)["pseudonym"], json.loads(body)["key"]]), (200, issued[one]))
            self.assertEqual(self.ask("POST", "enroll", tokens[one])[0], 409)
        self.stop()


if __name__ == "__main__":
    main()
