# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The page of a model in a browser: it shows its rows, asks for nothing, complains about nothing, and fits a telephone."""

import html.parser
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

import chromium
import hostile

SAMPLES = ("sample", "empty", "hostile")


class Document(html.parser.HTMLParser):
    """Tags, and the text of names, headings and rows."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.names, self.headings, self.rows, self.open = [], [], [], {}, []
        self.section = None
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.open.append(tag)
        if tag == "section":
            self.section = dict(attributes).get("id")
        if tag in ("bdi", "h1"):
            (self.names if tag == "bdi" else self.headings).append("")
        if tag == "tr" and "tbody" in self.open:
            self.rows[self.section] = self.rows.get(self.section, 0) + 1

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        if "bdi" in self.open:
            self.names[-1] += data
        elif "h1" in self.open:
            self.headings[-1] += data


def scanlines(png):
    """Width, height and the compressed rows of a picture."""
    width, height = struct.unpack(">II", png[16:24])
    at, data = 8, b""
    while at < len(png):
        size, kind = struct.unpack(">I4s", png[at:at + 8])
        if kind == b"IDAT":
            data += png[at + 8:at + 8 + size]
        at += 12 + size
    raw = zlib.decompress(data)
    row = len(raw) // height
    return width, height, [raw[i * row:(i + 1) * row] for i in range(height)]


class ModelPage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.temporary.cleanup)
        cls.place = pathlib.Path(cls.temporary.name)
        cls.models = {}
        for name in SAMPLES:
            text = subprocess.run([os.environ["SOTTO_SAMPLE_MODELS"], name], capture_output=True, check=True, text=True).stdout
            (cls.place / f"{name}.json").write_text(text)
            cls.models[name] = json.loads(text)
            subprocess.run([os.environ["SOTTO"], "report", f"{name}.json", "--out", f"{name}.html"], cwd=cls.place, check=True,
                           capture_output=True)

    def test_the_document_has_every_row_and_no_stranger(self):
        for name, model in self.models.items():
            opened = chromium.dump(self.place / f"{name}.html")
            self.assertEqual(opened.console, [], name)
            self.assertEqual(opened.requests, [], name)
            document = Document(opened.dom)
            for tag in ("script", "img", "link", "iframe", "i"):
                self.assertNotIn(tag, document.tags, name)
            self.assertEqual(len(document.headings), 1)
            self.assertIn(model["study"]["name"], document.headings[0])
            expected = {"coefficients": len(model["coefficients"]), "votes": len(model["votes"]), "rounds": len(model["rounds"]),
                        "reports": len(model["reports"]["refused_by_reason"])}
            self.assertEqual(document.rows, {section: n for section, n in expected.items() if n > 0})
            for row in model["coefficients"]:
                shown = row["name"].replace("\x01", "\\x01").replace("\u202e", "\\u202e").replace("\u202c", "\\u202c")
                self.assertIn(shown, document.names)

    def test_markup_in_every_string_does_nothing(self):
        model, _ = hostile.everywhere(self.models["sample"], hostile.MARKUP)
        (self.place / "everywhere.json").write_text(json.dumps(model))
        subprocess.run([os.environ["SOTTO"], "report", "everywhere.json", "--out", "everywhere.html"], cwd=self.place, check=True,
                       capture_output=True)
        opened = chromium.dump(self.place / "everywhere.html")
        self.assertEqual((opened.console, opened.requests), ([], []))
        document = Document(opened.dom)
        for tag in ("script", "img", "form", "base"):
            self.assertNotIn(tag, document.tags)
        self.assertEqual(len(document.headings), 1)
        measured, _ = chromium.measure(self.place, [("everywhere.html", 800)])
        self.assertIn(f"Sotto: {hostile.MARKUP}", measured[0]["title"])

    def test_the_policy_alone_would_stop_it(self):
        # The page's own head around a body that nobody escaped: the second line of defence by itself.
        page = (self.place / "sample.html").read_text()
        head = page[:page.index("<main>")]
        (self.place / "raw.html").write_text(
            head + "<script>document.title='taken'</script><img src=http://tracker.example/x>"
                   "<base href=http://tracker.example/><form action=http://tracker.example/send></form>"
                   "<link rel=stylesheet href=http://tracker.example/s.css>")
        opened = chromium.dump(self.place / "raw.html")
        self.assertEqual(opened.requests, [])
        refused = " ".join(opened.console)
        for directive in ("script-src", "img-src", "style-src", "base-uri"):
            self.assertIn(directive, refused)
        self.assertNotIn("taken</title>", opened.dom)

    def test_it_fits_windows_from_a_telephone_to_a_desk(self):
        frames = [(f"{name}.html", width) for name in SAMPLES for width in (320, 360, 768, 1280)]
        measured, _ = chromium.measure(self.place, frames)
        for frame in measured:
            self.assertLessEqual(frame["scroll_width"], frame["width"], frame)
            self.assertGreater(frame["height"], 900, frame)
            self.assertEqual(frame["small"], 0, frame)
        self.assertEqual({f["title"] for f in measured if f["page"] == "hostile.html"}, {"Sotto: <script>alert(1)</script>"})

    def test_a_page_that_is_too_wide_would_be_seen(self):
        (self.place / "broad.html").write_text("<!doctype html><p style='width: 500px'>broad")
        measured, _ = chromium.measure(self.place, [("broad.html", 360)])
        self.assertGreater(measured[0]["scroll_width"], 360)

    def test_requests_and_complaints_would_be_seen(self):
        (self.place / "chatty.html").write_text(
            "<!doctype html><img src='http://tracker.example/x.png'><script>console.error('complaint')</script>")
        opened = chromium.dump(self.place / "chatty.html")
        self.assertTrue(any("tracker.example" in r for r in opened.requests), opened.requests)
        self.assertTrue(any("complaint" in line for line in opened.console), opened.console)

    def test_it_is_light_or_dark_as_the_reader_wants(self):
        grounds = [chromium.measure(self.place, [("sample.html", 800)], scheme)[0][0]["background"]
                   for scheme in (chromium.LIGHT, chromium.DARK)]
        light, dark = (sum(map(int, g[g.index("(") + 1:-1].split(",")[:3])) for g in grounds)
        self.assertGreater(light, 600)
        self.assertLess(dark, 150)

    def test_the_picture_is_not_empty(self):
        shot = self.place / "shot.png"
        chromium.run(self.place / "sample.html", "--window-size=1000,1400", f"--screenshot={shot}")
        width, height, rows = scanlines(shot.read_bytes())
        self.assertEqual((width, height), (1000, 1400))
        self.assertGreater(len(set(rows)), 300)


if __name__ == "__main__":
    if not chromium.works():
        print(f"skipped: no Chromium that starts here ({chromium.CHROMIUM or 'none found'}); install the package chromium")
        sys.exit(77)
    unittest.main(verbosity=2)
