# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
sotto_linux(TRIPLE arm-linux-gnueabihf PROCESSOR armv7l FLAGS "-march=armv7-a+fp" QEMU qemu-arm qemu-arm-static)
