# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# Cortex-M0 and M0+. Both execute ARMv6-M and the compiler emits the same instructions for either; the emulated board
# (micro:bit) has an M0, so what is tested there is what an M0+ runs.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
sotto_cortex_m(FLAGS "-mcpu=cortex-m0plus -mfloat-abi=soft" BOARD microbit MACHINE microbit)
