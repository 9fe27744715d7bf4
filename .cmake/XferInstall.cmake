# The CMake package xfercheck: find_package(xfercheck) gives xfercheck::annotate, ::runtime, ::tensorlib,
# as far as they were built.

include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/xfercheck)
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/xfercheckConfig.cmake.in
                              ${PROJECT_BINARY_DIR}/xfercheckConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/xfercheckConfigVersion.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/xfercheckConfig.cmake ${PROJECT_BINARY_DIR}/xfercheckConfigVersion.cmake
        DESTINATION ${package_dir})
install(EXPORT xfercheckTargets NAMESPACE xfercheck:: DESTINATION ${package_dir})
