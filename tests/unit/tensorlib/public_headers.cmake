# Each public header compiles by itself, and all of them together: in C++17 and C++20, without a
# warning.
# usage: cmake -DCOMPILER=... -DSTANDARD=17|20 -DINCLUDE=... -DWORK=... [-DEACH=ON]
#              -P public_headers.cmake
file(GLOB_RECURSE headers RELATIVE ${INCLUDE} ${INCLUDE}/tensorlib/*.h)
list(FILTER headers EXCLUDE REGEX "^tensorlib/compat/")
list(LENGTH headers count)
if(count LESS 50)
  message(FATAL_ERROR "${count} headers in ${INCLUDE}: that cannot be all")
endif()

function(compile name text)
  file(WRITE ${WORK}/${name}.cc "${text}")
  execute_process(COMMAND ${COMPILER} -std=c++${STANDARD} -fsyntax-only -Wall -Wextra -Wpedantic
                          -I${INCLUDE} ${WORK}/${name}.cc
                  RESULT_VARIABLE result ERROR_VARIABLE output)
  if(NOT result EQUAL 0 OR NOT output STREQUAL "")
    message(SEND_ERROR "${name}:\n${output}")
  endif()
endfunction()

set(all "")
foreach(header IN LISTS headers)
  string(APPEND all "#include <${header}>\n")
  if(EACH)
    string(MAKE_C_IDENTIFIER ${header} name)
    compile(${name} "#include <${header}>\n")
  endif()
endforeach()
compile(all "${all}")
