# cmake --install: program, static libraries, headers, and a package for find_package(grouser).

include(CMakePackageConfigHelpers)

get_property(layers GLOBAL PROPERTY GROUSER_LAYER_TARGETS)
install(TARGETS ${layers} grouser_all EXPORT grouserTargets)
get_property(components GLOBAL PROPERTY GROUSER_COMPONENTS)
foreach(component IN LISTS components)
  install(TARGETS grouser_${component} EXPORT grouser_${component})
endforeach()
if(TARGET grouser)
  install(TARGETS grouser)
endif()

install(DIRECTORY src/ DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/grouser
        FILES_MATCHING PATTERN "*.h")

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/grouser)
install(EXPORT grouserTargets NAMESPACE grouser:: DESTINATION ${package_dir})
foreach(component IN LISTS components)
  install(EXPORT grouser_${component} NAMESPACE grouser:: DESTINATION ${package_dir})
endforeach()
configure_package_config_file(cmake/grouserConfig.cmake.in
  ${PROJECT_BINARY_DIR}/generated/grouserConfig.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(
  ${PROJECT_BINARY_DIR}/generated/grouserConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/generated/grouserConfig.cmake
              ${PROJECT_BINARY_DIR}/generated/grouserConfigVersion.cmake
        DESTINATION ${package_dir})
