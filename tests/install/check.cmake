# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# cmake -DWAY=find_package|subdirectory|shared|pkg_config|cross -DSOTTO_SOURCE= -DSOTTO_BUILD= -DWORK= -P check.cmake

function(run)
  list(JOIN ARGN " " text)
  message(STATUS "${text}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

# The program of the README ends in a report of 17 bytes.
function(first_report program)
  execute_process(COMMAND ${program} agree WORKING_DIRECTORY ${WORK} OUTPUT_VARIABLE report COMMAND_ERROR_IS_FATAL ANY
    OUTPUT_STRIP_TRAILING_WHITESPACE)
  string(LENGTH "${report}" digits)
  if(NOT digits EQUAL 34 OR NOT report MATCHES "^[0-9a-f]+$")
    message(FATAL_ERROR "${program} printed '${report}', which is no report")
  endif()
endfunction()

set(here ${CMAKE_CURRENT_LIST_DIR})
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

# As an app embeds it. Both guests compile the same objects, the second one from the cache where there is one.
set(embedded -DSOTTO_PIC=ON -DSOTTO_HIDDEN=ON)
find_program(ccache ccache)
if(ccache)
  list(APPEND embedded -DCMAKE_CXX_COMPILER_LAUNCHER=${ccache})
endif()

if(WAY STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${SOTTO_BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${prefix}) # an install can be moved
  foreach(consumer IN ITEMS device analyzer)
    run(${CMAKE_COMMAND} -G Ninja -S ${here}/${consumer} -B ${WORK}/${consumer} -DCMAKE_PREFIX_PATH=${prefix})
    run(${CMAKE_COMMAND} --build ${WORK}/${consumer})
    run(${WORK}/${consumer}/consumer)
  endforeach()
  run(${prefix}/bin/sotto --version)
  run(${CMAKE_COMMAND} -G Ninja -S ${here}/c_only -B ${WORK}/c_only -DCMAKE_PREFIX_PATH=${prefix}
    -DEXAMPLE=${SOTTO_SOURCE}/examples/first_report)
  run(${CMAKE_COMMAND} --build ${WORK}/c_only)
  first_report(${WORK}/c_only/first_report)

elseif(WAY STREQUAL "subdirectory")
  # Nothing is said about analyzer and tests: a guest builds neither.
  run(${CMAKE_COMMAND} -G Ninja -S ${here}/device -B ${WORK}/build -DSOTTO_SOURCE=${SOTTO_SOURCE} ${embedded})
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  run(${WORK}/build/consumer)

elseif(WAY STREQUAL "shared")
  # C alone, in a shared library: position-independent, and it exports nothing but its own function.
  run(${CMAKE_COMMAND} -G Ninja -S ${here}/c_only -B ${WORK}/build -DSOTTO_SOURCE=${SOTTO_SOURCE} -DCONSUMER_SHARED=ON
    -DEXAMPLE=${SOTTO_SOURCE}/examples/first_report ${embedded})
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  first_report(${WORK}/build/first_report)
  execute_process(COMMAND nm -D --defined-only ${WORK}/build/libguest.so OUTPUT_VARIABLE exported COMMAND_ERROR_IS_FATAL ANY)
  if(NOT exported MATCHES "guest_is_healthy" OR exported MATCHES "sotto")
    message(FATAL_ERROR "libguest.so exports\n${exported}")
  endif()

elseif(WAY STREQUAL "pkg_config")
  run(${CMAKE_COMMAND} --install ${SOTTO_BUILD} --prefix ${prefix} --component device)
  file(GLOB_RECURSE pc ${prefix}/*/sotto-device.pc)
  cmake_path(GET pc PARENT_PATH pc_dir)
  set(ENV{PKG_CONFIG_PATH} ${pc_dir})
  execute_process(COMMAND pkg-config --cflags --libs sotto-device OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags)
  run(c++ -std=c++20 ${here}/device/main.cpp ${flags} -o ${WORK}/consumer)
  run(${WORK}/consumer)
  execute_process(COMMAND pkg-config --cflags --libs sotto-posix OUTPUT_VARIABLE flags OUTPUT_STRIP_TRAILING_WHITESPACE
    COMMAND_ERROR_IS_FATAL ANY)
  separate_arguments(flags)
  run(cc -std=c99 ${SOTTO_SOURCE}/examples/first_report/main.c ${flags} -o ${WORK}/first_report)
  first_report(${WORK}/first_report)

elseif(WAY STREQUAL "cross")
  # The device component alone, for a microcontroller, with a toolchain file taken from the install.
  set(toolchain -DCMAKE_TOOLCHAIN_FILE=${SOTTO_SOURCE}/toolchains/cortex-m4f.cmake)
  run(${CMAKE_COMMAND} -G Ninja -S ${SOTTO_SOURCE} -B ${WORK}/sotto ${toolchain} -DSOTTO_BUILD_TESTS=OFF)
  run(${CMAKE_COMMAND} --build ${WORK}/sotto)
  run(${CMAKE_COMMAND} --install ${WORK}/sotto --prefix ${prefix} --component device)
  run(${CMAKE_COMMAND} -G Ninja -S ${here}/device -B ${WORK}/consumer -DCONSUMER_LIBRARY=ON
    -DCMAKE_TOOLCHAIN_FILE=${prefix}/share/sotto/toolchains/cortex-m4f.cmake -Dsotto_ROOT=${prefix}
    -DCMAKE_FIND_ROOT_PATH=${prefix})
  run(${CMAKE_COMMAND} --build ${WORK}/consumer)

else()
  message(FATAL_ERROR "WAY is '${WAY}'")
endif()
