# The built-in rovers and scenes, and what the schema of scenes is made from, become part of the library: see
# src/scene/builtin_files.h.

file(GLOB rovers CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/data/rovers/*.yaml)
file(GLOB scenes CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/scenes/*.yaml)
set(embedded_files ${rovers} ${scenes} ${PROJECT_SOURCE_DIR}/src/scene/schema_skeleton.json)

set(GROUSER_EMBEDDED_SOURCE ${PROJECT_BINARY_DIR}/generated/builtin_files.cpp)
set(embedded_list ${PROJECT_BINARY_DIR}/generated/builtin_files.txt)
# Depending on the list as well rebuilds after a file was removed, not only after a change.
list(JOIN embedded_files "\n" embedded_text)
file(CONFIGURE OUTPUT ${embedded_list} CONTENT "@embedded_text@" @ONLY)

add_custom_command(
  OUTPUT ${GROUSER_EMBEDDED_SOURCE}
  COMMAND ${CMAKE_COMMAND} -D LIST=${embedded_list} -D OUTPUT=${GROUSER_EMBEDDED_SOURCE}
          -P ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  DEPENDS ${embedded_files} ${embedded_list} ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Embedding built-in rovers and scenes"
  VERBATIM)
