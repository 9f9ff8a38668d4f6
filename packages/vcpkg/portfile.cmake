# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# An overlay port of the device library. Untested: no vcpkg here. vcpkg install sotto-device --overlay-ports=packages/vcpkg
cmake_path(SET SOURCE_PATH NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../..")
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}" OPTIONS -DSOTTO_BUILD_ANALYZER=OFF -DSOTTO_BUILD_TESTS=OFF)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME sotto CONFIG_PATH lib/cmake/sotto)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
