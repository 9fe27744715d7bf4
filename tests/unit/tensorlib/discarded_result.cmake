# usage: cmake -DCOMPILER=... -DINCLUDE=... -DSOURCE=discarded_result.cc -DSTANDARD=17|20 -P
#        discarded_result.cmake
# Both as a project's own headers and as those of a library, which are where compilers are quiet.
file(STRINGS ${SOURCE} lines)
foreach(folder -I -isystem)
  set(compile ${COMPILER} -std=c++${STANDARD} -fsyntax-only -Wall -Wextra -Wpedantic
              ${folder} ${INCLUDE} ${SOURCE})

  execute_process(COMMAND ${compile} RESULT_VARIABLE result ERROR_VARIABLE output)
  if(NOT result EQUAL 0 OR NOT output STREQUAL "")
    message(FATAL_ERROR "${folder}: right code is not silent:\n${output}")
  endif()

  execute_process(COMMAND ${compile} -DWRONG RESULT_VARIABLE result ERROR_VARIABLE output)
  set(number 0)
  foreach(line IN LISTS lines)
    math(EXPR number "${number} + 1")
    string(REGEX MATCH "discarded_result.cc:${number}:[0-9]+: warning: [^\n]*" warning "${output}")
    if(line MATCHES "// DISCARDED")
      if(NOT warning MATCHES "nodiscard")
        message(SEND_ERROR "${folder}, line ${number}: no warning: ${line}")
      elseif(NOT warning MATCHES "is the result|changes nothing else")
        message(SEND_ERROR "${folder}, line ${number}: no reason: ${warning}")
      endif()
    elseif(warning)
      message(SEND_ERROR "${folder}, line ${number}: ${warning}")
    endif()
  endforeach()
endforeach()
