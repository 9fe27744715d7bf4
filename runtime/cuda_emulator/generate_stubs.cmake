# cmake -D LIBRARY=real.so -D NM=nm -D OUTPUT=stubs.cc -D PREFIX=regex -D CALL=function -P …
# A weak definition of every function that the real library exports: it loses to the emulated one
# where there is one, and else names itself and says that it is not emulated.

execute_process(COMMAND ${NM} -D --defined-only ${LIBRARY} OUTPUT_VARIABLE table
                COMMAND_ERROR_IS_FATAL ANY)
string(REGEX MATCHALL " [TW] ${PREFIX}[A-Za-z0-9_]+" entries "${table}")
list(LENGTH entries count)
if(count EQUAL 0)
  message(FATAL_ERROR "${LIBRARY} exports no function that begins with ${PREFIX}")
endif()
set(text "extern \"C\" {\nint ${CALL}(const char* name);\n")
foreach(entry IN LISTS entries)
  string(SUBSTRING "${entry}" 3 -1 name)
  string(APPEND text "__attribute__((weak)) int ${name}() { return ${CALL}(\"${name}\"); }\n")
endforeach()
file(WRITE ${OUTPUT} "${text}}\n")
