# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# Instructions of a device from the tables of docs/SIZES.md, whose numbers a gate compares with what emulators count.
# Writes OUTPUT: one initialiser {"name", Cortex-M0+, Cortex-M4F} a line, means.
function(sotto_device_counts table output)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${table})
  file(STRINGS ${table} rows REGEX "^\\| `[a-z0-9_]+` \\| [0-9,]+( \\([0-9,]+\\))? \\|")
  set(text "")
  foreach(row IN LISTS rows)
    if(row MATCHES "^\\| `([a-z0-9_]+)` \\| ([0-9,]+)[^|]*\\| [0-9,]+[^|]*\\| ([0-9,]+)[^|]*\\|")
      set(name ${CMAKE_MATCH_1})
      string(REPLACE "," "" small ${CMAKE_MATCH_2})
      string(REPLACE "," "" large ${CMAKE_MATCH_3})
      string(APPEND text "{\"${name}\", ${small}, ${large}},\n")
    endif()
  endforeach()
  file(CONFIGURE OUTPUT ${output} CONTENT "${text}" @ONLY)
endfunction()
