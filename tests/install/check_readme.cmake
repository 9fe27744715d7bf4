# The program of tensorlib/README.md, and its port from LibTorch's headers, as a reader copies them:
# built against the installed package and run.
# usage: cmake -DBUILD=... -DWORK=... -DSOURCE=... -DREADME=... -DEMULATED=0|1 -P check_readme.cmake
include(${SOURCE}/run.cmake)

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/prefix)

# learns(SOURCE): builds what lies there; the program must print the four answers of "exclusive or".
function(learns source)
  run(${CMAKE_COMMAND} -S ${source} -B ${source}/build -G Ninja -DCMAKE_PREFIX_PATH=${WORK}/prefix)
  run(${CMAKE_COMMAND} --build ${source}/build)
  set(answers " *0\n *1\n *1\n *0\n")
  run(${source}/build/learn_xor)
  if(NOT output MATCHES "learned on (cpu|cuda):\n${answers}")
    message(FATAL_ERROR "the program of the README printed:\n${output}")
  endif()
  if(EMULATED)
    run(${CMAKE_COMMAND} -E env XFERCHECK_EMULATE=1 ${source}/build/learn_xor)
    if(NOT output MATCHES "learned on cuda:\n${answers}")
      message(FATAL_ERROR "on an emulated device the program of the README printed:\n${output}")
    endif()
  endif()
endfunction()

extract(${README} CMakeLists.txt ${WORK}/program/CMakeLists.txt)
extract(${README} main.cc ${WORK}/program/main.cc)
learns(${WORK}/program)

# The same program as it was before the port: LibTorch's include, and no namespace of ours.
extract(${README} compat.cmake ${WORK}/unported/compat.cmake)
file(READ ${WORK}/program/CMakeLists.txt lists)
file(WRITE ${WORK}/unported/CMakeLists.txt "${lists}include(compat.cmake)\n")
file(READ ${WORK}/program/main.cc text)
string(REPLACE "<tensorlib/tensorlib.h>" "<torch/torch.h>" text "${text}")
string(REPLACE "namespace torch = tensorlib;\n" "" text "${text}")
file(WRITE ${WORK}/unported/main.cc "${text}")
learns(${WORK}/unported)
