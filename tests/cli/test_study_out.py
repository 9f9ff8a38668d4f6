# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""sotto study --out and --diff: what is written, what is never overwritten, what changed."""

from sotto_case import INPUT_OUTPUT, SOURCE, USAGE, main
from wire_case import NAMES, WireCase, wire


class StudyOut(WireCase):
    def test_what_is_written_decodes_and_the_round_names_the_manifest(self):
        directory = self.compile(terms='collector = "acme"\nsamples = 50', question='selector = "given"')
        body = wire.decode_manifest((directory / "manifest.bin").read_bytes())
        round_ = wire.decode_round((directory / "round-1.bin").read_bytes())
        self.assertEqual(round_[8:40], wire.digest(body))
        self.assertEqual(body[36:52], wire.digest(b"acme")[:16])
        self.assertEqual(body[10], 50)
        self.assertEqual((directory / "study.toml").read_text(), (self.work / "study.toml").read_text())

    def test_the_json_names_digest_and_sizes(self):
        result = self.json("study", SOURCE / "examples/vote.toml", "--out", "d")["compiled"]
        manifest = (self.work / "d/manifest.bin").read_bytes()
        self.assertEqual(result["study_digest"], wire.digest(manifest).hex())
        self.assertEqual((result["manifest_bytes"], result["round_bytes"]), (len(manifest), 88))
        self.assertEqual((result["seed"], result["unchanged"]), ("drawn", False))

    def test_the_seed_is_drawn_unless_it_is_typed_and_then_the_result_says_so(self):
        def seed(*more):
            name = f"d{len(list(self.work.iterdir()))}"
            text = self.sotto("study", SOURCE / "examples/vote.toml", "--out", name, *more).stdout
            self.assertEqual("for simulations only" in text, bool(more))
            return (self.work / name / "manifest.bin").read_bytes()[52:84]
        self.assertNotEqual(seed(), seed())
        self.assertEqual(seed("--seed", 5), seed("--seed", 5))
        self.assertNotEqual(seed("--seed", 5), seed("--seed", 6))

    def test_compiling_again_changes_nothing(self):
        self.sotto("study", SOURCE / "examples/vote.toml", "--out", "d")
        before = (self.work / "d/manifest.bin").read_bytes()
        self.assertTrue(self.json("study", SOURCE / "examples/vote.toml", "--out", "d")["compiled"]["unchanged"])
        self.assertEqual((self.work / "d/manifest.bin").read_bytes(), before)

    def test_another_study_never_replaces_a_manifest(self):
        directory = self.compile()
        before = (directory / "manifest.bin").read_bytes()
        for change in (dict(privacy="epsilon = 3", question='kind = "vote"\nfeatures = 8'), dict(question='kind = "vote"\nfeatures = 9')):
            message = self.stopped("study.exists", "study", self.study(**change), "--out", "d")
            self.assertIn("devices will treat this as a new study and pay again", message)
            self.assertIn("epsilon", message)
        self.stopped("study.exists", "study", self.work / "d/study.toml", "--out", "d", "--seed", 2)
        self.assertEqual((directory / "manifest.bin").read_bytes(), before)

    def test_another_round_never_replaces_a_round(self):
        directory = self.compile()
        text = (directory / "study.toml").read_text().replace("[study]", 'selector = "lasso"\n[study]')
        (self.work / "study.toml").write_text(text)
        self.assertIn("recipe", self.stopped("study.exists", "study", "study.toml", "--out", "d"))

    def test_features_with_scales_of_their_own(self):
        (self.work / "s.toml").write_text('name = "x"\n[privacy]\nepsilon = 1\n[question]\nkind = "vote"\n' + "".join(
            f'[[feature]]\nname = "{n}"\nunit = "mV"\noffset = {i}\nscale = {i + 10}\n' for i, n in enumerate(NAMES)))
        self.sotto("study", "s.toml", "--out", "d")
        self.assertEqual(len((self.work / "d/manifest.bin").read_bytes()), 84 + 2 + 9 * 13)
        self.assertEqual(self.json("study", "s.toml")["question"]["features"], NAMES)

    def test_bad_terms_are_refused_with_line_and_value(self):
        for terms, code, part in (("samples = 0", "study.bad_value", "study.toml:8: study.samples"), ("samples = 1025", "study.bad_value", "1024"),
                                  ('authenticated = "yes"', "study.wrong_type", "study.authenticated"), ("cohorts = [0, 0]", "study.bad_value", "not all 0"),
                                  ("cohorts = []", "study.bad_value", "study.cohorts"), ("cohorts = [1, -1]", "study.bad_value", "no weight"),
                                  ("cohorts = 3", "study.wrong_type", "an array"), ("minimum = 0", "study.bad_value", "study.minimum"),
                                  ("answers = 65536", "study.bad_value", "study.answers"), ("deviation = 2", "study.bad_value", "study.deviation"),
                                  ("sample = 5", "study.unknown_key", "did you mean study.samples?"), ('collector = ""', "study.wrong_type", "study.collector"),
                                  ("[feature]\nscale = 0", "study.bad_scale", "feature.scale"), ("[target]\noffset = 1e300", "study.bad_offset", "target.offset"),
                                  ('[target]\nscale = "x"', "study.wrong_type", "target.scale"), ("[target]\nscale = nan", "study.bad_value", "finite"),
                                  ('[[feature]]\nname = "a"\n[[feature]]\nname = "a"', "study.bad_value", "another feature"),
                                  ('[[feature]]\nname = "a"\n[[feature]]\nname = "b"', "study.bad_value", "question.features")):
            self.refused(code, part, extra=f"[study]\n{terms}")

    def test_bad_recipes_are_refused(self):
        vote = 'kind = "vote"\nfeatures = 8\n'
        for more, code, part in (('selector = "ridge"', "study.bad_value", "question.selector"), ("keep = 5", "study.unknown_key", "question.keep"),
                                 ('selector = "lasso"\nkeep = 129', "study.bad_value", "question.keep"),
                                 ('selector = "lasso"\nlambda = -1', "study.bad_value", "question.lambda"),
                                 ('selector = "scad"\nnoise = 0', "study.bad_value", "question.noise"), ("cohort = 1", "study.bad_value", "question.cohort"),
                                 ('selector = "scad"\nvisits = 0', "study.bad_value", "question.visits"),
                                 ('selector = "scad"\npick = "best"', "study.bad_value", "question.pick")):
            self.refused(code, part, question=vote + more)

    def test_the_statement_says_who_chooses_the_coins_and_how_often_a_device_pays(self):
        issued = " ".join(self.json("study", self.study(extra="[study]\nanswers = 3"))["privacy"]["statement"])
        self.assertIn("Pseudonyms are issued", issued)
        self.assertIn("may answer 3 rounds", issued)
        free = self.json("study", self.study(privacy="epsilon = 1", question='kind = "vote"\nfeatures = 1000', extra="[study]\nauthenticated = false"))
        text = " ".join(free["privacy"]["statement"])
        self.assertIn("Coins chosen by the sender", text)
        # (e + g - 1)/(e - 1) for a hash into g = 4.
        self.assertEqual(free["channel"]["outcomes"], 4)
        self.assertIn("as 3.33 honest ones, and a chosen pseudonym", text)

    def test_other_kinds_say_that_they_come_with_their_protocols(self):
        for example in ("direction", "value", "bin", "block"):
            self.stopped("study.no_recipe", "study", SOURCE / f"examples/{example}.toml", "--out", "d")
        self.assertFalse((self.work / "d").exists())

    def test_a_directory_that_cannot_be_made_is_an_output_error(self):
        (self.work / "file").write_text("")
        self.stopped("io.cannot_write", "study", SOURCE / "examples/vote.toml", "--out", "file/d", exit_code=INPUT_OUTPUT)

    def test_usage(self):
        for arguments in (["study", "a.toml", "--diff", "a", "b"], ["study", "--diff", "a"], ["study", "a.toml", "--seed", 1], ["study", "--out", "d"]):
            self.assertEqual(self.sotto(*arguments, code=USAGE).stdout, "")


