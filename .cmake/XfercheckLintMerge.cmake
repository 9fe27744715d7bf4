# Merges facts: once for each file that is wanted, and once for people, which decides.
# usage: cmake -DXFERLINT=... -DFAIL_ON=... [-DSARIF=...] [-DJSON=...] [-DHTML=...]
#              -P XfercheckLintMerge.cmake -- ARGUMENTS

set(arguments)
set(found FALSE)
math(EXPR last "${CMAKE_ARGC} - 1")
foreach(i RANGE ${last})
  if(found)
    list(APPEND arguments "${CMAKE_ARGV${i}}")
  elseif("${CMAKE_ARGV${i}}" STREQUAL "--")
    set(found TRUE)
  endif()
endforeach()
if(NOT FAIL_ON STREQUAL "never")
  list(PREPEND arguments --fail-on ${FAIL_ON})
endif()

foreach(format SARIF JSON HTML)
  if(${format})
    string(TOLOWER ${format} name)
    execute_process(COMMAND ${XFERLINT} ${arguments} --format ${name} -o ${${format}}
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE problem)
    if(NOT result MATCHES "^[013]$")
      message(FATAL_ERROR "${problem}")
    endif()
  endif()
endforeach()
execute_process(COMMAND ${XFERLINT} ${arguments} RESULT_VARIABLE result)
if(NOT result EQUAL 0 AND NOT (FAIL_ON STREQUAL "never" AND result EQUAL 1))
  message(FATAL_ERROR "xferlint: exit code ${result}")
endif()
