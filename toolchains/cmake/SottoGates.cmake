# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# The gates: tests that look at the built libraries instead of running them (toolchains/gates). Label: gate.
#
# sotto_add_gates()                  after the images: symbols, sections, floating point, headers, includes between modules, forgotten
#                                    sources; stack on bare metal; the gates' own test
# sotto_size_image(<stem> <source>)  bare metal: an image of one randomizer, and one of its check alone; `chacha` and `coins` are bases
# sotto_firmware_image(<name> <source>)
#                                    bare metal: a linked firmware, of one source file; `empty` is the base
# sotto_add_size_gate()              after the images
# sotto_add_count_gate(<executable> <section> [<unit>])
#                                    bare metal: instructions or bytes, counted twice in the emulator; section of the budgets
include_guard()

set(SOTTO_GATE_DIR ${PROJECT_SOURCE_DIR}/toolchains/gates)
set(SOTTO_GATE_RESULTS ${PROJECT_BINARY_DIR}/gates)
if(CMAKE_TOOLCHAIN_FILE)
  cmake_path(GET CMAKE_TOOLCHAIN_FILE STEM SOTTO_TARGET_NAME)
else()
  set(SOTTO_TARGET_NAME host)
endif()

function(sotto_gate name)
  add_test(NAME gate_${name} COMMAND ${Python3_EXECUTABLE} ${SOTTO_GATE_DIR}/${ARGN} COMMAND_EXPAND_LISTS)
  set_tests_properties(gate_${name} PROPERTIES LABELS gate TIMEOUT 600)
endfunction()

# CMake has no variable for `size`; it is in the same directory as nm.
cmake_path(GET CMAKE_NM PARENT_PATH sotto_tool_dir)
cmake_path(GET CMAKE_NM FILENAME sotto_nm_name)
string(REGEX REPLACE "nm$" "size" sotto_size_name "${sotto_nm_name}")
find_program(SOTTO_SIZE ${sotto_size_name} HINTS ${sotto_tool_dir} REQUIRED)
mark_as_advanced(SOTTO_SIZE)

function(sotto_add_gates)
  set(libraries $<TARGET_FILE:sotto_shared> $<TARGET_FILE:sotto_device>)
  set(commands ${PROJECT_BINARY_DIR}/compile_commands.json)
  set(bare_metal "")
  if(SOTTO_BARE_METAL)
    set(bare_metal --bare-metal)
  endif()

  sotto_gate(symbols symbols.py --objdump ${CMAKE_OBJDUMP} ${libraries})
  sotto_gate(sections sections.py --readelf ${CMAKE_READELF} ${bare_metal} ${libraries})
  set(linked "")
  if(SOTTO_BARE_METAL) # the linked images
    set(linked $<TARGET_FILE:size_every_question> $<TARGET_FILE:size_sealed_vote>)
  endif()
  sotto_gate(floats floats.py --objdump ${CMAKE_OBJDUMP} --processor ${CMAKE_SYSTEM_PROCESSOR} ${libraries} ${linked})
  sotto_gate(headers headers.py --commands ${commands} --root ${PROJECT_SOURCE_DIR}
    ${PROJECT_SOURCE_DIR}/shared/src ${PROJECT_SOURCE_DIR}/device/src)
  # The parts whose modules keep to the table.
  sotto_gate(includes includes.py --root ${PROJECT_SOURCE_DIR} --table ${SOTTO_GATE_DIR}/modules.json shared device analyzer cli python)
  sotto_gate(self_test self_test.py --commands ${commands} --source ${PROJECT_SOURCE_DIR}/shared/src/chacha.cpp
    --tools ${CMAKE_READELF} ${CMAKE_OBJDUMP} ${SOTTO_SIZE} --processor ${CMAKE_SYSTEM_PROCESSOR} ${bare_metal})
  if(SOTTO_BARE_METAL)
    set(graphs $<TARGET_OBJECTS:sotto_shared> $<TARGET_OBJECTS:sotto_device>)
    if(SOTTO_LTO)
      get_property(images GLOBAL PROPERTY SOTTO_SIZE_IMAGES)
      get_property(firmware GLOBAL PROPERTY SOTTO_FIRMWARE_IMAGES)
      list(FILTER firmware EXCLUDE REGEX "^[a-z_]*_no_lto=") # no call graph is written beside them; they are painted
      set(graphs --objdump ${CMAKE_OBJDUMP} --firmware ${firmware} --stems ${images})
    endif()
    sotto_gate(stack stack.py --budgets ${SOTTO_GATE_DIR}/budgets.json --target ${SOTTO_TARGET_NAME}
      --json ${SOTTO_GATE_RESULTS}/stack.json ${graphs})
  endif()
  if(TARGET sotto_analyzer)
    file(GLOB benches CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/device/bench_*.cpp) # bare metal only
    sotto_gate(sources sources.py --commands ${commands} --except ${PROJECT_SOURCE_DIR}/tests/fuzz
      ${PROJECT_SOURCE_DIR}/tests/install ${PROJECT_SOURCE_DIR}/tests/size ${PROJECT_SOURCE_DIR}/tests/valgrind
      ${PROJECT_SOURCE_DIR}/tests/device/harness_fault.cpp ${benches}
      -- ${PROJECT_SOURCE_DIR}/shared ${PROJECT_SOURCE_DIR}/device ${PROJECT_SOURCE_DIR}/analyzer ${PROJECT_SOURCE_DIR}/tests)
  endif()

  cmake_path(GET CMAKE_CXX_COMPILER FILENAME compiler)
  file(WRITE ${SOTTO_GATE_RESULTS}/target.json
    "{ \"target\": \"${SOTTO_TARGET_NAME}\", \"compiler\": \"${compiler} ${CMAKE_CXX_COMPILER_VERSION}\" }\n")
