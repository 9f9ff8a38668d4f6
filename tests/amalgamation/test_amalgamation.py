# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""The library in one file is the library: same bytes each time, no name that two sources share, clean for every compiler."""

import glob
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SOTTO_SOURCE"])
CXX = os.environ["SOTTO_CXX"]
SCRIPT = "toolchains/amalgamate.py"
OPTIONS = ["-std=c++20", "-ffreestanding", "-fno-exceptions", "-fno-rtti"]
WARNINGS = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
sys.path.insert(0, str(SOURCE / "toolchains"))


def newlib() -> list[str]:
    """Headers of C++ for bare metal, as toolchains/riscv32imac.cmake finds them."""
    found = sorted(glob.glob("/usr/include/newlib/c++/*") + glob.glob("/usr/lib/arm-none-eabi/include/c++/*"))
    return ["-nostdinc++", "-isystem", found[-1], "-isystem", found[-1] + "/arm-none-eabi"] if found else []


CLANG = {
    "host": [],
    "cortex-m0plus": ["--target=thumbv6m-none-eabi", "-mcpu=cortex-m0plus", "-fshort-enums", *newlib()],
    "cortex-m4": ["--target=thumbv7em-none-eabi", "-mcpu=cortex-m4", "-fshort-enums", *newlib()],
    "riscv32imac": ["--target=riscv32-unknown-elf", "-march=rv32imac", "-mabi=ilp32", *newlib()],
}


def symbols(object_file: pathlib.Path) -> list[str]:
    return subprocess.run(["nm", "-C", object_file], check=True, capture_output=True, text=True).stdout.splitlines()


def without_ending(listed: list[str]) -> list[str]:
    """Functions and constants that are local to a source and do not carry its name. What a local type holds is named by the type."""
    local = [line.split(maxsplit=2)[-1] for line in listed if "(anonymous namespace)::" in line]
    return [name for name in local if not re.search(r"\(anonymous namespace\)::\w+_in_\w+", name)]


