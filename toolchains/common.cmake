# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# Shared by every toolchain file here. A toolchain file sets only what the target machine dictates (compiler, core flags,
# emulator); what the project wants (freestanding rules, warnings, linker scripts) belongs to the project's own targets. So
# another project can build with these files too, with its own start-up code and C library.
#
#   sotto_cortex_m(FLAGS <core flags> BOARD <name> MACHINE <QEMU machine>)
#   sotto_bare_metal(PREFIX <triple> PROCESSOR <name> FLAGS <core flags> BOARD <name> QEMU <program> MACHINE <arguments> ...)
#   sotto_linux(TRIPLE <triple> PROCESSOR <name> QEMU <program>...)
#
# All are macros: the variables that they set must reach the caller's scope. SOTTO_BOARD names the start-up code and linker
# script in boards/ that the emulated machine needs; only the project's own tests read it.
include_guard()

macro(sotto_compilers prefix)
  set(CMAKE_C_COMPILER ${prefix}-gcc)
  set(CMAKE_CXX_COMPILER ${prefix}-g++)
  set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
  set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
  set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
endmacro()

# The emulator goes in front of each test's command line. Without it tests still build, and say why they cannot run.
macro(sotto_emulator)
  cmake_parse_arguments(sotto_emulator "" "" "NAMES;ARGUMENTS" ${ARGN})
  find_program(SOTTO_EMULATOR NAMES ${sotto_emulator_NAMES})
  mark_as_advanced(SOTTO_EMULATOR)
  if(SOTTO_EMULATOR)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${SOTTO_EMULATOR};${sotto_emulator_ARGUMENTS}")
  endif()
endmacro()

macro(sotto_bare_metal)
  cmake_parse_arguments(sotto_target "" "PREFIX;PROCESSOR;BOARD;FLAGS;CXX_FLAGS;QEMU;ICOUNT_SHIFT" "MACHINE" ${ARGN})
  set(CMAKE_SYSTEM_NAME Generic)
  set(CMAKE_SYSTEM_PROCESSOR ${sotto_target_PROCESSOR})
  set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # no start-up code while CMake tries the compiler
  sotto_compilers(${sotto_target_PREFIX})
  set(CMAKE_C_FLAGS_INIT "${sotto_target_FLAGS}")
  set(CMAKE_CXX_FLAGS_INIT "${sotto_target_FLAGS}${sotto_target_CXX_FLAGS}")
  set(SOTTO_BOARD ${sotto_target_BOARD})
  # Deterministic: -icount ties virtual time to instructions (2^shift ns each) and never sleeps.
  sotto_emulator(
    NAMES ${sotto_target_QEMU}
    ARGUMENTS -machine ${sotto_target_MACHINE} -display none -monitor none -serial none
              -chardev stdio,id=semihost -semihosting-config enable=on,target=native,chardev=semihost
              -icount shift=${sotto_target_ICOUNT_SHIFT},align=off,sleep=off -kernel)
endmacro()

macro(sotto_cortex_m)
  cmake_parse_arguments(sotto_core "" "FLAGS;BOARD;MACHINE" "" ${ARGN})
  sotto_bare_metal(PREFIX arm-none-eabi PROCESSOR arm FLAGS "-mthumb ${sotto_core_FLAGS}" BOARD ${sotto_core_BOARD}
                   QEMU qemu-system-arm MACHINE ${sotto_core_MACHINE} ICOUNT_SHIFT 6)
endmacro()

macro(sotto_linux)
  cmake_parse_arguments(sotto_target "" "TRIPLE;PROCESSOR;FLAGS" "QEMU" ${ARGN})
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${sotto_target_PROCESSOR})
  sotto_compilers(${sotto_target_TRIPLE})
  set(CMAKE_C_FLAGS_INIT "${sotto_target_FLAGS}")
  set(CMAKE_CXX_FLAGS_INIT "${sotto_target_FLAGS}")
  set(CMAKE_FIND_ROOT_PATH /usr/${sotto_target_TRIPLE})
  sotto_emulator(NAMES ${sotto_target_QEMU} ARGUMENTS -L /usr/${sotto_target_TRIPLE})
endmacro()
