# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""What every verb has in common."""

from sotto_case import DONE, INPUT_OUTPUT, REFUSED, SOURCE, USAGE, SottoCase, main


class Frame(SottoCase):
    def test_version_is_one_line_with_the_version_of_the_build(self):
        version = next(line for line in (SOURCE / "CMakeLists.txt").read_text().splitlines() if line.startswith("project(sotto"))
        self.assertEqual(self.sotto("--version").stdout, f"sotto {version.split()[2]}\n")

    def test_help_names_every_verb_on_stdout(self):
        text = self.sotto("--help").stdout
        for verb in ("study", "simulate", "enrol", "estimate", "decode", "report", "audit", "bench"):
            self.assertIn(verb, text)
            self.assertIn("--json", self.sotto(*(["bench", "randomizers"] if verb == "bench" else [verb]), "--help").stdout)

    def test_no_verb_is_a_usage_error_that_shows_the_help(self):
        ran = self.sotto(code=USAGE)
        self.assertEqual(ran.stdout, "")
        self.assertIn("Subcommands:", ran.stderr)

    def test_an_unknown_verb_or_option_is_a_usage_error(self):
        for arguments in (["guess"], ["study", "--guess", "x.toml"], ["simulate"], ["study"]):
            ran = self.sotto(*arguments, code=USAGE)
            self.assertEqual(ran.stdout, "")
            self.assertIn("sotto: ", ran.stderr)

    def test_a_missing_file_is_an_input_error_that_names_it(self):
        for name in ("absent.toml", "."):
            ran = self.sotto("study", name, code=INPUT_OUTPUT)
            self.assertIn(name, ran.stderr)
            self.assertIn("code: io.cannot_read", ran.stderr)

    def test_a_refusal_with_json_is_one_object_on_stdout(self):
        error = self.json("study", self.study(privacy="epsilon = 0"), code=REFUSED)["error"]
        self.assertEqual(error["code"], "study.bad_epsilon")
        self.assertEqual(set(error), {"code", "what", "value", "fix"})

    def test_a_dash_reads_stdin(self):
        text = (SOURCE / "examples/vote.toml").read_text()
        self.assertEqual(self.json("study", "-", stdin=text)["name"], "laundry-faults")
        self.assertEqual(self.sotto("study", "-", stdin="", code=REFUSED).stdout, "")


if __name__ == "__main__":
    main()
