# Makes the Debian package, unpacks it into a folder, and uses tensorlib from there.
# usage: cmake -DBUILD=... -DWORK=... -DSOURCE=... -DCPACK=... -P check_deb.cmake
include(${SOURCE}/run.cmake)

file(REMOVE_RECURSE ${WORK})
# Of what is installed: cpack by itself would build whatever is not.
run(${CMAKE_COMMAND} --install ${BUILD} --prefix ${WORK}/staged --strip)
file(WRITE ${WORK}/cpack.cmake "include(${BUILD}/CPackConfig.cmake)
set(CPACK_INSTALL_CMAKE_PROJECTS)
set(CPACK_INSTALLED_DIRECTORIES ${WORK}/staged usr)
")
run(${CPACK} -G DEB --config ${WORK}/cpack.cmake -B ${WORK}/packages)
file(GLOB package ${WORK}/packages/xfercheck_*.deb)
if(NOT package)
  message(FATAL_ERROR "cpack made no package:\n${output}")
endif()
run(dpkg-deb --field ${package} Depends)
if(NOT output MATCHES "libopenblas0" OR NOT output MATCHES "libc6")
  message(FATAL_ERROR "the package does not depend on what its libraries link to:\n${output}")
endif()
run(dpkg-deb --extract ${package} ${WORK}/unpacked)
run(${CMAKE_COMMAND} -S ${SOURCE}/consumer -B ${WORK}/build -G Ninja
    -DCMAKE_PREFIX_PATH=${WORK}/unpacked/usr -DCMAKE_CXX_STANDARD=20)
run(${CMAKE_COMMAND} --build ${WORK}/build --target consumer)
run(${WORK}/build/consumer)
if(NOT output MATCHES "\\[3, 2\\] on (cpu|cuda:0)")
  message(FATAL_ERROR "the consumer printed:\n${output}")
endif()
