# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""A headless Chromium that is told what to do, over its debugging pipe: opens pages, fills in forms, and keeps every address
that was asked for and everything that the console said."""

import json
import os
import select
import subprocess
import tempfile
import time

import chromium


class Browser:
    def __init__(self, width=1200, height=900):
        self.profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        to_read, self.write_end = os.pipe()
        self.read_end, to_write = os.pipe()

        def pipes_as_3_and_4():
            kept = os.dup(to_write)  # 3 may be in its way
            os.dup2(to_read, 3)
            os.dup2(kept, 4)

        # No name but this machine's address resolves, so nothing can leave.
        self.process = subprocess.Popen(
            [chromium.CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
             "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
             "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"--user-data-dir={self.profile.name}",
             f"--window-size={width},{height}", "--remote-debugging-pipe", "about:blank"],
            preexec_fn=pipes_as_3_and_4, pass_fds=(3, 4), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(to_read)
        os.close(to_write)
        self.number, self.have, self.session = 0, b"", None
        self.requests, self.console = [], []
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self.session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Network", "Runtime", "Log"):
            self.call(f"{domain}.enable")
        self.resize(width, height)

    def close(self):
        self.process.kill()
        self.process.wait()
        os.close(self.write_end)
        os.close(self.read_end)
        self.profile.cleanup()

    def message(self, seconds):
        """The next message; None where none comes in time."""
        deadline = time.monotonic() + seconds
        while b"\0" not in self.have:
            if not select.select([self.read_end], [], [], max(0, deadline - time.monotonic()))[0]:
                return None
            more = os.read(self.read_end, 1 << 16)
            if not more:
                raise AssertionError("the browser ended")
            self.have += more
        text, self.have = self.have.split(b"\0", 1)
        message = json.loads(text)
        method, facts = message.get("method"), message.get("params", {})
        if method == "Network.requestWillBeSent":
            self.requests.append(facts["request"]["url"])
        elif method == "Log.entryAdded":
            self.console.append(facts["entry"]["text"])
        elif method == "Runtime.consoleAPICalled":
            self.console.append(str([part.get("value") for part in facts["args"]]))
        elif method == "Runtime.exceptionThrown":
            self.console.append(facts["exceptionDetails"]["text"])
        return message

    def call(self, method, **parameters):
        self.number += 1
        asked = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            asked["sessionId"] = self.session
        os.write(self.write_end, json.dumps(asked).encode() + b"\0")
        while True:
            message = self.message(60)
            if message is None:
                raise AssertionError(f"{method}: no answer")
            if message.get("id") == self.number:
                if "error" in message:
                    raise AssertionError(f"{method}: {message['error']}")
                return message["result"]

    def resize(self, width, height=900):
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)

    def look(self, script):
        """The value of an expression in the page."""
        got = self.call("Runtime.evaluate", expression=script, returnByValue=True)
        if "exceptionDetails" in got:
            raise AssertionError(f"{script}: {got['exceptionDetails']}")
        return got["result"].get("value")

    def wait_until(self, script, seconds=60):
        """Waits until an expression is true; a page that is being loaded has no value for it."""
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            try:
                if self.look(script):
                    return
            except AssertionError as failed:
                if "ended" in str(failed):
                    raise
            self.message(0.05)
        raise AssertionError(f"not within {seconds} s: {script}; the page: {self.look('document.body.innerText')[:2000]}")

    def open(self, url):
        self.call("Page.navigate", url=url)
        self.wait_until(f"document.readyState === 'complete' && location.href.startsWith({json.dumps(url[:url.find('/', 8)])})")
