# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# tests/vectors/<name>.json becomes the header vectors_<name>.hpp in the build tree, so that targets without files can
# check the vectors. sotto_use_vectors(<target>) makes the headers visible and builds them first.
include_guard()

file(GLOB sotto_vector_files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/tests/vectors/*.json)
set(SOTTO_VECTOR_DIR ${PROJECT_BINARY_DIR}/vectors)
set(sotto_vector_script ${PROJECT_SOURCE_DIR}/tests/vectors/to_header.py)
set(sotto_vector_headers "")
foreach(file IN LISTS sotto_vector_files)
  cmake_path(GET file STEM name)
  list(APPEND sotto_vector_headers ${SOTTO_VECTOR_DIR}/vectors_${name}.hpp)
endforeach()

if(sotto_vector_headers)
  add_custom_command(OUTPUT ${sotto_vector_headers}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${SOTTO_VECTOR_DIR}
    COMMAND Python3::Interpreter ${sotto_vector_script} ${SOTTO_VECTOR_DIR}
    DEPENDS ${sotto_vector_script} ${sotto_vector_files}
    COMMENT "Test vectors to headers")
  add_custom_target(sotto_vectors DEPENDS ${sotto_vector_headers})
endif()

function(sotto_use_vectors target)
  if(TARGET sotto_vectors)
    add_dependencies(${target} sotto_vectors)
    target_include_directories(${target} PRIVATE ${SOTTO_VECTOR_DIR} ${PROJECT_SOURCE_DIR}/tests/vectors)
  endif()
endfunction()
