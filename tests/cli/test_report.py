# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto report: one page from a model, and refusals that name what is wrong."""

import json
import os
import re
import subprocess

from sotto_case import INPUT_OUTPUT, REFUSED, USAGE, SottoCase, main


def sample(name):
    return subprocess.run([os.environ["SOTTO_SAMPLE_MODELS"], name], capture_output=True, check=True, text=True).stdout


class Report(SottoCase):
    def test_what_a_prediction_cannot_be_made_from_is_refused(self):
        good = json.loads(sample("sample"))
        names = [c["name"] for c in good["coefficients"]]
        self.assertGreater(len(names), 1)
        (self.work / "rows.csv").write_text(",".join(f'"{n}"' for n in names) + "\n" + ",".join("1" for _ in names) + "\n")
        self.sotto("predict", self.model(json.dumps(good)), "rows.csv")
        for change in (lambda m: m.update(link="logistik"), lambda m: m.update(link="cosine"), lambda m: m["coefficients"][0].update(per_unit=None),
                       lambda m: m["coefficients"][0].update(name=names[1])):
            model = json.loads(sample("sample"))
            change(model)
            refused = self.json("predict", self.model(json.dumps(model)), "rows.csv", code=REFUSED)
            self.assertEqual(refused["error"]["code"], "predict.bad_model")
        self.model(json.dumps(good))
        (self.work / "rows.csv").write_text(",".join(f'"{n}"' for n in names) + "\n" + ",".join("1" for _ in names) + "\n" + ",".join("1e308" for _ in names) + "\n")
        refused = self.json("predict", "model.json", "rows.csv", code=REFUSED)["error"]
        self.assertEqual((refused["code"], refused["value"]), ("predict.not_finite", "row 2"))

    def model(self, text, name="model.json"):
        (self.work / name).write_text(text)
        return name

    def page(self, name):
        self.model(sample(name))
        self.sotto("report", "model.json")
        return (self.work / "report.html").read_text()

    def test_the_page_stands_beside_the_model(self):
        (self.work / "run").mkdir()
        self.model(sample("sample"), "run/model.json")
        ran = self.sotto("report", "run/model.json")
        for part in ("pump-wear: learned", "5 of 6 candidates are confirmed", "run/report.html"):
            self.assertIn(part, ran.stdout)
        from_file = (self.work / "run/report.html").read_text()
        (self.work / "run/report.html").unlink()
        self.sotto("report", "run")
        self.assertEqual((self.work / "run/report.html").read_text(), from_file)
        self.assertEqual(sorted(p.name for p in (self.work / "run").iterdir()), ["model.json", "report.html"])

    def test_json_says_where_the_page_is(self):
        self.model(sample("sample"))
        result = self.json("report", "model.json", "--out", "page.html")
        self.assertEqual(result["page"], "page.html")
        self.assertEqual(result["bytes"], (self.work / "page.html").stat().st_size)
        self.assertEqual((result["study"], result["verdict"], result["coefficients"]), ("pump-wear", "learned", 6))
        self.assertFalse((self.work / "report.html").exists())

    def test_a_model_comes_from_stdin(self):
        self.sotto("report", "-", stdin=sample("empty"))
        self.assertIn("nothing could be learned", (self.work / "report.html").read_text())

    def test_the_page_says_everything_that_the_model_says(self):
        page = self.page("sample")
        model = json.loads(sample("sample"))
        for text in (model["why_verdict"], model["command"], model["study"]["digest"], *model["privacy"]["statement"],
                     *model["assumed_public"], model["protocol"]["why"], "Intercept 413", "other 234 coefficients are zero",
                     "privacy 75.4 %", "sampling 21.5 %", "clipping 3.2 %", "59,808 used, 431 refused", "One report of 34 bytes on average",
                     "3.1 % of the devices (standard error 0.6 %)", "&#9679; found", "&#9675; not found"):
            self.assertIn(text, page)
        for row in model["coefficients"] + model["votes"]:
            self.assertIn(f"<bdi>{row['name']}</bdi>", page)
        for row in model["rounds"]:
            self.assertIn(f"{row['reports']:,}", page)
        for name, count in model["reports"]["refused_by_reason"].items():
            self.assertRegex(page, rf">{name}</th><td [^>]*>{count}</td><td [^>]*>\w")
        self.assertEqual(page.count("not found</text>"), 2)  # one row of both drawings
        self.assertEqual(page.count(">found</text>"), 10)

    def test_the_page_needs_nothing_else(self):
        for name in ("sample", "empty", "hostile"):
            page = self.page(name)
            self.assertNotRegex(page, r"<(script|link|img|iframe|object|embed|base|form)\b")
            self.assertNotRegex(page, r"(?i)https?:|url\((?!#)|@import|\son\w+=[^&]*>")
            self.assertIn("default-src 'none'", page)
            for picture in re.findall(r'<svg [^>]*role="img".*?</svg>', page, re.S):
                self.assertRegex(picture, r"<title>[^<]+</title><desc>[^<]+</desc>")

    def test_a_model_without_coefficients_says_what_would_be_needed(self):
        page = self.page("empty")
        for text in ("pump-wear: nothing could be learned", "cannot learn", "every one of the 240 coefficients is zero",
                     "about 380,000 devices, or epsilon 5"):
            self.assertIn(text, page)
        for section in ('id="votes"', 'id="error"'):
            self.assertNotIn(section, page)

    def test_names_are_text_whatever_they_are(self):
        page = self.page("hostile")
        for text in ("&lt;script&gt;document.title=&#39;taken&#39;&lt;/script&gt;", "&lt;/title&gt;&lt;/style&gt;", "温度センサー",
                     "a &amp; b &lt; c &gt; d &quot;e&quot; &#39;f&#39;", "control\\x01character", "&lt;i&gt;reason&lt;/i&gt;",
                     "<title>Sotto: &lt;script&gt;alert(1)&lt;/script&gt;</title>"):
            self.assertIn(text, page)
        self.assertEqual(page.count("<title>Sotto"), 1)
        self.assertEqual(page.count("<h1>"), 1)
        self.assertEqual(len(re.findall(r'<tr><th scope="row">.*?</th><td data-name=""><span class="(?:not-)?found">', page)), 60)
        self.assertNotIn("nan", re.sub(r"<[^>]*>", "", page).lower())

    def test_refusals(self):
        good = json.loads(sample("sample"))
        for code, text in (("model.not_json", "{"), ("model.not_json", "[]"), ("model.other_format", "{}"),
                           ("model.other_format", json.dumps({**good, "format": "sotto-model-9"})),
                           ("model.missing", json.dumps({k: v for k, v in good.items() if k != "rounds"})),
                           ("model.bad_value", json.dumps({**good, "coefficients": [1]})),
                           ("model.bad_value", json.dumps({**good, "function": {**good["function"], "target_scale": None}})),
                           ("model.not_json", json.dumps({**good, "intercept": float("inf")}))):
            ran = self.sotto("report", self.model(text), code=REFUSED)
            self.assertEqual(ran.stdout, "")
            self.assertIn(f"code: {code}", ran.stderr)
            self.assertIn("model.json", ran.stderr)
            self.assertEqual(self.json("report", "model.json", code=REFUSED)["error"]["code"], code)
        self.assertFalse((self.work / "report.html").exists())

    def test_files_that_cannot_be_read_or_written(self):
        (self.work / "run").mkdir()
        for name in ("absent.json", "run"):
            self.assertIn("io.cannot_read", self.sotto("report", name, code=INPUT_OUTPUT).stderr)
        self.model(sample("sample"))
        ran = self.sotto("report", "model.json", "--out", "absent/page.html", code=INPUT_OUTPUT)
        self.assertIn("io.cannot_write", ran.stderr)
        self.sotto("report", code=USAGE)
        self.sotto("report", "model.json", "--guess", code=USAGE)


if __name__ == "__main__":
    main()
