# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# Options, and the compiler settings that every target of the project shares.
include_guard()

if(CMAKE_SYSTEM_NAME STREQUAL "Generic")
  set(SOTTO_BARE_METAL ON)
else()
  set(SOTTO_BARE_METAL OFF)
endif()
if(CMAKE_CROSSCOMPILING)
  set(SOTTO_NATIVE OFF)
else()
  set(SOTTO_NATIVE ON)
endif()

# A guest in another project brings the device library and nothing else.
set(SOTTO_ANALYZER_DEFAULT OFF)
if(PROJECT_IS_TOP_LEVEL AND SOTTO_NATIVE)
  set(SOTTO_ANALYZER_DEFAULT ON)
endif()
option(SOTTO_BUILD_ANALYZER "Build the analyzer and the command line (hosted, native)" ${SOTTO_ANALYZER_DEFAULT})
option(SOTTO_JETSTREAM "Build the log on NATS JetStream into the command line, where libnats is found" ON)
set(SOTTO_AGENT_DEFAULT OFF)
if(PROJECT_IS_TOP_LEVEL AND UNIX AND NOT SOTTO_BARE_METAL)
  set(SOTTO_AGENT_DEFAULT ON)
endif()
option(SOTTO_BUILD_AGENT "Build sotto-device, a device that runs by itself (hosted)" ${SOTTO_AGENT_DEFAULT})
option(SOTTO_BUILD_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
include(SottoPython)
option(SOTTO_BUILD_PYTHON "Build the Python package (pybind11 and Python's headers)" ${SOTTO_PYTHON_DEFAULT})
option(SOTTO_INSTALL "Create the install rules" ${PROJECT_IS_TOP_LEVEL})
option(SOTTO_WERROR "Treat warnings as errors" ${PROJECT_IS_TOP_LEVEL})
set(SOTTO_LTO_DEFAULT OFF) # on hosts and with other compilers it saves no flash
if(SOTTO_BARE_METAL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(SOTTO_LTO_DEFAULT ON)
endif()
option(SOTTO_LTO "Let the linker optimise across the objects of the device library (GCC): less flash" ${SOTTO_LTO_DEFAULT})
set(SOTTO_PIC_DEFAULT OFF) # a sanitizer's own variables are beyond the reach of other code in the Python module
if(SOTTO_BUILD_PYTHON AND SOTTO_SANITIZE)
  set(SOTTO_PIC_DEFAULT ON)
endif()
option(SOTTO_PIC "Position-independent code, for a shared library that links the device library" ${SOTTO_PIC_DEFAULT})
option(SOTTO_HIDDEN "Hide the device library's symbols, so that such a shared library does not export them" OFF)
option(SOTTO_FUZZ "Build the fuzz targets (clang, libFuzzer)" OFF)
set(SOTTO_SANITIZE "" CACHE STRING "Sanitizer of the whole build: empty, address (with undefined) or thread")
set_property(CACHE SOTTO_SANITIZE PROPERTY STRINGS "" address thread)

if(PROJECT_IS_TOP_LEVEL)
  set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
  if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
    if(SOTTO_BARE_METAL)
      set(CMAKE_BUILD_TYPE MinSizeRel CACHE STRING "" FORCE)
    else()
      set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
    endif()
  endif()
  # On bare metal the gates read the call graph that the compiler writes beside the object, which ccache does not store.
  find_program(SOTTO_CCACHE ccache)
  mark_as_advanced(SOTTO_CCACHE)
  if(SOTTO_CCACHE AND NOT SOTTO_BARE_METAL AND NOT DEFINED CMAKE_CXX_COMPILER_LAUNCHER)
    # Paths are relative to the source tree, so that clones of it share the cache.
    set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${PROJECT_SOURCE_DIR} CCACHE_NOHASHDIR=true
      CCACHE_SLOPPINESS=pch_defines,time_macros ${SOTTO_CCACHE}) # so that sources with precompiled headers are kept too
    set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
  endif()
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 99)
set(CMAKE_C_STANDARD_REQUIRED ON)

set(SOTTO_SANITIZE_OPTIONS "")
if(SOTTO_SANITIZE STREQUAL "address")
  set(SOTTO_SANITIZE_OPTIONS -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
elseif(SOTTO_SANITIZE STREQUAL "thread")
  set(SOTTO_SANITIZE_OPTIONS -fsanitize=thread -fno-omit-frame-pointer)
elseif(NOT SOTTO_SANITIZE STREQUAL "")
  message(FATAL_ERROR "SOTTO_SANITIZE is '${SOTTO_SANITIZE}'; use address or thread, or leave it empty.")
endif()
if(SOTTO_FUZZ)
  if(NOT CMAKE_CXX_COMPILER_ID MATCHES "Clang")
    message(FATAL_ERROR "SOTTO_FUZZ needs clang (found ${CMAKE_CXX_COMPILER_ID}); use the preset 'fuzz'.")
  endif()
  list(APPEND SOTTO_SANITIZE_OPTIONS -fsanitize=fuzzer-no-link)
endif()
add_compile_options(${SOTTO_SANITIZE_OPTIONS})
add_link_options(${SOTTO_SANITIZE_OPTIONS})

# A build whose objects are those that devices get; the gates check only such builds.
set(SOTTO_PLAIN_BUILD OFF)
if(SOTTO_SANITIZE STREQUAL "" AND NOT SOTTO_FUZZ AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  set(SOTTO_PLAIN_BUILD ON)
endif()
