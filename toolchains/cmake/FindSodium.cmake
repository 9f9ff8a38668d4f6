# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# libsodium for the analyzer and the host's tests: Sodium::sodium. It has no CMake package; it is found by pkg-config.
include_guard()
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(SODIUM QUIET IMPORTED_TARGET GLOBAL libsodium)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Sodium REQUIRED_VARS SODIUM_LINK_LIBRARIES VERSION_VAR SODIUM_VERSION
  REASON_FAILURE_MESSAGE "install libsodium-dev and pkg-config")
if(Sodium_FOUND AND NOT TARGET Sodium::sodium)
  add_library(Sodium::sodium ALIAS PkgConfig::SODIUM)
endif()
