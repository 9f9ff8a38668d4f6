# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# cmake -DWAY=find_package|subdirectory|pkg_config|cross -DSOTTO_SOURCE= -DSOTTO_BUILD= -DWORK= -P check.cmake

function(run)
  list(JOIN ARGN " " text)
  message(STATUS "${text}")
  execute_process(COMMAND ${ARGN} COMMAND_ERROR_IS_FATAL ANY)
endfunction()

set(here ${CMAKE_CURRENT_LIST_DIR})
set(prefix ${WORK}/prefix)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

if(WAY STREQUAL "find_package")
  run(${CMAKE_COMMAND} --install ${SOTTO_BUILD} --prefix ${WORK}/first)
  file(RENAME ${WORK}/first ${prefix}) # an install can be moved
  foreach(consumer IN ITEMS device analyzer)
    run(${CMAKE_COMMAND} -G Ninja -S ${here}/${consumer} -B ${WORK}/${consumer} -DCMAKE_PREFIX_PATH=${prefix})
    run(${CMAKE_COMMAND} --build ${WORK}/${consumer})
    run(${WORK}/${consumer}/consumer)
  endforeach()
  run(${prefix}/bin/sotto --version)

elseif(WAY STREQUAL "subdirectory")
  run(${CMAKE_COMMAND} -G Ninja -S ${here}/device -B ${WORK}/build -DSOTTO_SOURCE=${SOTTO_SOURCE} -DSOTTO_BUILD_ANALYZER=OFF)
  run(${CMAKE_COMMAND} --build ${WORK}/build)
  run(${WORK}/build/consumer)

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
