# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# Finds the sources of Unity, the test framework of the device tests, and defines the target sotto_unity. In this order:
#   1. SOTTO_UNITY_DIR, as CMake or environment variable: a directory that holds src/unity.c or unity.c;
#   2. an installed copy (sources, as embedded distributions ship them);
#   3. the source package of cJSON in the distribution's archive, which carries Unity, fetched through a private view of
#      apt (fetch_unity.sh) into ${XDG_CACHE_HOME:-~/.cache}/sotto;
#   4. upstream, a pinned tag, by FetchContent.
include_guard()

set(SOTTO_UNITY_DIR "$ENV{SOTTO_UNITY_DIR}" CACHE PATH "Directory with Unity's sources (empty: search)")
set(SOTTO_UNITY_TAG v2.6.1)

set(sotto_unity_places "")
if(SOTTO_UNITY_DIR)
  set(sotto_unity_places PATHS ${SOTTO_UNITY_DIR} NO_DEFAULT_PATH NO_CMAKE_FIND_ROOT_PATH)
else()
  set(sotto_unity_places PATHS /usr/share/unity /usr/src/unity /usr/local/share/unity /usr/local/src/unity
                         NO_CMAKE_FIND_ROOT_PATH)
endif()
find_path(SOTTO_UNITY_SOURCE unity.c ${sotto_unity_places} PATH_SUFFIXES src unity unity/src)
if(SOTTO_UNITY_DIR AND NOT SOTTO_UNITY_SOURCE)
  message(FATAL_ERROR "SOTTO_UNITY_DIR is ${SOTTO_UNITY_DIR}, but there is no unity.c in it or in its src directory.")
endif()

if(NOT SOTTO_UNITY_SOURCE)
  if(DEFINED ENV{XDG_CACHE_HOME})
    set(sotto_unity_cache "$ENV{XDG_CACHE_HOME}/sotto/unity")
  else()
    set(sotto_unity_cache "$ENV{HOME}/.cache/sotto/unity")
  endif()
  if(NOT EXISTS ${sotto_unity_cache}/src/unity.c)
    message(STATUS "Unity: fetching the source package into ${sotto_unity_cache}")
    execute_process(COMMAND sh ${CMAKE_CURRENT_LIST_DIR}/fetch_unity.sh ${sotto_unity_cache}
      RESULT_VARIABLE sotto_unity_failed OUTPUT_VARIABLE sotto_unity_log ERROR_VARIABLE sotto_unity_log)
    if(sotto_unity_failed)
      message(STATUS "Unity: no source package to be had:\n${sotto_unity_log}")
    endif()
  endif()
  if(EXISTS ${sotto_unity_cache}/src/unity.c)
    set(SOTTO_UNITY_SOURCE ${sotto_unity_cache}/src CACHE PATH "" FORCE)
  endif()
endif()

if(NOT SOTTO_UNITY_SOURCE)
  message(STATUS "Unity: taking ${SOTTO_UNITY_TAG} from upstream")
  include(FetchContent)
  FetchContent_Declare(sotto_unity_upstream GIT_REPOSITORY https://github.com/ThrowTheSwitch/Unity.git
    GIT_TAG ${SOTTO_UNITY_TAG} GIT_SHALLOW ON)
  FetchContent_GetProperties(sotto_unity_upstream)
  if(NOT sotto_unity_upstream_POPULATED)
    FetchContent_Populate(sotto_unity_upstream)
  endif()
  set(SOTTO_UNITY_SOURCE ${sotto_unity_upstream_SOURCE_DIR}/src CACHE PATH "" FORCE)
endif()
message(STATUS "Unity: ${SOTTO_UNITY_SOURCE}")

# Unity is third-party C: it is compiled without the project's warnings.
add_library(sotto_unity STATIC ${SOTTO_UNITY_SOURCE}/unity.c)
target_include_directories(sotto_unity SYSTEM PUBLIC ${SOTTO_UNITY_SOURCE})
target_include_directories(sotto_unity PRIVATE ${PROJECT_SOURCE_DIR}/toolchains/boards)
target_compile_options(sotto_unity PUBLIC "SHELL:-include ${PROJECT_SOURCE_DIR}/toolchains/boards/unity_settings.h"
  PRIVATE -w)
if(SOTTO_BARE_METAL)
  target_compile_options(sotto_unity PRIVATE ${SOTTO_BARE_METAL_OPTIONS})
endif()
