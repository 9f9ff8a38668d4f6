# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Builds the module with CMake, by the same target as the project's own build, and puts it beside the Python files."""

import os
import pathlib
import re
import subprocess
import sys

from setuptools import Extension, setup
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent


def version():
    return re.search(r"^project\(sotto VERSION ([0-9.]+)", (ROOT / "CMakeLists.txt").read_text(), re.MULTILINE)[1]


class CMakeBuild(build_ext):
    """One extension, which CMake makes. SOTTO_PYTHON_BUILD_DIR names a build directory that is kept."""

    def build_extension(self, ext):
        to = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        build = pathlib.Path(os.environ.get("SOTTO_PYTHON_BUILD_DIR", self.build_temp)).resolve()
        subprocess.run(["cmake", "-S", str(ROOT), "-B", str(build), f"-DPython_EXECUTABLE={sys.executable}",
                        "-DCMAKE_BUILD_TYPE=Release", "-DCMAKE_CXX_FLAGS_RELEASE=-O2 -DNDEBUG", "-DSOTTO_BUILD_PYTHON=ON", "-DSOTTO_PIC=ON", "-DSOTTO_BUILD_TESTS=OFF",
                        "-DSOTTO_BUILD_AGENT=OFF", "-DSOTTO_INSTALL=OFF"], check=True)
        subprocess.run(["cmake", "--build", str(build), "--target", "sotto_python", "--parallel",
                        os.environ.get("CMAKE_BUILD_PARALLEL_LEVEL", str(os.cpu_count() or 1))], check=True)
        made = build / "analyzer" / "python" / "sotto" / to.name
        to.parent.mkdir(parents=True, exist_ok=True)
        self.copy_file(str(made), str(to))


setup(version=version(), ext_modules=[Extension("sotto._sotto", sources=[])], cmdclass={"build_ext": CMakeBuild})