class StudyDiff(WireCase):
    def test_what_changed_and_what_it_costs(self):
        self.compile("a")
        self.compile("b", terms="samples = 7\nanswers = 2")
        text = self.sotto("study", "--diff", "a/manifest.bin", "b/manifest.bin").stdout
        for part in ("100 rows", "-> 7 rows", "8 nats in all", "new digest: devices will treat this as a new study and pay again"):
            self.assertIn(part, text)

    def test_json_has_one_row_for_each_change(self):
        self.compile("a")
        self.compile("b", question='selector = "largest-mean"')
        result = self.json("study", "--diff", "a", "b")
        self.assertEqual((result["new_digest"], result["manifest"]), (False, []))
        self.assertEqual(result["round"], [{"field": "recipe", "from": "screen", "to": "largest-mean"}])

    def test_a_file_against_what_it_was_compiled_to_is_the_same_study(self):
        self.compile("a")
        self.assertIn("same study", self.sotto("study", "--diff", "a/study.toml", "a").stdout)
        self.assertFalse(self.json("study", "--diff", "a", "study.toml")["new_digest"])
        self.assertTrue(self.json("study", "--diff", "a", SOURCE / "examples/vote.toml")["new_digest"])

    def test_two_files(self):
        (self.work / "b.toml").write_text((SOURCE / "examples/vote.toml").read_text().replace("epsilon = 2.0", "epsilon = 2.5"))
        fields = {row["field"] for row in self.json("study", "--diff", SOURCE / "examples/vote.toml", "b.toml")["manifest"]}
        self.assertEqual(fields, {"epsilon"})

    def test_bytes_that_are_no_manifest(self):
        self.compile("a")
        (self.work / "bad.bin").write_bytes((self.work / "a/manifest.bin").read_bytes()[:-1])
        self.stopped("wire.truncated", "study", "--diff", "a", "bad.bin")
        self.stopped("io.cannot_read", "study", "--diff", "a", "absent", exit_code=INPUT_OUTPUT)


if __name__ == "__main__":
    main()
