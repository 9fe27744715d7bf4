# Unpacks the Debian packages into a folder, and uses tensorlib from there.
# usage: cmake -DDIST=... -DWORK=... -DSOURCE=... -P check_deb.cmake
include(${SOURCE}/run.cmake)

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
file(GLOB tools ${DIST}/xfercheck_*.deb)
file(GLOB library ${DIST}/xfercheck-tensorlib-dev_*.deb)
run(dpkg-deb --field ${library} Depends)
if(NOT output MATCHES "libopenblas0" OR NOT output MATCHES "libc6" OR
   NOT output MATCHES "xfercheck \\(=")
  message(FATAL_ERROR "the package does not depend on what its libraries link to:\n${output}")
endif()
run(dpkg-deb --extract ${tools} ${WORK}/unpacked)
run(dpkg-deb --extract ${library} ${WORK}/unpacked)
run(${CMAKE_COMMAND} -S ${SOURCE}/consumer -B ${WORK}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${WORK}/unpacked/usr -DCMAKE_CXX_STANDARD=20)
run(${CMAKE_COMMAND} --build ${WORK}/build --target consumer)
run(${WORK}/build/consumer)
if(NOT output MATCHES "\\[3, 2\\] on (cpu|cuda:0)")
  message(FATAL_ERROR "the consumer printed:\n${output}")
endif()
