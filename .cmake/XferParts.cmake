# The parts that are built. This file looks for each part once; the rest of the tree asks
# XFER_HAVE_<PART>.
#
#   rules, runtime   always
#   analyzer         Clang 22 and cereal (XFER_ANALYZER)
#   cuda             the CUDA toolkit, no driver needed: emulator, tracer, tensorlib's kernels
#                    (XFER_CUDA)
#   kernels          LLVM 22: emulated devices run kernels from their PTX (XFER_KERNELS)
#   tensorlib        OpenBLAS and oneDNN (XFER_TENSORLIB)

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(xxhash REQUIRED IMPORTED_TARGET libxxhash)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
pkg_check_modules(lz4 REQUIRED IMPORTED_TARGET liblz4)
pkg_check_modules(dw REQUIRED IMPORTED_TARGET libdw)
pkg_check_modules(zlib REQUIRED IMPORTED_TARGET zlib)
pkg_check_modules(sqlite3 REQUIRED IMPORTED_TARGET sqlite3)

set(XFER_PARTS "")

# xfer_part(NAME found "what is missing and how to get it" "what it builds")
function(xfer_part name found remedy purpose)
  set(have FALSE)
  if(XFER_${name} STREQUAL "OFF")
    set(state "off: XFER_${name}=OFF")
  elseif(${found})
    set(have TRUE)
    set(state "on")
  elseif(XFER_${name} STREQUAL "AUTO")
    set(state "off: ${remedy}")
  else()
    message(FATAL_ERROR "XFER_${name}=ON, but ${remedy}")
  endif()
  set(XFER_HAVE_${name} ${have} PARENT_SCOPE)
  set(XFER_PARTS ${XFER_PARTS} "${purpose}|${state}" PARENT_SCOPE)
endfunction()

function(xfer_print_parts)
  message(STATUS "xfercheck ${PROJECT_VERSION}, ${CMAKE_BUILD_TYPE}:")
  foreach(part IN LISTS XFER_PARTS)
    string(REPLACE "|" ": " line "${part}")
    message(STATUS "  ${line}")
  endforeach()
endfunction()

# Clang's package has no compatible-version rule, so the version is checked by hand.
set(clang_found FALSE)
if(NOT XFER_ANALYZER STREQUAL "OFF")
  find_package(LLVM QUIET CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
  find_package(Clang QUIET CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
  if(NOT Clang_FOUND)
    find_package(LLVM QUIET CONFIG)
    find_package(Clang QUIET CONFIG)
  endif()
  find_package(cereal QUIET)
  if(Clang_FOUND AND LLVM_VERSION_MAJOR EQUAL 22 AND cereal_FOUND)
    set(clang_found TRUE)
  endif()
endif()
xfer_part(ANALYZER clang_found
          "Clang 22 or cereal was not found (Debian: libclang-22-dev llvm-22-dev libcereal-dev)"
          "analyzer (xferlint, clang-tidy plugin)")

set(cuda_found FALSE)
if(NOT XFER_CUDA STREQUAL "OFF")
  # CMake 3.25.1's module fails on a toolkit without nvToolsExt (gone since CUDA 13) for projects
  # that ask for 3.25, so it is told that this one asks for 3.24.
  set(required_version ${CMAKE_MINIMUM_REQUIRED_VERSION})
  set(CMAKE_MINIMUM_REQUIRED_VERSION 3.24)
  find_package(CUDAToolkit 13 QUIET)
  set(CMAKE_MINIMUM_REQUIRED_VERSION ${required_version})
  if(CUDAToolkit_FOUND AND TARGET CUDA::cupti AND CUDAToolkit_NVCC_EXECUTABLE)
    set(cuda_found TRUE)
  elseif(CUDAToolkit_FOUND)
    find_path(XFER_CUPTI_INCLUDE cupti.h HINTS ${CUDAToolkit_INCLUDE_DIRS}
              PATH_SUFFIXES ../extras/CUPTI/include)
    if(XFER_CUPTI_INCLUDE AND CUDAToolkit_NVCC_EXECUTABLE)
      set(cuda_found TRUE)
    endif()
  endif()
endif()
xfer_part(CUDA cuda_found "no CUDA 13 toolkit with nvcc and CUPTI was found (./dev setup installs \
one from PyPI)"
          "CUDA (emulator, tracer, tensorlib's kernels)")
set(XFER_HAVE_TRACER ${XFER_HAVE_CUDA})
if(XFER_HAVE_CUDA)
  set(CMAKE_CUDA_COMPILER ${CUDAToolkit_NVCC_EXECUTABLE} CACHE FILEPATH "nvcc")
  set(CMAKE_CUDA_ARCHITECTURES ${XFER_CUDA_ARCHITECTURES})
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_RUNTIME_LIBRARY Shared)
  enable_language(CUDA)
endif()

set(kernels_found FALSE)
if(XFER_HAVE_CUDA AND NOT XFER_KERNELS STREQUAL "OFF")
  if(NOT LLVM_FOUND)
    find_package(LLVM QUIET CONFIG PATHS /usr/lib/llvm-22 NO_DEFAULT_PATH)
  endif()
  if(LLVM_FOUND AND LLVM_VERSION_MAJOR EQUAL 22)
    set(kernels_found TRUE)
  endif()
endif()
xfer_part(KERNELS kernels_found "LLVM 22 (Debian: llvm-22-dev) or CUDA was not found"
          "kernels from PTX on emulated devices")

set(tensorlib_found FALSE)
if(NOT XFER_TENSORLIB STREQUAL "OFF")
  pkg_check_modules(openblas QUIET IMPORTED_TARGET openblas)
  # oneDNN's own CMake package (Debian's) asks for OpenCL's headers, which its C++ API does not
  # need.
  find_path(XFER_DNNL_INCLUDE oneapi/dnnl/dnnl.hpp)
  find_library(XFER_DNNL_LIBRARY dnnl)
  if(openblas_FOUND AND XFER_DNNL_INCLUDE AND XFER_DNNL_LIBRARY)
    set(tensorlib_found TRUE)
    add_library(DNNL::dnnl UNKNOWN IMPORTED)
    set_target_properties(DNNL::dnnl PROPERTIES IMPORTED_LOCATION ${XFER_DNNL_LIBRARY}
                                                INTERFACE_INCLUDE_DIRECTORIES ${XFER_DNNL_INCLUDE})
  endif()
endif()
xfer_part(TENSORLIB tensorlib_found
          "OpenBLAS or oneDNN was not found (Debian: libopenblas-dev libdnnl-dev)"
          "tensorlib")