class Case(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.work = pathlib.Path(self.temporary.name)

    def amalgamate(self, root, out, code=0):
        ran = subprocess.run([sys.executable, root / SCRIPT, "--out", out], capture_output=True, text=True, check=False,
                             env={**os.environ, "PYTHONHASHSEED": str(len(str(out)))})
        self.assertEqual(ran.returncode, code, ran.stderr)
        return ran.stderr

    def tree(self):
        """A copy of the library's sources, to be changed."""
        root = self.work / "tree"
        for part in ("shared", "device"):
            shutil.copytree(SOURCE / part, root / part, ignore=shutil.ignore_patterns("proofs", "ports", "spec/*.md"))
        (root / "toolchains").mkdir()
        for name in ("CMakeLists.txt", SCRIPT):
            shutil.copy(SOURCE / name, root / name)
        return root

    def compiled(self, source, *options):
        out = self.work / (source.stem + ".o")
        ran = subprocess.run([CXX, *OPTIONS, *options, "-c", source, "-o", out], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr[:2000])
        return out


class File(Case):
    def test_the_same_tree_gives_the_same_bytes(self):
        self.amalgamate(SOURCE, self.work / "made once more")
        for name in ("sotto.cpp", "sotto.h"):
            self.assertEqual((self.work / "made once more" / name).read_bytes(),
                             (pathlib.Path(os.environ["SOTTO_MADE"]) / name).read_bytes(), name)

    def test_the_version_is_inside(self):
        made = pathlib.Path(os.environ["SOTTO_MADE"])
        version = re.search(r"project\(sotto VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
        for name in ("sotto.cpp", "sotto.h"):
            self.assertIn(f"Sotto {version}", (made / name).read_text()[:300])

    def test_a_header_of_another_version_does_not_link(self):
        made = pathlib.Path(os.environ["SOTTO_MADE"])
        library = self.compiled(made / "sotto.cpp", "-O0")
        program = self.work / "program.cpp"
        program.write_text('#include "sotto.h"\nint main() { static sotto_ledger l; return sotto_ledger_open(&l, nullptr, nullptr, nullptr); }\n')
        header = (made / "sotto.h").read_text()
        minor = int(re.search(r"#define SOTTO_VERSION_MINOR (\d+)", header).group(1))
        for changed, links in ((minor, True), (minor + 1, False)):
            (self.work / "sotto.h").write_text(header.replace(f"SOTTO_VERSION_MINOR {minor}", f"SOTTO_VERSION_MINOR {changed}"))
            ran = subprocess.run([CXX, "-std=c++20", f"-I{self.work}", program, library, "-o", self.work / "program"],
                                 capture_output=True, text=True, check=False)
            self.assertEqual(ran.returncode == 0, links, ran.stderr)
        self.assertIn(f"sotto_ledger_open_0_{minor + 1}", ran.stderr)

    def test_every_local_name_carries_the_name_of_its_source(self):
        out = self.compiled(pathlib.Path(os.environ["SOTTO_MADE"]) / "sotto.cpp", "-O0", "-DSOTTO_EXPOSED")
        listed = symbols(out)
        self.assertGreater(sum("_in_" in line for line in listed), 100)
        self.assertEqual(without_ending(listed), [])

    def test_a_local_name_without_its_source_is_noticed(self):
        (self.work / "a.cpp").write_text("namespace { int f(int x) { return x; } int g_in_a(int x) { return x; } }\n"
                                         "int h(int x) { return f(x) + g_in_a(x); }\n")
        self.assertEqual(without_ending(symbols(self.compiled(self.work / "a.cpp", "-O0"))), ["(anonymous namespace)::f(int)"])

    def test_helpers_of_one_name_stay_apart(self):
        """An overload that would change a call: the helper of chacha.cpp takes what that of sha256.cpp converts."""
        root = self.tree()
        for name, kind, result in (("chacha", "long", 1), ("sha256", "int", 2)):
            path = root / f"shared/src/{name}.cpp"
            path.write_text(path.read_text() + f"namespace sotto {{\nnamespace {{\nint twin({kind}) {{ return {result}; }}\n}}\n"
                            f"int call_{name}() {{ return twin(0L); }}\n}}  // namespace sotto\n")
        self.amalgamate(root, self.work / "made")
        main = self.work / "main.cpp"
        main.write_text('#include "made/sotto.cpp"\nint main() { return 10 * sotto::call_chacha() + sotto::call_sha256(); }\n')
        subprocess.run([CXX, "-std=c++20", "-O0", main, "-o", self.work / "main"], check=True)
        self.assertEqual(subprocess.run([self.work / "main"], check=False).returncode, 12)

    def test_only_the_functions_of_sotto_h_are_seen_from_outside(self):
        listed = symbols(self.compiled(pathlib.Path(os.environ["SOTTO_MADE"]) / "sotto.cpp", "-O0"))
        seen = [line.split(maxsplit=2)[-1] for line in listed if re.match(r"[0-9a-f]+ [TDBR] ", line)]  # templates of C++ are weak
        self.assertGreater(len(seen), 50)
        self.assertEqual([name for name in seen if not name.startswith("sotto_")], [])

    def test_a_firmware_gets_only_the_functions_that_it_names(self):
        firmware = self.work / "firmware.c"
        firmware.write_text("/* sotto_no_such_function */ sotto_session_close(&session); f(sotto_vote_given);\n")
        ran = subprocess.run([sys.executable, SOURCE / SCRIPT, "--out", self.work / "made", "--calls", firmware], check=False)
        self.assertEqual(ran.returncode, 0)
        listed = symbols(self.compiled(self.work / "made/sotto.cpp", "-O0", *WARNINGS))
        seen = {line.split(maxsplit=2)[-1] for line in listed if re.match(r"[0-9a-f]+ T ", line)}
        self.assertEqual(seen, {"sotto_session_close", "sotto_vote_given"})

    def test_a_firmware_that_names_nothing_is_refused(self):
        (self.work / "firmware.c").write_text("int main(void) { return sotto_nothing(); }\n")
        ran = subprocess.run([sys.executable, SOURCE / SCRIPT, "--out", self.work / "made", "--calls", self.work / "firmware.c"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 1)
        self.assertIn("calls no function of sotto.h", ran.stderr)

    def test_a_namespace_that_the_script_does_not_see_closed_is_refused(self):
        root = self.tree()
        path = root / "shared/src/chacha.cpp"
        path.write_text(path.read_text() + "namespace sotto {\nint more;\n}\n")
        self.assertIn("namespace sotto is opened", self.amalgamate(root, self.work / "made", code=1))

    def test_what_the_script_cannot_keep_apart_is_refused(self):
        root = self.tree()
        path = root / "shared/src/chacha.cpp"
        content = path.read_text()
        for added, reason in (("using namespace sotto::arm;\n", "different using-directives"),
                              ("namespace short_name = sotto::arm;\n", "renames a namespace"),
                              ('const char* text = R"(a)";\n', "raw string"),
                              ('#if 1\n#include <array>\n#endif\n', "under a condition")):
            path.write_text(content + added)
            self.assertIn(reason, self.amalgamate(root, self.work / "made", code=1))

    def test_clang_has_nothing_to_say_on_any_target(self):
        clang = shutil.which("clang++")
        self.assertIsNotNone(clang, "clang++ is not installed")
        for target, options in CLANG.items():
            with self.subTest(target):
                ran = subprocess.run([clang, *options, *OPTIONS, *WARNINGS, "-fsyntax-only",
                                      pathlib.Path(os.environ["SOTTO_MADE"]) / "sotto.cpp"], capture_output=True, text=True, check=False)
                self.assertEqual(ran.returncode, 0, ran.stderr[:2000])

    def test_the_list_of_sources_is_fresh(self):
        ran = subprocess.run([sys.executable, SOURCE / SCRIPT, "--check-sources"], capture_output=True, text=True, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)

    def test_the_makefile_ends_in_a_report(self):
        shutil.copytree(SOURCE / "examples/makefile", self.work / "makefile")
        subprocess.run(["make", "-s", "-C", self.work / "makefile", f"SOTTO_ROOT={SOURCE}"], check=True)
        ran = subprocess.run([self.work / "makefile/build/first_report", "agree"], capture_output=True, text=True, check=False,
                             cwd=self.work)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        self.assertRegex(ran.stdout, r"^[0-9a-f]{34}\n$")


class Functions(Case):
    """Without optimisation a function's code depends on what its names mean and on little else: each has the size and the calls that it
    has when its source is compiled alone."""

    def functions(self, object_file):
        text = subprocess.run(["objdump", "-drC", "--no-show-raw-insn", object_file], check=True, capture_output=True, text=True).stdout
        found = {}
        for block in re.split(r"\n(?=[0-9a-f]+ <)", text)[1:]:
            name = re.match(r"[0-9a-f]+ <(.*)>:", block).group(1)
            code = re.findall(r"^\s+[0-9a-f]+:\t(?!R_)(\S+)", block, re.MULTILINE)
            calls = [re.sub(r"[-+]0x[0-9a-f]+$", "", c) for c in re.findall(r"R_X86_64_PLT32\t(.*)", block)]
            found[self.plain(name)] = (len(code), [self.plain(c) for c in calls])
        return found

    @staticmethod
    def plain(name):
        return re.sub(r"_in_\w+", "", name).replace("Ed25519Field", "Field")

    def test_every_function_is_that_of_its_source(self):
        import amalgamate
        whole = self.functions(self.compiled(pathlib.Path(os.environ["SOTTO_MADE"]) / "sotto.cpp", "-O0", "-ffunction-sections",
                                             "-DSOTTO_EXPOSED"))
        self.assertGreater(len(whole), 500)
        different, compared = [], 0
        includes = [f"-I{SOURCE / part / 'include'}" for part in amalgamate.PARTS]
        local = {}
        for path in amalgamate.sources():
            alone = self.functions(self.compiled(SOURCE / path, "-O0", "-ffunction-sections", "-DSOTTO_VERSION_NUMBER=1", *includes))
            for name, code in alone.items():
                if "(anonymous namespace)" in name:
                    local.setdefault(name, []).append(code)
                    continue
                compared += 1
                if whole.get(name) != code:
                    different.append(f"{path}: {name}: alone {code}, in one file {whole.get(name)}")
        self.assertEqual(different, [])
        self.assertGreater(compared, 500)


if __name__ == "__main__":
    unittest.main(verbosity=2)
