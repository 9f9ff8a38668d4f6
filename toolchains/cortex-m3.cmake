# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
sotto_cortex_m(FLAGS "-mcpu=cortex-m3 -mfloat-abi=soft" BOARD mps2-an385 MACHINE mps2-an385)
