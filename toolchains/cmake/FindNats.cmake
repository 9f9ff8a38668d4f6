# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# libnats for the log on JetStream: Nats::nats. The CMake package of Debian's libnats-dev names a static library that the
# package does not have, so it is found by pkg-config.
include_guard()
find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(NATS QUIET IMPORTED_TARGET GLOBAL libnats>=3.4)
endif()
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(Nats REQUIRED_VARS NATS_LINK_LIBRARIES VERSION_VAR NATS_VERSION
  REASON_FAILURE_MESSAGE "install libnats-dev and pkg-config, or leave the log on JetStream out with SOTTO_JETSTREAM=OFF")
if(Nats_FOUND AND NOT TARGET Nats::nats)
  add_library(Nats::nats ALIAS PkgConfig::NATS)
endif()
