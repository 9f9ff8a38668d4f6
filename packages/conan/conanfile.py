# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors
"""Conan 2 recipe of the device library. Untested: no Conan here. From the root of the source tree: conan create packages/conan"""

import os

from conan import ConanFile
from conan.tools.build import check_min_cppstd
from conan.tools.cmake import CMake, cmake_layout
from conan.tools.files import copy


class SottoDevice(ConanFile):
    name = "sotto-device"
    version = "0.2.0"
    license = "Apache-2.0"
    description = "Reports with local differential privacy, from data that never leaves the device"
    settings = "os", "arch", "compiler", "build_type"
    options = {"fPIC": [True, False]}
    default_options = {"fPIC": True}
    package_type = "static-library"
    generators = "CMakeToolchain"

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "..", "..")
        for folder in ("shared", "device", "toolchains"):
            copy(self, f"{folder}/*", root, self.export_sources_folder)
        for name in ("CMakeLists.txt", "LICENSE"):
            copy(self, name, root, self.export_sources_folder)

    def validate(self):
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def build(self):
        cmake = CMake(self)
        cmake.configure(variables={"SOTTO_BUILD_ANALYZER": False, "SOTTO_BUILD_TESTS": False, "SOTTO_PIC": bool(self.options.fPIC)})
        cmake.build()

    def package(self):
        CMake(self).install(component="device")

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "sotto")
        for name, requires in (("shared", []), ("device", ["shared"]), ("posix", ["device"])):
            component = self.cpp_info.components[name]
            component.set_property("cmake_target_name", f"sotto::{name}")
            component.libs = [f"sotto_{name}"]
            component.requires = requires
