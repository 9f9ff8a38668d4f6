# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Pages made from other people's text: whatever stands in any string, nothing of it is markup, and nothing could be loaded, run or sent."""

import html
import html.parser
import json
import os
import subprocess

from hostile import MARKUP, STEERING, everywhere
from sotto_case import SottoCase, main

POLICY = {"default-src 'none'", "style-src 'unsafe-inline'", "base-uri 'none'", "form-action 'none'"}
FUNCTION = {"basis": "cosines", "inputs": [{"name": "dose", "unit": "mg", "offset": 0, "scale": 1}], "coefficients": [1, 2], "phase": [0, 0],
            "place": [1, 2], "bandwidth": 1, "target_offset": 0, "target_scale": 1,
            "curve": [{"x": x / 10, "fit": x, "low": x - 1, "high": x + 1} for x in range(21)]}


class Elements(html.parser.HTMLParser):
    """Which elements a page has, which attributes they have, and its text."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.attributes, self.text, self.policies = [], set(), "", []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append(tag)
        self.attributes.update(name for name, _ in attributes)
        if dict(attributes).get("http-equiv") == "Content-Security-Policy":
            self.policies.append(dict(attributes)["content"])

    def handle_data(self, data):
        self.text += data


class Pages(SottoCase):
    def sample(self, name="sample"):
        ran = subprocess.run([os.environ["SOTTO_SAMPLE_MODELS"], name], capture_output=True, check=True, text=True)
        return json.loads(ran.stdout)

    def page_of(self, model):
        (self.work / "model.json").write_text(json.dumps(model))
        self.sotto("report", "model.json")
        return (self.work / "report.html").read_text(encoding="utf-8")

    def harmless(self, page, plain):
        """The page has the elements of the same page with plain words, and no others."""
        elements, expected = Elements(page), Elements(plain)
        self.assertEqual(elements.tags, expected.tags)
        self.assertLessEqual(elements.attributes, expected.attributes)
        for raw in ("<script", "<img", "</h1><", "onerror=\"", "<title></title>"):
            self.assertNotIn(raw, page)
        self.has_policy(page)
        return elements

    def has_policy(self, page):
        policies = Elements(page).policies
        self.assertEqual(len(policies), 1)
        self.assertEqual({part.strip() for part in policies[0].split(";")}, POLICY)
        self.assertNotRegex(page, r"<(script|link|img|iframe|object|embed|base|form|input|button|a)\b")

    def shapes(self):
        """Models that reach every section of a page."""
        sample = self.sample()
        yield sample
        yield self.sample("empty")
        yield {**sample, "privacy": {**sample["privacy"], "delta": 1e-6}, "simulated": True}
        yield {**sample, "function": FUNCTION, "coefficients": []}
        yield {**sample, "function": {**FUNCTION, "curve": [], "inputs": FUNCTION["inputs"] * 2, "place": [1, 1, 2, 2]}, "coefficients": []}

    def test_no_string_of_a_model_is_markup(self):
        for model in self.shapes():
            plain, _ = everywhere(model, "plain word ")
            hostile, count = everywhere(model, MARKUP)
            self.assertGreater(count, 10)
            elements = self.harmless(self.page_of(hostile), self.page_of(plain))
            self.assertIn(MARKUP, elements.text)
            self.assertIn(f"Sotto: {MARKUP}", elements.text)

    def test_each_string_alone_is_text_where_it_stands(self):
        # One field at a time: what is shown is shown as it is, and a field that is forgotten is named.
        sample = self.sample()
        paths = (("privacy", "unit"), ("study", "name"), ("study", "digest"), ("target", "name"), ("target", "unit"), ("protocol", "name"),
                 ("protocol", "why"), ("why_verdict",), ("command",), ("made_by",))
        for path in paths:
            model = json.loads(json.dumps(sample))
            at = model
            for key in path[:-1]:
                at = at[key]
            at[path[-1]] = MARKUP
            page = self.page_of(model)
            self.assertNotIn("<script", page, path)
            self.assertIn(html.escape(MARKUP, quote=True).replace("&#x27;", "&#39;"), page, path)

    def test_steering_characters_are_written_out(self):
        page = self.page_of(everywhere(self.sample(), STEERING)[0])
        self.assertNotRegex(page, "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069\U000e0041]")
        for shown in ("\\x1b[31mred", "\\u202etxt.exe", "\\x9b2J", "\\ue0041", "\\x7f"):
            self.assertIn(shown, page)

    def test_columns_and_file_names_of_a_fit_are_text(self):
        pages = []
        for name, file in (("x", "rows.csv"), (MARKUP.replace("/", "|"), "<script>alert(1)<|script>.csv")):
            quoted = name.replace('"', '""')
            lines = [f'"{quoted}a","{quoted}b",y'] + [f"{i % 7},{i % 5},{i % 2}" for i in range(60)]
            (self.work / file).write_text("\n".join(lines) + "\n")
            out = f"out-{len(pages)}"
            self.sotto("fit", file, "--target", "y", "--nonzeros", 2, "--epsilon", 8, "--folds", 2, "--seed", 7, "--out", out)
            pages.append((self.work / out / "report.html").read_text(encoding="utf-8"))
        elements = self.harmless(pages[1], pages[0])
        self.assertIn(MARKUP.replace("/", "|"), elements.text)

    def test_the_page_of_a_vote_has_the_same_policy(self):
        self.sotto("simulate", "--protocol", "vote", "--users", 300, "--dim", 8, "--epsilon", 2, "--out", "votes")
        self.has_policy((self.work / "votes/report.html").read_text(encoding="utf-8"))


if __name__ == "__main__":
    main()
