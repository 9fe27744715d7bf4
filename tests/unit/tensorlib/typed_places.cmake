# usage: cmake -DCOMPILER=... -DINCLUDE=... -DSOURCE=typed_places.cc -DSTANDARD=17|20
#              -P typed_places.cmake
set(compile ${COMPILER} -std=c++${STANDARD} -fsyntax-only -Wall -Wextra -I${INCLUDE} ${SOURCE})

execute_process(COMMAND ${compile} -DWRONG=0 RESULT_VARIABLE result ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output STREQUAL "")
  message(FATAL_ERROR "right code is not silent:\n${output}")
endif()

foreach(wrong 1 2 3 4)
  execute_process(COMMAND ${compile} -DWRONG=${wrong} RESULT_VARIABLE result ERROR_VARIABLE output)
  if(result EQUAL 0)
    message(SEND_ERROR "WRONG == ${wrong} compiles")
  elseif(NOT output MATCHES "the operands are on different devices: move one of them first, \
as in x.to<torch::Cuda>\\(\\)")
    message(SEND_ERROR "WRONG == ${wrong}: no reason:\n${output}")
  endif()
  string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
  list(LENGTH errors count)
  if(NOT count EQUAL 1)
    message(SEND_ERROR "WRONG == ${wrong}: ${count} errors, where one says all:\n${output}")
  endif()
endforeach()
