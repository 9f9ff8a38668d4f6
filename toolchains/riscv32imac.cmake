# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# RV32IMAC, soft float, QEMU's virt machine. -misa-spec=2.2 keeps the CSR instructions inside I: with the newer split
# (_zicsr) the compiler driver finds no matching libgcc and takes the 64-bit one.
include(${CMAKE_CURRENT_LIST_DIR}/common.cmake)

# Debian and Ubuntu package this compiler without a C++ library. The device library needs headers only, and those of the
# ARM bare-metal package come from the same GCC release and carry no ARM code.
file(GLOB sotto_newlib_cxx /usr/include/newlib/c++/* /usr/lib/arm-none-eabi/include/c++/*)
list(SORT sotto_newlib_cxx COMPARE NATURAL ORDER DESCENDING)
set(sotto_cxx_headers "")
if(sotto_newlib_cxx)
  list(GET sotto_newlib_cxx 0 sotto_newlib_cxx)
  set(sotto_cxx_headers " -isystem ${sotto_newlib_cxx} -isystem ${sotto_newlib_cxx}/arm-none-eabi")
endif()

sotto_bare_metal(PREFIX riscv64-unknown-elf PROCESSOR riscv32 FLAGS "-march=rv32imac -mabi=ilp32 -misa-spec=2.2"
                 CXX_FLAGS "${sotto_cxx_headers}" BOARD riscv32-virt QEMU qemu-system-riscv32 MACHINE virt -bios none
                 ICOUNT_SHIFT 0)
