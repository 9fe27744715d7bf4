# The CMake package xfercheck: find_package(xfercheck) gives xfercheck::annotate, ::runtime,
# ::tensorlib, as far as they were built. tensorlib.pc says the same of tensorlib to pkg-config, and
# ./dev deb makes Debian packages of all that is installed.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/xfercheck)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/xfercheckConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/xfercheckConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xfercheckConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/xfercheckConfig.cmake
              ${PROJECT_BINARY_DIR}/xfercheckConfigVersion.cmake
        DESTINATION ${package_dir} COMPONENT lint)
if(XFER_HAVE_ANALYZER)
  # xfercheck_lint() and Bazel's aspect, which need xferlint alone.
  foreach(file Lint LintAll LintMerge LintTwin)
    install(FILES ${CMAKE_CURRENT_LIST_DIR}/Xfercheck${file}.cmake DESTINATION ${package_dir}
            COMPONENT lint)
  endforeach()
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/analyzer/bazel
          DESTINATION ${CMAKE_INSTALL_DATADIR}/xfercheck COMPONENT lint)
endif()
install(EXPORT xfercheckAnnotateTargets NAMESPACE xfercheck:: DESTINATION ${package_dir}
        COMPONENT lint)
install(EXPORT xfercheckTargets NAMESPACE xfercheck:: DESTINATION ${package_dir}
        COMPONENT library)

if(XFER_HAVE_TENSORLIB)
  # Relative to the file itself: the installation can be moved.
  set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
  file(RELATIVE_PATH XFER_PC_TO_PREFIX /prefix/${pc_dir} /prefix)
  configure_file(${CMAKE_CURRENT_LIST_DIR}/tensorlib.pc.in ${PROJECT_BINARY_DIR}/tensorlib.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/tensorlib.pc DESTINATION ${pc_dir} COMPONENT library)
endif()

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME xfercheck)
set(CPACK_PACKAGE_CONTACT "The xfercheck developers")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "finds device misuse in C++ and CUDA programs")
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_COMPRESSION_TYPE zstd)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_ALL tools lint python plugin library)
set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME xfercheck)
set(CPACK_DEBIAN_PLUGIN_PACKAGE_NAME xfercheck-clang-tidy)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME xfercheck-tensorlib-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS "xfercheck (= ${PROJECT_VERSION})")
# CPack looks up linked libraries in the installed packages. The CUDA runtime is in none where the
# toolkit came from elsewhere: then its folder is named.
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${PROJECT_BINARY_DIR}/lib
                                                ${PROJECT_BINARY_DIR}/lib/emulator)
if(XFER_HAVE_CUDA)
  list(APPEND CPACK_DEBIAN_PACKAGE_SHLIBDEPS_PRIVATE_DIRS ${CUDAToolkit_LIBRARY_DIR})
endif()
include(CPack)
cpack_add_component_group(tools)
cpack_add_component(tools GROUP tools)
cpack_add_component(lint GROUP tools)
cpack_add_component(python GROUP tools)
