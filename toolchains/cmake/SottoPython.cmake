# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# SOTTO_PYTHON_DEFAULT: whether the Python package is built unless somebody says otherwise. It is where pybind11 and the
# headers of the distribution's Python are found, in a build that the package's tests belong to.
# The Python that runs scripts during the build (Python3_EXECUTABLE) may be another one, without the distribution's numpy:
# that is why this one has variables of its own, those of FindPython.
include_guard()

# The distribution's Python where there is one: its packages are those that apt installs.
if(NOT DEFINED Python_EXECUTABLE AND EXISTS /usr/bin/python3)
  set(Python_EXECUTABLE /usr/bin/python3 CACHE FILEPATH "The Python that the package is built for")
endif()

set(SOTTO_PYTHON_DEFAULT OFF)
if(PROJECT_IS_TOP_LEVEL AND SOTTO_NATIVE AND SOTTO_BUILD_ANALYZER AND SOTTO_BUILD_TESTS AND NOT SOTTO_FUZZ
   AND NOT SOTTO_SANITIZE STREQUAL "thread" AND UNIX)
  find_package(Python 3.9 QUIET COMPONENTS Interpreter Development.Module)
  find_package(pybind11 QUIET CONFIG)
  if(Python_FOUND AND Python_Development.Module_FOUND AND pybind11_FOUND)
    set(SOTTO_PYTHON_DEFAULT ON)
  endif()
endif()
