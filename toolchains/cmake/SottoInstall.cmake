# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# Install rules: libraries, headers, a CMake package with the components device and analyzer, pkg-config files, and the
# toolchain files. Each component installs alone: cmake --install <build> --component device.
include_guard()
include(CMakePackageConfigHelpers)

set(sotto_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/sotto)

install(TARGETS sotto_shared sotto_device EXPORT sotto_device_targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT device)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/shared/include/ ${PROJECT_SOURCE_DIR}/device/include/
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT device)
if(TARGET sotto_posix)
  install(TARGETS sotto_posix EXPORT sotto_device_targets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT device)
  install(FILES ${PROJECT_SOURCE_DIR}/device/ports/posix/sotto_posix.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT device)
endif()
if(TARGET sotto_agent)
  install(TARGETS sotto_agent RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT device)
endif()
install(EXPORT sotto_device_targets NAMESPACE sotto:: DESTINATION ${sotto_package_dir} FILE sotto-device.cmake
  COMPONENT device)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR} COMPONENT device)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/toolchains/ DESTINATION ${CMAKE_INSTALL_DATADIR}/sotto/toolchains
  COMPONENT device FILES_MATCHING PATTERN "*.cmake"
  PATTERN boards EXCLUDE PATTERN cmake EXCLUDE PATTERN gates EXCLUDE)

# A package config per component, so that one prefix may hold a device library only.
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/sotto-config.cmake.in
  ${PROJECT_BINARY_DIR}/package/sotto-config.cmake INSTALL_DESTINATION ${sotto_package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/package/sotto-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/package/sotto-config.cmake ${PROJECT_BINARY_DIR}/package/sotto-config-version.cmake
  DESTINATION ${sotto_package_dir} COMPONENT device)

# The prefix is relative to the .pc file, so that an installation can be moved.
cmake_path(RELATIVE_PATH CMAKE_INSTALL_PREFIX
  BASE_DIRECTORY ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig OUTPUT_VARIABLE sotto_pc_prefix)
configure_file(${CMAKE_CURRENT_LIST_DIR}/sotto-device.pc.in ${PROJECT_BINARY_DIR}/package/sotto-device.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/package/sotto-device.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
  COMPONENT device)
if(TARGET sotto_posix)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/sotto-posix.pc.in ${PROJECT_BINARY_DIR}/package/sotto-posix.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/sotto-posix.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT device)
endif()

if(TARGET sotto_analyzer)
  install(TARGETS sotto_analyzer sotto_cli EXPORT sotto_analyzer_targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT analyzer
    RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT analyzer)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/analyzer/include/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT analyzer)
  install(EXPORT sotto_analyzer_targets NAMESPACE sotto:: DESTINATION ${sotto_package_dir} FILE sotto-analyzer.cmake
    COMPONENT analyzer)
  install(FILES ${CMAKE_CURRENT_LIST_DIR}/FindSodium.cmake DESTINATION ${sotto_package_dir} COMPONENT analyzer)
  set(sotto_pc_mqtt)
  if(SOTTO_MOSQUITTO)
    set(sotto_pc_mqtt " libmosquitto")
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/sotto-analyzer.pc.in ${PROJECT_BINARY_DIR}/package/sotto-analyzer.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/package/sotto-analyzer.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig
    COMPONENT analyzer)
endif()
