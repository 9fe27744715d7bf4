# usage: cmake -DCOMPILER=... -DINCLUDE=... -DSOURCE=no_torch_script.cc -DSTANDARD=17|20 -P
#        no_torch_script.cmake
set(compile ${COMPILER} -std=c++${STANDARD} -fsyntax-only -Wall -Wextra -I${INCLUDE}
            -I${INCLUDE}/tensorlib/compat ${SOURCE})

execute_process(COMMAND ${compile} -DWRONG=0 RESULT_VARIABLE result ERROR_VARIABLE output)
if(NOT result EQUAL 0 OR NOT output STREQUAL "")
  message(FATAL_ERROR "a program without TorchScript does not compile:\n${output}")
endif()

foreach(wrong 1 2 3)
  execute_process(COMMAND ${compile} -DWRONG=${wrong} RESULT_VARIABLE result ERROR_VARIABLE output)
  string(REGEX MATCHALL "error: [^\n]*" errors "${output}")
  list(LENGTH errors count)
  if(result EQUAL 0)
    message(SEND_ERROR "WRONG == ${wrong} compiles")
  elseif(NOT errors MATCHES "tensorlib runs no TorchScript")
    message(SEND_ERROR "WRONG == ${wrong}: no reason:\n${output}")
  elseif(NOT output MATCHES "no_torch_script.cc:[0-9]+")
    message(SEND_ERROR "WRONG == ${wrong}: the line of the program is not named:\n${output}")
  elseif(NOT count EQUAL 1)
    message(SEND_ERROR "WRONG == ${wrong}: ${count} errors, where one says all:\n${output}")
  endif()
endforeach()
