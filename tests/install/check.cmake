# Installs the build tree into a prefix of its own, builds the consumer against that prefix, moves
# the prefix (it must be relocatable) and runs the consumer there.
# usage: cmake -DBUILD=... -DWORK=... -DSOURCE=... -DEMULATED=0|1 -DTRACED=0|1 -P check.cmake
include(${SOURCE}/run.cmake)

file(REMOVE_RECURSE ${WORK})
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/first)
file(RENAME ${WORK}/first ${WORK}/prefix)
run(${CMAKE_COMMAND} -S ${SOURCE}/consumer -B ${WORK}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${WORK}/prefix -DCMAKE_CXX_STANDARD=17)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
if(NOT output MATCHES "\\[3, 2\\] on (cpu|cuda:0)")
  message(FATAL_ERROR "the consumer printed:\n${output}")
endif()
file(GLOB pc ${WORK}/prefix/*/pkgconfig/tensorlib.pc ${WORK}/prefix/*/*/pkgconfig/tensorlib.pc)
if(NOT pc)
  message(FATAL_ERROR "no tensorlib.pc was installed")
endif()
cmake_path(GET pc PARENT_PATH libdir)
cmake_path(GET libdir PARENT_PATH libdir)
run_by_pkg_config(${WORK}/prefix ${libdir} ${SOURCE} ${WORK})
if(EMULATED)
  run(${CMAKE_COMMAND} -E env XFERCHECK_EMULATE=1 ${WORK}/build/consumer)
  if(NOT output MATCHES "\\[3, 2\\] on cuda:0")
    message(FATAL_ERROR "on an emulated device the consumer printed:\n${output}")
  endif()
endif()
if(TRACED)
  run(${CMAKE_COMMAND} -E env XFERCHECK_REQUIRED=1
      ${WORK}/prefix/bin/xfertrace --emulate ${WORK}/build/transfers_test)
endif()
# Nobody counts: not passed, and not failed.
run(${WORK}/build/transfers_test)
if(NOT output MATCHES "Transfers were not checked.*SKIPPED")
  message(FATAL_ERROR "without xfertrace the test printed:\n${output}")
endif()
