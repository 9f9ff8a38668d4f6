# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
sotto_linux(TRIPLE aarch64-linux-gnu PROCESSOR aarch64 QEMU qemu-aarch64 qemu-aarch64-static)
