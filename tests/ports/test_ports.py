# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Ports, samples and package files as far as they can be checked without the platforms: compiled against stub headers with the
platforms' signatures, for other systems by cross compilers, and read as their tools would read them. The musl build runs."""

import ast
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(os.environ["SOTTO_SOURCE"])
MADE = pathlib.Path(os.environ["SOTTO_MADE"])
STUBS = SOURCE / "tests/ports"
PORTS = SOURCE / "device/ports"
WARNINGS = ["-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Wshadow", "-Werror"]
VERSION = re.search(r"project\(sotto VERSION ([\d.]+)", (SOURCE / "CMakeLists.txt").read_text()).group(1)
RECORD = """
function(record)
  foreach(word IN LISTS ARGN)
    if(IS_ABSOLUTE "${word}")
      file(APPEND "$ENV{RECORD}" "${word}\\n")
    elseif(word MATCHES "SOTTO_VERSION")
      file(APPEND "$ENV{RECORD}" "${word}\\n")
    endif()
  endforeach()
endfunction()
"""


class Ports(unittest.TestCase):
    def setUp(self):
        self.temporary = tempfile.TemporaryDirectory()
        self.addCleanup(self.temporary.cleanup)
        self.work = pathlib.Path(self.temporary.name)

    def run_tool(self, *command, code=0, **more):
        ran = subprocess.run(list(map(str, command)), capture_output=True, text=True, check=False, cwd=self.work, **more)
        self.assertEqual(ran.returncode == 0, code == 0, f"{command}\n{ran.stdout}\n{ran.stderr}")
        return ran.stdout + ran.stderr

    def compiles(self, *sources, options=(), code=0, compiler="gcc", standard="-std=c99"):
        return self.run_tool(compiler, standard, *WARNINGS, "-fsyntax-only", f"-I{MADE}", *options, *sources, code=code)

    def test_zephyr_port_and_sample(self):
        options = [f"-I{STUBS / 'zephyr'}", f"-I{PORTS / 'zephyr'}", f"-I{SOURCE / 'examples/firmware'}", "-DCONFIG_SOTTO_STUDIES=1",
                   "-DCONFIG_SOTTO_REPORT_BYTES=64", "-DCONFIG_SOTTO_QUESTION_VOTE=1", "-DCONFIG_SOTTO_QUESTION_VALUE=1",
                   "-DCONFIG_SOTTO_QUESTION_DIRECTION=1"]
        sources = [PORTS / "zephyr/sotto_zephyr.c", PORTS / "zephyr/sample/src/main.c"]
        self.compiles(*sources, options=options)
        for fake in ("TEST_RANDOM_GENERATOR", "TIMER_RANDOM_GENERATOR", "FAKE_ENTROPY_NATIVE_POSIX", "FAKE_ENTROPY_NATIVE_SIM",
                     "FAKE_ENTROPY_NRF_PRNG", "ENTROPY_PSEUDO_STM32", "ENTROPY_LITEX_RNG", "ENTROPY_AESC_PRNG"):
            self.assertIn("not random", self.compiles(sources[0], options=[*options, f"-DCONFIG_{fake}=1"], code=1))
            self.compiles(sources[0], options=[*options, f"-DCONFIG_{fake}=1", "-DCONFIG_SOTTO_ALLOW_FAKE_ENTROPY=1"])

    def test_zephyr_module_names_what_is_there(self):
        text = (SOURCE / "zephyr/module.yml").read_text()
        for path in re.findall(r"device/\S+", text):
            self.assertTrue((SOURCE / path).exists(), path)
        defined = set(re.findall(r"^config (\w+)", (PORTS / "zephyr/Kconfig").read_text(), re.M))
        for path in [*PORTS.glob("zephyr/*.c"), *PORTS.glob("zephyr/sample/**/*.c"), *PORTS.glob("zephyr/sample/**/*.conf")]:
            used = set(re.findall(r"CONFIG_(SOTTO\w*)", path.read_text()))
            self.assertLessEqual(used, defined, path)
        listed = self.configured("zephyr", "zephyr_library_named zephyr_library_sources zephyr_library_compile_definitions "
                                 "zephyr_library_compile_options zephyr_include_directories", "set(CONFIG_SOTTO y)\n")
        self.assertIn(str(PORTS / "zephyr/sotto_zephyr.c"), listed)

    def configured(self, port, functions, before):
        """Runs the port's CMakeLists.txt with the platform's functions replaced; what it names must be there."""
        stubs = "".join(f"function({name})\n  record(${{ARGN}})\nendfunction()\n" for name in functions.split())
        script = self.work / f"{port}.cmake"
        script.write_text(f"cmake_policy(VERSION 3.20)\n{RECORD}{stubs}{before}set(CMAKE_CURRENT_LIST_DIR {PORTS / port})\n"
                          f"{(PORTS / port / 'CMakeLists.txt').read_text()}")
        self.run_tool("cmake", "-P", script, env={**os.environ, "RECORD": str(self.work / "record")})
        words = (self.work / "record").read_text().split()
        (self.work / "record").unlink()
        paths = [word for word in words if word.startswith("/")]
        for path in paths:
            self.assertTrue(os.path.exists(path), path)
        every = set(re.findall(r"(\S+\.cpp)", (SOURCE / "device/sources.mk").read_text()))
        self.assertEqual(every, {os.path.relpath(path, SOURCE) for path in paths if path.endswith(".cpp")})
        self.assertTrue(any(word.startswith("SOTTO_VERSION_NUMBER=") for word in words))
        return paths

    def test_esp_idf_port_and_sample(self):
        options = [f"-I{STUBS / 'esp-idf'}", f"-I{PORTS / 'esp-idf'}", f"-I{SOURCE / 'examples/firmware'}", "-DESP_PLATFORM"]
        sources = [PORTS / "esp-idf/sotto_esp_idf.c", PORTS / "esp-idf/sample/main/main.c"]
        self.compiles(*sources, options=options)
        self.compiles(*sources, options=[*options, "-DCONFIG_SOTTO_BOOTLOADER_ENTROPY=1"])
        self.assertIn(str(PORTS / "esp-idf/sotto_esp_idf.c"), self.configured(
            "esp-idf", "idf_component_register", "set(COMPONENT_LIB sotto)\n"
            "function(target_compile_definitions)\n  record(${ARGN})\nendfunction()\nfunction(target_compile_options)\nendfunction()\n"))
        self.assertIn(f'version: "{VERSION}"', (PORTS / "esp-idf/idf_component.yml").read_text())
        self.assertRegex((PORTS / "esp-idf/sample/partitions.csv").read_text(), r"(?m)^sotto, +data, 0x40, +, +0x2000$")

    def test_stm32_port(self):
        self.compiles(PORTS / "stm32/sotto_stm32.c", compiler="arm-none-eabi-gcc",
                      options=["-mcpu=cortex-m4", "-mthumb", f"-I{STUBS / 'stm32'}", f"-I{PORTS / 'stm32'}"])

    def test_arduino_library_and_sketch(self):
        self.run_tool(sys.executable, SOURCE / "toolchains/package_arduino.py", self.work / "Sotto")
        properties = dict(line.split("=", 1) for line in (self.work / "Sotto/library.properties").read_text().splitlines())
        self.assertLessEqual({"name", "version", "author", "maintainer", "sentence", "paragraph", "category", "url", "architectures"},
                             set(properties))
        manifest = json.loads((self.work / "Sotto/library.json").read_text())
        self.assertEqual((properties["version"], manifest["version"]), (VERSION, VERSION))
        for example in manifest["examples"]:
            for name in example["files"]:
                self.assertTrue((self.work / "Sotto" / example["base"] / name).exists(), name)
        src, stubs = self.work / "Sotto/src", [f"-I{STUBS / 'arduino'}", f"-I{STUBS / 'esp-idf'}"]
        flags = ["-Os", "-mcpu=cortex-m4", "-mthumb", "-fno-exceptions", "-fno-rtti", "-Wall", "-Wextra", "-Werror", f"-I{src}", *stubs]
        self.run_tool("arm-none-eabi-g++", "-std=gnu++20", *flags, "-fsyntax-only", src / "sotto.cpp")
        sketch = self.work / "Sotto/examples/FirstReport/FirstReport.ino"
        self.run_tool("arm-none-eabi-g++", "-std=gnu++20", *flags, "-fsyntax-only", "-x", "c++", sketch)
        for platform in ([], ["-DESP_PLATFORM"]):
            self.run_tool("arm-none-eabi-gcc", "-std=gnu11", "-Wall", "-Werror", f"-I{src}", *stubs, *platform, "-fsyntax-only",
                          src / "sotto_esp_idf.c")

    def test_apple_c_and_cpp_parts(self):
        target = ["--target=arm64-apple-macos12"]
        self.compiles(PORTS / "posix/sotto_posix.c", compiler="clang",
                      options=[*target, "-nostdlibinc", f"-I{STUBS / 'apple'}", f"-I{PORTS / 'posix'}"])
        self.compiles(PORTS / "apple/CSotto/include/CSotto.h", compiler="clang",
                      options=[*target, "-nostdlibinc", f"-I{STUBS / 'apple'}", f"-I{SOURCE / 'device/include'}", "-xc-header"])
        headers = sorted(pathlib.Path("/usr/lib/arm-none-eabi/include/c++").glob("*"))[-1]  # C++ headers without a system behind them
        self.run_tool("clang++", *target, "-std=c++20", "-ffreestanding", "-fno-exceptions", "-fno-rtti", "-nostdinc++", "-isystem",
                      headers, "-isystem", headers / "arm-none-eabi", *WARNINGS, "-fsyntax-only", MADE / "sotto.cpp")
        package = (SOURCE / "Package.swift").read_text()
        for path in re.findall(r'"((?:device|shared)/[^"]+)"', package):
            self.assertTrue((SOURCE / path).exists(), path)
        number = sum(int(n) * w for n, w in zip(VERSION.split("."), (10000, 100, 1)))
        self.assertIn(f'.define("SOTTO_VERSION_NUMBER", to: "{number}")', package)

    def test_windows_program_links(self):
        compiler = "x86_64-w64-mingw32"
        if not shutil.which(f"{compiler}-g++"):
            self.skipTest("no mingw-w64")
        self.run_tool(f"{compiler}-g++", "-std=c++20", "-O1", "-ffreestanding", "-fno-exceptions", "-fno-rtti", "-ffunction-sections",
                      "-Wall", "-Wextra", "-Wconversion", "-Werror", "-c", MADE / "sotto.cpp", "-o", "sotto.o")
        self.run_tool(f"{compiler}-gcc", "-std=c99", *WARNINGS, f"-I{MADE}", f"-I{PORTS / 'windows'}", PORTS / "windows/sotto_windows.c",
                      STUBS / "windows_report.c", f"-I{SOURCE / 'examples/first_report'}", "sotto.o", "-lbcrypt", "-Wl,--gc-sections",
                      "-o", "report.exe")
        self.assertEqual((self.work / "report.exe").read_bytes()[:2], b"MZ")

    def test_musl_program_runs(self):
        if not shutil.which("musl-gcc"):
            self.skipTest("no musl-tools")
        # musl-gcc compiles C; the library needs nothing of a C library but memcpy and memset, whose it is does not matter.
        self.run_tool("g++", "-std=c++20", "-O1", "-ffreestanding", "-fno-exceptions", "-fno-rtti", "-ffunction-sections",
                      "-c", MADE / "sotto.cpp", "-o", "sotto.o")
        self.run_tool("musl-gcc", "-static", "-std=c99", *WARNINGS, f"-I{MADE}", f"-I{PORTS / 'posix'}",
                      f"-I{SOURCE / 'examples/first_report'}", PORTS / "posix/sotto_posix.c", SOURCE / "examples/first_report/main.c",
                      "sotto.o", "-Wl,--gc-sections", "-o", "first_report")
        first = self.run_tool(self.work / "first_report", "agree")
        self.assertRegex(first, r"^[0-9a-f]{34}\n$")
        self.assertEqual(self.run_tool(self.work / "first_report"), first)

    def test_recipes(self):
        conan = (SOURCE / "packages/conan/conanfile.py").read_text()
        ast.parse(conan)
        self.assertIn(f'version = "{VERSION}"', conan)
        vcpkg = json.loads((SOURCE / "packages/vcpkg/vcpkg.json").read_text())
        self.assertEqual(vcpkg["version"], VERSION)
        options = (SOURCE / "toolchains/cmake/SottoOptions.cmake").read_text()
        for name in re.findall(r"SOTTO_[A-Z_]+", conan + (SOURCE / "packages/vcpkg/portfile.cmake").read_text()):
            self.assertIn(f"option({name} ", options)
        for name in ("shared", "device", "toolchains", "CMakeLists.txt", "LICENSE"):
            self.assertTrue((SOURCE / name).exists())


if __name__ == "__main__":
    unittest.main(verbosity=2)
