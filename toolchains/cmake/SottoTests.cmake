# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# sotto_device_test(<name> <source>...)  Unity; runs on the host and on every cross target. Label: device.
# sotto_host_test(<name> <source>... [DEEP] [THREADS])  GoogleTest; hosted and native only. Label: host, and deep for long
#                                        sweeps that the default run leaves out, threads for what ThreadSanitizer must see.
# sotto_fuzz_target(<name> <source>... [ANALYZER] [CORPUS <directory>] [WORDS <dictionary>])  libFuzzer, in the preset fuzz; ctest
#                                        gives it a minute from the committed corpus. ANALYZER: links the server library too.
#                                        Label: fuzz. The target `fuzz` builds all of them.
include_guard()

set(SOTTO_TEST_INCLUDES ${PROJECT_SOURCE_DIR}/tests ${PROJECT_SOURCE_DIR}/tests/support)

function(sotto_device_executable name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE sotto::device sotto_unity sotto_board)
  target_include_directories(${name} PRIVATE ${SOTTO_TEST_INCLUDES})
  sotto_add_warnings(${name})
  sotto_use_vectors(${name})
endfunction()

function(sotto_device_test name)
  sotto_device_executable(${name} ${ARGN})
  add_test(NAME ${name} COMMAND ${name})
  set_tests_properties(${name} PROPERTIES LABELS device TIMEOUT 240)
endfunction()

# sotto_expected_exit(<name> <source> CODE <exit code> TEXT <part of the output>): a program that must end in this way. Not
# WILL_FAIL, which a missing program or emulator would satisfy too.
function(sotto_expected_exit name source)
  cmake_parse_arguments(expected "" "CODE;TEXT" "" ${ARGN})
  sotto_device_executable(${name} ${source})
  add_test(NAME ${name} COMMAND ${Python3_EXECUTABLE} ${PROJECT_SOURCE_DIR}/toolchains/gates/expect_exit.py
    --code ${expected_CODE} --text ${expected_TEXT} -- ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${name}>)
  set_tests_properties(${name} PROPERTIES LABELS device TIMEOUT 60)
endfunction()

# GoogleTest's header and these of the standard library are a quarter of a host test's compile time: they are precompiled.
function(sotto_use_test_headers name)
  if(NOT TARGET sotto_test_headers)
    file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/test_headers.cpp CONTENT "// No code: the headers are compiled for the tests.\n")
    add_library(sotto_test_headers OBJECT ${PROJECT_BINARY_DIR}/test_headers.cpp)
    target_link_libraries(sotto_test_headers PRIVATE sotto::analyzer sotto::device GTest::gtest_main)
    sotto_add_hosted_warnings(sotto_test_headers)
    set(headers "")
    foreach(header IN ITEMS gtest/gtest.h algorithm cmath random string vector)
      list(APPEND headers <${header}>)
    endforeach()
    target_precompile_headers(sotto_test_headers PRIVATE ${headers})
    target_compile_options(sotto_test_headers PRIVATE $<$<CXX_COMPILER_ID:GNU>:-fpch-preprocess>) # required by ccache
  endif()
  target_precompile_headers(${name} REUSE_FROM sotto_test_headers)
  target_compile_options(${name} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endfunction()

function(sotto_host_test name)
  cmake_parse_arguments(test "DEEP;THREADS" "" "" ${ARGN})
  if(NOT TARGET sotto_analyzer)
    return()
  endif()
  if((SOTTO_SANITIZE STREQUAL "thread" AND NOT test_THREADS) OR (SOTTO_SANITIZE AND test_DEEP))
    return()
  endif()
  add_executable(${name} ${test_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE sotto::analyzer sotto::device GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${SOTTO_TEST_INCLUDES})
  sotto_add_hosted_warnings(${name})
  if(NOT test_UNPARSED_ARGUMENTS MATCHES "\\.c(;|$)") # CMake would look for precompiled headers of C as well
    sotto_use_test_headers(${name})
  endif()
  sotto_use_vectors(${name})
  # gtest_discover_tests() drops all labels but the first: executables with several labels are one test each.
  if(test_DEEP) # built by the target `deep` only
    set_target_properties(${name} PROPERTIES EXCLUDE_FROM_ALL TRUE)
    if(NOT TARGET deep)
      add_custom_target(deep)
    endif()
    add_dependencies(deep ${name})
  endif()
  if(test_DEEP OR test_THREADS)
    add_test(NAME ${name} COMMAND ${name})
    set(labels host)
    if(test_DEEP)
      list(APPEND labels deep)
    endif()
    if(test_THREADS)
      list(APPEND labels threads)
    endif()
    set_tests_properties(${name} PROPERTIES LABELS "${labels}" TIMEOUT 3600)
    return()
  endif()
  gtest_discover_tests(${name} TEST_PREFIX "${name}." DISCOVERY_MODE PRE_TEST DISCOVERY_TIMEOUT 60
    PROPERTIES LABELS host TIMEOUT 300)
endfunction()

function(sotto_fuzz_target name)
  cmake_parse_arguments(fuzz "ANALYZER" "CORPUS;WORDS" "" ${ARGN})
  add_executable(${name} ${fuzz_UNPARSED_ARGUMENTS})
  target_include_directories(${name} PRIVATE ${PROJECT_SOURCE_DIR})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  if(fuzz_ANALYZER)
    target_link_libraries(${name} PRIVATE sotto::analyzer)
    sotto_add_hosted_warnings(${name})
  else()
    target_link_libraries(${name} PRIVATE sotto::device)
    sotto_add_warnings(${name})
  endif()
  set(options -seed=1 -max_total_time=60 -print_final_stats=1)
  if(fuzz_WORDS)
    list(APPEND options -dict=${fuzz_WORDS})
  endif()
  if(fuzz_CORPUS) # new inputs are written to the first directory, never to the source tree
    list(APPEND options ${CMAKE_CURRENT_BINARY_DIR}/${name}_found ${fuzz_CORPUS})
    file(MAKE_DIRECTORY ${CMAKE_CURRENT_BINARY_DIR}/${name}_found)
  endif()
  if(NOT TARGET fuzz)
    add_custom_target(fuzz)
  endif()
  add_dependencies(fuzz ${name})
  add_test(NAME ${name} COMMAND ${name} ${options})
  set_tests_properties(${name} PROPERTIES LABELS fuzz TIMEOUT 180)
endfunction()
