# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What is quoted from files and command lines steers no terminal, and JSON is JSON whatever it quotes."""

import json
import os
import pathlib
import re
import subprocess
import unittest

from hostile import STEERING, everywhere
from sotto_case import DONE, INPUT_OUTPUT, REFUSED, SOTTO, SOURCE, USAGE, SottoCase, main
from test_report import sample

# Everything but line feeds and tabs of the layout.
STEERS = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\U000e0000-\U000e0fff]")
NO_UTF8 = b"caf\xe9\xff\xc0\x80\xed\xa0\x80"


class Printable(SottoCase):
    def run_bytes(self, *arguments, code=None):
        """stdout and stderr as text, which must be UTF-8 and steer nothing."""
        ran = subprocess.run([SOTTO, *arguments], cwd=self.work, capture_output=True, timeout=self.SECONDS)
        if code is not None:
            self.assertEqual(ran.returncode, code, ran)
        out, err = ran.stdout.decode("utf-8"), ran.stderr.decode("utf-8")
        for text in (out, err):
            self.assertIsNone(STEERS.search(text), repr(text))
        for line in (out + err).splitlines():
            self.assertFalse(line.startswith("sotto: fake"), "a quoted line feed began a line")
        return out, err

    def error(self, *arguments, code=REFUSED):
        """The JSON error on stdout, and the same words on stderr."""
        out, err = self.run_bytes(*arguments, "--json", code=code)
        error = json.loads(out)["error"]
        self.assertIn(error["code"], err)
        return error

    def test_a_study_name_and_its_features(self):
        # TOML forbids raw control characters and has escapes for all of them.
        name = json.dumps(STEERING).replace("\\udb40\\udc41", "\\U000E0041")
        (self.work / "s.toml").write_text(f'name = {name}\n[privacy]\nepsilon = 1\n[question]\nkind = "vote"\nnames = ["a", {name}]\n')
        out, _ = self.run_bytes("study", "s.toml", code=DONE)
        self.assertIn("study       \\x1b[31mred\\x1b]0;taken\\x07 \\x9b2J \\u202etxt.exe\\u202c \\ue0041\\x0asotto: fake line\\x7f", out)
        out, _ = self.run_bytes("study", "s.toml", "--json", code=DONE)
        self.assertEqual(json.loads(out)["name"], STEERING)  # escaped by JSON's own escapes, and lost nowhere
        (self.work / "bad.toml").write_text(f'name = "x"\n[privacy]\nepsilon = 1\n[question]\nkind = {name}\n')
        self.run_bytes("study", "bad.toml", code=REFUSED)
        self.assertIn("[31mred", self.error("study", "bad.toml")["value"])
        (self.work / "key.toml").write_text(f'name = "x"\n{name} = 1\n[privacy]\nepsilon = 1\n[question]\nkind = "vote"\nfeatures = 8\n')
        self.run_bytes("study", "key.toml", code=REFUSED)

    def test_columns_that_differ_in_bytes_that_are_no_utf8_stay_apart(self):
        rows = b"".join(b"%d,%d,%d\n" % (i % 7, (i * i) % 5, i % 7 + 3 * ((i * i) % 5)) for i in range(200))
        (self.work / "rows.csv").write_bytes(b"caf\xe9,caf\xe8,y\n" + rows)
        out, _ = self.run_bytes("fit", "rows.csv", "--nonzeros", "2", "--no-privacy", "--loss", "linear", "--folds", "0", "--out", "out", "--json", code=DONE)
        names = [c["name"] for c in json.loads(out)["model"]["coefficients"]]
        self.assertEqual(sorted(names), ["caf\\xe8", "caf\\xe9"])
        self.assertEqual([c["name"] for c in json.loads((self.work / "out/fit.json").read_text())["coefficients"]], names)
        # What is written where a byte stands is a name of its own, too.
        (self.work / "rows.csv").write_bytes(b"caf\xe9,caf\\xe9,y\n" + rows)
        self.assertEqual(self.error("fit", "rows.csv", "--nonzeros", "2", "--epsilon", "1", "--folds", "0")["code"], "data.duplicate_column")
        # The target may be such a column, and a model finds it again.
        (self.work / "rows.csv").write_bytes(b"caf\xe9,caf\xe8,\xff\n" + rows)
        self.run_bytes("fit", "rows.csv", "--target", b"\xff", "--nonzeros", "2", "--epsilon", "1", "--folds", "0", "--loss", "linear", code=DONE)

    def test_predict_finds_columns_that_are_no_utf8_and_refuses_two_of_one_name(self):
        model = json.loads(sample("sample"))
        for c, name in zip(model["coefficients"], ("caf\\xe9", "caf\\xe8")):
            c["name"] = name
        names = [c["name"] for c in model["coefficients"]]
        (self.work / "model.json").write_text(json.dumps(model))
        rest = ",".join(f'"{n}"' for n in names[2:]).encode()
        row = b",".join(b"%d" % (i + 1) for i in range(len(names))) + b"\n"
        (self.work / "rows.csv").write_bytes(",".join(f'"{n}"' for n in names).encode() + b"\n" + row)
        plain, _ = self.run_bytes("predict", "model.json", "rows.csv", code=DONE)
        (self.work / "rows.csv").write_bytes(b"caf\xe9,caf\xe8," + rest + b"\n" + row)
        self.assertEqual(self.run_bytes("predict", "model.json", "rows.csv", code=DONE)[0], plain)
        (self.work / "rows.csv").write_bytes(b"caf\xe9,caf\xe9,caf\xe8," + rest + b"\n1," + row)
        self.assertEqual(self.error("predict", "model.json", "rows.csv")["code"], "data.duplicate_column")

    def test_columns_of_a_table(self):
        header = STEERING.replace("\n", " ").encode() + b"," + NO_UTF8 + b",y\n"
        (self.work / "rows.csv").write_bytes(header + b"".join(b"%d,%d,%d\n" % (i % 7, i % 5, i % 2) for i in range(60)))
        fit = ("fit", "rows.csv", "--target", "y", "--nonzeros", "2", "--epsilon", "8", "--folds", "0", "--seed", "7")
        out, _ = self.run_bytes(*fit, "--out", "out", code=DONE)
        self.assertIn("\\x1b[31mred", out)
        self.assertIn("caf\\xe9\\xff\\xc0\\x80\\xed\\xa0\\x80", out)
        model = json.loads(self.run_bytes(*fit, "--json", code=DONE)[0])
        self.assertEqual(len(model["model"]["coefficients"]), 2)
        self.assertIsNone(STEERS.search((self.work / "out/report.html").read_text(encoding="utf-8")))
        json.loads((self.work / "out/fit.json").read_text(encoding="utf-8"))
        # A column that is not there: the error lists those that are.
        self.error("fit", "rows.csv", "--target", "absent", "--nonzeros", "2", "--epsilon", "8")

    def test_errors_are_json_whatever_they_quote(self):
        raw = os.fsdecode(NO_UTF8)
        for arguments, code in ((("study", raw), INPUT_OUTPUT), (("report", raw), INPUT_OUTPUT), (("decode", raw), INPUT_OUTPUT),
                                (("predict", raw, raw), INPUT_OUTPUT), (("study", "x", f"--{raw}"), USAGE), ((raw,), USAGE),
                                (("simulate", "--epsilon", raw), USAGE), (("study", STEERING), INPUT_OUTPUT)):
            with self.subTest(arguments=arguments):
                error = self.error(*arguments, code=code)
                self.assertTrue(error["fix"])
        self.assertEqual(self.error("study", raw, code=INPUT_OUTPUT)["value"], "caf\\xe9\\xff\\xc0\\x80\\xed\\xa0\\x80")
        (self.work / "cell.csv").write_bytes(b"a,b,y\n1,2,0\n1," + NO_UTF8 + b",1\n")
        self.error("fit", "cell.csv", "--target", "y", "--nonzeros", "1", "--epsilon", "1")
        (self.work / "bad.toml").write_bytes(b'name = "' + NO_UTF8 + b'"\n')
        self.error("study", "bad.toml")
        (self.work / "model.json").write_bytes(b'{"format": "' + NO_UTF8 + b'"}')
        self.error("report", "model.json")

    def test_a_model_on_a_terminal(self):
        sample = json.loads(subprocess.run([os.environ["SOTTO_SAMPLE_MODELS"], "sample"], capture_output=True, check=True).stdout)
        (self.work / "model.json").write_text(json.dumps(everywhere(sample, STEERING)[0]))
        self.run_bytes("report", "model.json", code=DONE)
        self.assertTrue(json.loads(self.run_bytes("report", "model.json", "--json", code=DONE)[0])["study"].startswith(STEERING))
        (self.work / "other.json").write_text(json.dumps({**sample, "format": STEERING}))
        self.error("report", "other.json")

    def test_letters_of_all_scripts_stay(self):
        name = "Öl 温度 🌡 עברית ई"
        (self.work / "s.toml").write_text(f'name = "{name}"\n[privacy]\nepsilon = 1\n[question]\nkind = "vote"\nfeatures = 8\n')
        self.assertIn(f"study       {name}\n", self.run_bytes("study", "s.toml", code=DONE)[0])
        self.assertIn(name, self.run_bytes("study", "s.toml", "--json", code=DONE)[0])


class OneWayOut(unittest.TestCase):
    def test_nothing_is_printed_around_the_place_that_makes_text_printable(self):
        around = re.compile(r"fmt::print\(|std::cout|std::cerr|\bprintf\(|\bputs\(|\bfputs\(|\bfwrite\(|\.dump\(")
        allowed = {"say.cpp", "json.cpp", "talk.cpp"}  # talk.cpp moves the line of progress, which quotes nothing
        for file in sorted(pathlib.Path(SOURCE, "analyzer/cli").glob("*.[ch]pp")):
            if file.name not in allowed:
                self.assertEqual([], around.findall(file.read_text()), f"{file.name}: use say(), complain() or json_text()")


if __name__ == "__main__":
    main()
