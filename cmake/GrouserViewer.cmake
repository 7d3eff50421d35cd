# The viewer's page becomes part of the program, compressed: see src/view/page_files.h. It is made by npm from viewer/,
# with packages that package-lock.json pins and npm fetches once. AUTO: where npm is found and its packages can be had;
# else the program says in place of the page what is missing.

set(GROUSER_VIEWER AUTO CACHE STRING "Build the viewer's page with npm: ON, OFF or AUTO")
set_property(CACHE GROUSER_VIEWER PROPERTY STRINGS AUTO ON OFF)

if(GROUSER_VIEWER)
  find_program(NPM_PROGRAM npm)
  find_program(NODE_PROGRAM NAMES node nodejs)
endif()
if(GROUSER_VIEWER STREQUAL "ON" AND NOT (NPM_PROGRAM AND NODE_PROGRAM))
  message(FATAL_ERROR "GROUSER_VIEWER=ON needs Node.js with npm (tools/setup.sh --viewer installs them)")
endif()
set(viewer_mode ${GROUSER_VIEWER})
if(NOT (NPM_PROGRAM AND NODE_PROGRAM))
  set(viewer_mode OFF)
endif()

set(viewer_dir ${PROJECT_SOURCE_DIR}/viewer)
file(GLOB_RECURSE viewer_files CONFIGURE_DEPENDS ${viewer_dir}/src/*)
list(APPEND viewer_files ${viewer_dir}/index.html ${viewer_dir}/package.json ${viewer_dir}/package-lock.json
     ${viewer_dir}/vite.config.ts ${viewer_dir}/tsconfig.json)
set(GROUSER_VIEWER_SOURCE ${PROJECT_BINARY_DIR}/generated/page_files.cpp)
add_custom_command(
  OUTPUT ${GROUSER_VIEWER_SOURCE}
  COMMAND ${CMAKE_COMMAND} -D MODE=${viewer_mode} -D SOURCE=${viewer_dir} -D BUILD=${PROJECT_BINARY_DIR}/viewer
          -D NPM=${NPM_PROGRAM} -D NODE=${NODE_PROGRAM} -D OUTPUT=${GROUSER_VIEWER_SOURCE}
          -P ${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake
  DEPENDS ${viewer_files} ${PROJECT_SOURCE_DIR}/cmake/build_viewer.cmake ${PROJECT_SOURCE_DIR}/cmake/embed.cmake
  COMMENT "Building the viewer's page"
  VERBATIM)
