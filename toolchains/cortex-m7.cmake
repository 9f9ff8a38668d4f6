# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)
sotto_cortex_m(FLAGS "-mcpu=cortex-m7 -mfpu=fpv5-d16 -mfloat-abi=hard" BOARD mps2-an500 MACHINE mps2-an500)
