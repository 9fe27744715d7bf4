# The options of the build, and the flags that follow from them.

foreach(part ANALYZER TENSORLIB CUDA KERNELS)
  set(XFER_${part} AUTO CACHE STRING
      "Build this part: AUTO (where its packages are found), ON (fail without them), OFF")
  set_property(CACHE XFER_${part} PROPERTY STRINGS AUTO ON OFF)
endforeach()
option(XFER_TESTS "Build the tests" ${PROJECT_IS_TOP_LEVEL})
option(XFER_BENCH "Build the benchmarks" OFF)
option(XFER_FUZZ "Build the fuzz targets with libFuzzer (clang only)" OFF)
option(XFER_WERROR "Treat warnings as errors" OFF)
set(XFER_SANITIZE "" CACHE STRING
    "Sanitizers for everything built here: address;undefined or thread")
# Code for one GPU and PTX, which newer ones compile when a program starts.
set(XFER_CUDA_ARCHITECTURES "80" CACHE STRING
    "GPU architectures that tensorlib's kernels are built for")

if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_CXX_VISIBILITY_PRESET hidden)
set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/bin)
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib)
set(CMAKE_INSTALL_RPATH "$ORIGIN;$ORIGIN/../${CMAKE_INSTALL_LIBDIR}")

find_program(XFER_CCACHE ccache)
if(XFER_CCACHE)
  # By itself ccache keeps nothing that was compiled with a precompiled header.
  set(CMAKE_CXX_COMPILER_LAUNCHER
      ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${XFER_CCACHE})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${XFER_CCACHE})
endif()

# Warnings for our own code: link it PRIVATE.
add_library(xfer_warnings INTERFACE)
set(old_gnu "$<AND:$<CXX_COMPILER_ID:GNU>,$<VERSION_LESS:$<CXX_COMPILER_VERSION>,13>>")
target_compile_options(xfer_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<CXX_COMPILER_ID:GNU>>:-Wshadow=local>
  $<$<COMPILE_LANGUAGE:CXX>:-Wnon-virtual-dtor>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${XFER_WERROR}>>:-Werror>
  # g++ 12 sees overlaps and bounds in std::string's operator+ that are not there.
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${XFER_WERROR}>,${old_gnu}>:-Wno-error=array-bounds>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${XFER_WERROR}>,${old_gnu}>:-Wno-error=restrict>)

if(XFER_FUZZ)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=fuzzer-no-link>)
endif()
if(XFER_SANITIZE)
  list(JOIN XFER_SANITIZE "," sanitizers)
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizers}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=undefined>)
  add_link_options(-fsanitize=${sanitizers})
endif()
