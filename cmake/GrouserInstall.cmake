# cmake --install: program, shared and static library, public headers, and a package for find_package(grouser).

include(CMakePackageConfigHelpers)

install(TARGETS grouser_shared EXPORT grouserTargets)
install(TARGETS grouser_static EXPORT grouserStatic)
if(TARGET grouser)
  install(TARGETS grouser)
endif()
install(DIRECTORY include/grouser DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/grouser)
foreach(set grouserTargets grouserStatic)
  install(EXPORT ${set} NAMESPACE grouser:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/grouserConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/grouserConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/generated/grouserConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/grouserConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/grouserConfigVersion.cmake
        DESTINATION ${package_dir})
