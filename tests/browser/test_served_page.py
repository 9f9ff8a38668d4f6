# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The live page of sotto serve in a browser: the operator logs in, reports arrive before their eyes, rounds close, and the model
appears; on a desk and on a telephone, with nothing asked from elsewhere and nothing said by the console."""

import os
import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(os.environ["SOTTO_SOURCE"]) / "tests/cli"))
import chromium  # noqa: E402
from driven import Browser  # noqa: E402
from serve_case import TOKEN, ServeCase  # noqa: E402

SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"
LOGIN = f"document.querySelector('input[name=token]').value = '{TOKEN}'; document.querySelector('form').submit()"


class ServedPage(ServeCase):
    def setUp(self):
        super().setUp()
        self.rounds = self.json("study", self.protocol(), "--out", "run")["protocol"]["rounds"]
        self.credentials = self.enrol(40)
        self.serve()
        self.home = f"http://127.0.0.1:{self.port}"
        self.browser = Browser()
        self.addCleanup(self.browser.close)

    def log_in(self):
        self.browser.open(self.home + "/")
        self.assertEqual(self.browser.look("document.querySelectorAll('input[type=password]').length"), 1)
        self.browser.look(LOGIN)
        self.browser.wait_until("document.body.innerText.includes('laundry')")

    def nothing_came_from_elsewhere(self):
        outside = [url for url in self.browser.requests if not url.startswith((self.home + "/", "about:", "data:"))]
        self.assertEqual(outside, [])
        # The answer 401 of the page that asks for the token is the one thing that a console may name.
        self.assertEqual([text for text in self.browser.console if "401" not in text], [])

    def test_a_study_from_login_to_model(self):
        self.log_in()
        self.browser.look("document.querySelector('td, th').closest('table').querySelector('a').click()")
        self.browser.wait_until("document.getElementById('live') !== null")
        self.assertEqual(self.browser.look("document.getElementById('round').textContent"), f"1 of {self.rounds}")
        self.browser.look("window.sameDocument = true")
        reports = [bytes.fromhex(report) for report in self.answers(self.credentials, 1)]
        self.post(reports)
        self.browser.wait_until(f"document.getElementById('accepted').textContent === '{len(reports)}'")
        self.assertTrue(self.browser.look("window.sameDocument"))  # it changed in place
        self.post(reports)
        self.browser.wait_until(f"document.getElementById('reason-duplicate').textContent === '{len(reports)}'")
        bars = "[...document.querySelectorAll('#arrivals rect')].filter(bar => bar.getAttribute('height') > 0).length"
        self.assertGreaterEqual(self.browser.look(bars), 1)
        for number in range(2, self.rounds + 1):
            if self.order("close")["state"] == "finished":  # reports may leave nothing to ask about in the last rounds
                break
            self.browser.wait_until(f"document.getElementById('round')?.textContent === '{number} of {self.rounds}'")
            (self.work / f"run/round-{number}.bin").write_bytes(self.ask("GET", "round")[2])
            made = [bytes.fromhex(report) for report in self.answers(self.credentials, number)]
            if made:
                self.post(made)
                self.browser.wait_until(f"document.getElementById('accepted')?.textContent === '{len(made)}'")
        else:  # the last one by the page's own button
            self.browser.look("document.querySelector('form[action$=\"/close\"] button').click()")
        self.browser.wait_until("document.getElementById('model') !== null")
        self.assertEqual(self.status()["state"], "finished")
        self.browser.look("document.getElementById('model').click()")
        self.browser.wait_until("location.pathname.endsWith('/model') && document.readyState === 'complete'")
        self.assertIn("energy", self.browser.look("document.body.innerText"))
        self.nothing_came_from_elsewhere()
        self.stop()

    def test_the_page_fits_a_telephone(self):
        self.browser.resize(390, 800)
        self.browser.open(self.home + "/")
        self.assertFalse(self.browser.look(SIDEWAYS))
        self.log_in()
        self.assertFalse(self.browser.look(SIDEWAYS))
        self.browser.open(f"{self.home}/studies/{self.digest}")
        self.browser.wait_until("document.getElementById('live') !== null")
        self.assertFalse(self.browser.look(SIDEWAYS))
        small = "[...document.querySelectorAll('p, td, th, li, dd, dt')].filter(e => parseFloat(getComputedStyle(e).fontSize) < 12).length"
        self.assertEqual(self.browser.look(small), 0)
        self.nothing_came_from_elsewhere()
        self.stop()

    def test_a_request_elsewhere_and_a_broken_policy_would_be_seen(self):
        self.browser.open(self.home + "/login")
        self.browser.look("document.body.append(Object.assign(document.createElement('img'), {src: 'http://elsewhere.example/x.png'}))")
        self.browser.look("document.body.append(Object.assign(document.createElement('script'), {textContent: 'window.ran = 1'}))")
        self.browser.wait_until("true")
        for _ in range(20):
            self.browser.message(0.1)
        self.assertTrue(any("Content Security Policy" in text for text in self.browser.console), self.browser.console)
        self.assertIsNone(self.browser.look("window.ran"))
        self.stop()


if __name__ == "__main__":
    if not chromium.works():
        print(f"skipped: no Chromium that starts here ({chromium.CHROMIUM or 'none found'}); install the package chromium")
        sys.exit(77)
    unittest.main(verbosity=2)
