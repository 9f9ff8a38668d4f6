# SPDX-License-Identifier: Apache-2.0
# Copyright The Sotto Authors

# sotto_add_warnings(<target>)        the project's warnings
# sotto_add_hosted_warnings(<target>) the same for the analyzer and the host's tests
# sotto_make_freestanding(<target>)   the rules of code that runs on devices, on every target including the host
# sotto_make_embeddable(<target>)     SOTTO_PIC and SOTTO_HIDDEN: what a shared library asks of the archives in it
include_guard()

function(sotto_add_warnings target)
  target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion -Wshadow
    $<$<BOOL:${SOTTO_WERROR}>:-Werror>)
endfunction()

# Hosted code. GCC 12 and 13 warn wrongly about libstdc++'s own strings (GCC bug 105651) and about initialised values in
# Boost. In Clang -Wconversion includes changes of sign, which in GCC for C++ it does not, and versions of libstdc++ differ in
# the signedness of std::bit_width.
function(sotto_add_hosted_warnings target)
  sotto_add_warnings(${target})
  target_compile_options(${target} PRIVATE "$<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-maybe-uninitialized>"
    $<$<CXX_COMPILER_ID:Clang>:-Wno-sign-conversion>)
endfunction()

# Bare metal, library and tests alike. One section per function: the linker drops what is not called.
set(SOTTO_BARE_METAL_OPTIONS
  -ffreestanding -ffunction-sections -fdata-sections -fno-common -fno-unwind-tables -fno-asynchronous-unwind-tables
  $<$<COMPILE_LANGUAGE:CXX>:-fno-exceptions>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-rtti>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-threadsafe-statics>
  $<$<COMPILE_LANGUAGE:CXX>:-fno-use-cxa-atexit>)

# With -mgeneral-regs-only any use of floating point is a compile error. The option exists only for cores with an FPU; on
# the others the symbol gate finds the soft-float helpers.
set(SOTTO_NO_FLOAT_OPTION "")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(aarch64|arm64)$")
  set(SOTTO_NO_FLOAT_OPTION -mgeneral-regs-only)
elseif(CMAKE_SYSTEM_PROCESSOR MATCHES "^arm")
  include(CheckCXXSourceCompiles)
  block()
    set(CMAKE_REQUIRED_FLAGS -ffreestanding)
    set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY)
    check_cxx_source_compiles("#ifndef __ARM_FP\n#error no FPU\n#endif\nint main() {}" SOTTO_HAS_ARM_FPU)
    check_cxx_source_compiles("#ifndef __thumb2__\n#error no Thumb-2\n#endif\nint main() {}" SOTTO_HAS_THUMB2)
  endblock()
  if(SOTTO_HAS_ARM_FPU)
    set(SOTTO_NO_FLOAT_OPTION -mgeneral-regs-only)
  endif()
endif()

function(sotto_make_embeddable target)
  if(SOTTO_PIC)
    set_target_properties(${target} PROPERTIES POSITION_INDEPENDENT_CODE ON)
  endif()
  if(SOTTO_HIDDEN)
    set_target_properties(${target} PROPERTIES C_VISIBILITY_PRESET hidden CXX_VISIBILITY_PRESET hidden
      VISIBILITY_INLINES_HIDDEN ON)
  endif()
endfunction()

function(sotto_make_freestanding target)
  sotto_make_embeddable(${target})
  target_compile_options(${target} PRIVATE
    -ffreestanding -fno-exceptions -fno-rtti -fno-threadsafe-statics -ffunction-sections -fdata-sections
    ${SOTTO_NO_FLOAT_OPTION} -Wsign-conversion)
  if(SOTTO_BARE_METAL)
    target_compile_options(${target} PRIVATE ${SOTTO_BARE_METAL_OPTIONS})
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
      # For size: small cores gain nothing from scheduling, and scheduling and saving registers around calls lead to longer
      # instructions. The dominator pass duplicates code behind a test into both branches. Registers are allocated loop by
      # loop where they are few, and for the whole function on Thumb-2.
      set(registers -fira-region=mixed)
      if(SOTTO_HAS_THUMB2)
        set(registers -fira-region=one -fno-ira-hoist-pressure)
      endif()
      target_compile_options(${target} PRIVATE -fno-schedule-insns2 -fno-caller-saves -fno-tree-dominator-opts
        ${registers} -fstack-usage -fcallgraph-info=su)
    endif()
  endif()
  # Fat objects also contain machine code, for those who link without -flto or with another compiler, and for the gates. One
  # partition is enough for a library of this size, and GCC warns about several. The code that is made at link time is put into
  # one section a function again, so that the linker can drop what only the firmware's unused code names.
  if(SOTTO_LTO AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE -flto -ffat-lto-objects)
    set(same_compiler "$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_EQUAL:$<CXX_COMPILER_VERSION>,${CMAKE_CXX_COMPILER_VERSION}>>")
    # What pointers point to is analysed across functions: a firmware that answers every question gets 90 bytes smaller.
    target_link_options(${target} INTERFACE "$<${same_compiler}:-flto;-flto-partition=one;-fipa-pta;-ffunction-sections>")
  endif()
  sotto_add_warnings(${target})
endfunction()
