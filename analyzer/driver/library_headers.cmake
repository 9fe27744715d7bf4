# For machines without a compiler: the headers of the C and the C++ library that this compiler uses,
# as Debian's packages have them, are installed below lib/xfercheck/headers as below /usr/include.
# Elsewhere nothing is; xferlint then needs a C++ library on the machine.

set(headers_of "")
find_program(XFER_DPKG_QUERY dpkg-query)
if(CMAKE_CXX_COMPILER_ID STREQUAL GNU AND XFER_DPKG_QUERY)
  string(REGEX MATCH "^[0-9]+" gcc ${CMAKE_CXX_COMPILER_VERSION})
  set(headers_of libstdc++-${gcc}-dev libc6-dev linux-libc-dev)
  execute_process(COMMAND ${XFER_DPKG_QUERY} -L ${headers_of}
                  RESULT_VARIABLE result OUTPUT_VARIABLE listed ERROR_QUIET)
  if(NOT result EQUAL 0)
    set(headers_of "")
  endif()
endif()
if(NOT headers_of)
  message(STATUS "no headers of a C++ library are installed beside xferlint: they are taken from "
                 "Debian's libstdc++-*-dev")
  return()
endif()

string(REGEX MATCHALL "/usr/include/[^\n]+" listed "${listed}")
set(files "")
foreach(file IN LISTS listed)
  if(NOT IS_DIRECTORY ${file})
    string(APPEND files "${file}\n")
  endif()
endforeach()
file(WRITE ${CMAKE_CURRENT_BINARY_DIR}/library_headers.txt "${files}")
set(headers ${CMAKE_INSTALL_LIBDIR}/xfercheck/headers)
install(CODE "
  file(STRINGS \"${CMAKE_CURRENT_BINARY_DIR}/library_headers.txt\" files)
  foreach(file IN LISTS files)
    cmake_path(RELATIVE_PATH file BASE_DIRECTORY /usr/include OUTPUT_VARIABLE name)
    cmake_path(GET name PARENT_PATH folder)
    file(INSTALL \${file} DESTINATION \"\${CMAKE_INSTALL_PREFIX}/${headers}/\${folder}\"
         MESSAGE_NEVER FOLLOW_SYMLINK_CHAIN)
  endforeach()")
foreach(package IN LISTS headers_of)
  install(FILES /usr/share/doc/${package}/copyright DESTINATION ${headers}/copyright
          RENAME ${package} OPTIONAL)
endforeach()