endfunction()

function(sotto_measured_image image source)
  add_executable(${image} ${source})
  target_link_libraries(${image} PRIVATE sotto::device sotto_board)
  sotto_add_warnings(${image})
  if(SOTTO_LTO) # the linker compiles, and writes the call graph beside the image
    target_link_options(${image} PRIVATE -fstack-usage -fcallgraph-info=su)
  endif()
endfunction()

function(sotto_size_image stem source)
  if(NOT SOTTO_BARE_METAL)
    return()
  endif()
  set(images size_${stem})
  if(NOT stem MATCHES "^(chacha|coins)$")
    list(APPEND images size_check_${stem})
    set_property(GLOBAL APPEND PROPERTY SOTTO_SIZE_IMAGES
      ${stem}=$<TARGET_FILE:size_${stem}>,$<TARGET_FILE:size_check_${stem}>)
  endif()
  foreach(image IN LISTS images)
    sotto_measured_image(${image} ${source})
  endforeach()
  if(TARGET size_check_${stem})
    target_compile_definitions(size_check_${stem} PRIVATE SOTTO_SIZE_CHECK_ONLY)
  endif()
endfunction()

function(sotto_firmware_image name source)
  if(NOT SOTTO_BARE_METAL)
    return()
  endif()
  sotto_measured_image(size_${name} ${source})
  if(NOT name STREQUAL "empty")
    set_property(GLOBAL APPEND PROPERTY SOTTO_FIRMWARE_IMAGES
      ${name}=$<TARGET_FILE:size_${name}>,$<TARGET_OBJECTS:size_${name}>)
  endif()
endfunction()

function(sotto_add_size_gate)
  get_property(images GLOBAL PROPERTY SOTTO_SIZE_IMAGES)
  get_property(firmware GLOBAL PROPERTY SOTTO_FIRMWARE_IMAGES)
  if(images)
    sotto_gate(sizes sizes.py --size ${SOTTO_SIZE} --base $<TARGET_FILE:size_chacha> --coins $<TARGET_FILE:size_coins>
      --target ${SOTTO_TARGET_NAME} --budgets ${SOTTO_GATE_DIR}/budgets.json --json ${SOTTO_GATE_RESULTS}/sizes.json
      --libraries $<TARGET_FILE:sotto_shared> $<TARGET_FILE:sotto_device>
      --objdump ${CMAKE_OBJDUMP} --empty $<TARGET_FILE:size_empty> --firmware ${firmware} -- ${images})
  endif()
endfunction()

function(sotto_add_count_gate executable section)
  if(SOTTO_BARE_METAL)
    set(unit ${ARGN})
    if(NOT unit)
      set(unit instructions)
    endif()
    sotto_gate(counts_${section} counts.py --budgets ${SOTTO_GATE_DIR}/budgets.json --section ${section}
      --unit ${unit} --target ${SOTTO_TARGET_NAME} --json ${SOTTO_GATE_RESULTS}/counts_${section}.json
      -- ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${executable}>)
  endif()
endfunction()
