# The version source is made anew by every build, but only written when the text changed, so a
# commit costs one small compilation and an unchanged tree costs nothing.

find_package(Git QUIET)
set(GROUSER_VERSION_SOURCE ${PROJECT_BINARY_DIR}/generated/version.cpp)
add_custom_target(grouser_version
  COMMAND ${CMAKE_COMMAND}
          -D VERSION=${PROJECT_VERSION} -D GIT=${GIT_EXECUTABLE}
          -D SOURCE_DIR=${PROJECT_SOURCE_DIR} -D OUTPUT=${GROUSER_VERSION_SOURCE}
          -P ${PROJECT_SOURCE_DIR}/cmake/version.cmake
  BYPRODUCTS ${GROUSER_VERSION_SOURCE}
  COMMENT "Noting the version"
  VERBATIM)
