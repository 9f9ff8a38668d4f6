# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Opens files in headless Chromium and tells what became of them."""

import json
import os
import pathlib
import re
import subprocess
import tempfile

CHROMIUM = os.environ.get("SOTTO_CHROMIUM", "")
LIGHT, DARK = 1, 0


class Opened:
    """The document after loading, what the console said, and which addresses were asked for."""

    def __init__(self, dom, console, requests):
        self.dom, self.console, self.requests = dom, console, requests


def asked_by_pages(log):
    """Addresses that documents asked for. What the browser asks for itself has no origin that began it."""
    events = (event.get("params", {}) for event in json.loads(log)["events"])
    return [e["url"] for e in events if "url" in e and e.get("initiator", "not an origin") != "not an origin"
            and not e["url"].startswith("file:")]


def run(page, *options, scheme=LIGHT):
    with tempfile.TemporaryDirectory() as profile:
        log = pathlib.Path(profile) / "net.json"
        # No name resolves, so nothing can leave; the net log has what was tried.
        command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync",
                   "--disable-background-networking", "--disable-component-update", "--disable-dev-shm-usage", "--hide-scrollbars",
                   "--allow-file-access-from-files", "--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr",
                   f"--blink-settings=preferredColorScheme={scheme}", f"--user-data-dir={profile}/user", f"--log-net-log={log}",
                   *options, f"file://{page}"]
        ran = subprocess.run(command, capture_output=True, text=True, timeout=120)
        console = [line for line in ran.stderr.splitlines() if ":CONSOLE" in line]
        return Opened(ran.stdout, console, asked_by_pages(log.read_text()))


def dump(page, scheme=LIGHT):
    return run(page, "--virtual-time-budget=10000", "--dump-dom", scheme=scheme)


def works():
    """Does it start here at all?"""
    if not CHROMIUM or not os.path.exists(CHROMIUM):
        return False
    with tempfile.TemporaryDirectory() as place:
        page = pathlib.Path(place) / "probe.html"
        page.write_text("<!doctype html><p>probe</p>")
        try:
            return "<p>probe</p>" in dump(page).dom
        except (OSError, ValueError, subprocess.SubprocessError):
            return False


def measure(place, frames, scheme=LIGHT):
    """For each (page, width) what a window of that width shows, from one run."""
    asked = json.dumps([{"page": page, "width": width} for page, width in frames])
    wrapper = place / "measure.html"
    wrapper.write_text("""<!doctype html><meta charset="utf-8"><body><script>
const asked = """ + asked + """;
let left = asked.length;
asked.forEach(frame => {
  const view = document.createElement("iframe");
  view.width = frame.width; view.height = 900; view.src = frame.page;
  view.onload = () => {
    const d = view.contentDocument, root = d.documentElement;
    frame.scroll_width = root.scrollWidth;
    frame.height = root.scrollHeight;
    frame.background = view.contentWindow.getComputedStyle(d.body).backgroundColor;
    frame.title = d.title;
    // Charts that are shown, what of them lies outside, and boxes that must be scrolled sideways.
    const shown = [...d.querySelectorAll("svg[role]")].filter(s => s.getBoundingClientRect().width > 0);
    frame.charts = shown.length;
    frame.cut = [];
    shown.forEach(svg => {
      const box = svg.getBoundingClientRect(), what = svg.getAttribute("aria-label");
      if (box.left < 0 || box.right > frame.width + 0.5) frame.cut.push("outside the window: " + what);
      const paper = svg.viewBox.baseVal;
      svg.querySelectorAll("text, rect, circle, path, line").forEach(e => {
        if (e.closest("defs")) return;
        // Corners as they lie on the paper: a turned text has its box before it is turned.
        const at = e.getBBox(), turned = svg.getScreenCTM().inverse().multiply(e.getScreenCTM());
        const corners = [[0, 0], [1, 0], [0, 1], [1, 1]].map(
          ([i, j]) => new DOMPoint(at.x + i * at.width, at.y + j * at.height).matrixTransform(turned));
        if (corners.some(c => c.x < -0.5 || c.x > paper.width + 0.5 || c.y < -0.5 || c.y > paper.height + 0.5))
          frame.cut.push(e.tagName + " " + e.textContent + " of " + what);
      });
      svg.querySelectorAll("text").forEach(t => {
        const size = parseFloat(view.contentWindow.getComputedStyle(t).fontSize) * box.width / paper.width;
        if (size < 9) frame.cut.push("letters of " + size.toFixed(1) + " px: " + what);
      });
    });
    frame.sideways = [...d.querySelectorAll("*")].filter(e => e.scrollWidth > e.clientWidth + 1 && e.clientWidth > 0
      && ["auto", "scroll", "hidden"].includes(view.contentWindow.getComputedStyle(e).overflowX)).map(e => e.tagName);
    frame.small = [...d.querySelectorAll("p, td, th, li, dd, dt")].filter(
      e => parseFloat(view.contentWindow.getComputedStyle(e).fontSize) < 12).length;
    if (--left === 0) {
      const out = document.createElement("pre");
      out.id = "measured"; out.textContent = JSON.stringify(asked);
      document.body.replaceChildren(out);
    }
  };
  document.body.append(view);
});
</script>""")
    opened = dump(wrapper, scheme)
    found = re.search(r'<pre id="measured">(.*?)</pre>', opened.dom, re.S)
    if not found:
        raise AssertionError("no measure: " + opened.dom[-2000:])
    # Quotes stand for themselves in text; the three others do not.
    text = found.group(1).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&")
    return json.loads(text), opened
