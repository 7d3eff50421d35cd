# Targets made from folders. A new source file needs no edit here, only its folder.

# The flags every target of ours is compiled with. With GROUSER_UNITY a dozen sources make one
# translation unit: most of the time goes into Eigen's and the standard library's headers, which are
# then read once. Names in unnamed namespaces must therefore differ within a folder.
function(grouser_flags target)
  target_compile_options(${target} PRIVATE ${GROUSER_PRIVATE_OPTIONS})
  set_target_properties(${target} PROPERTIES
                        UNITY_BUILD ${GROUSER_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# grouser_layer(<path below src> [OPTIONAL] [FOLDERS <below it>...] [DEPS <public>...]
# [PRIVATE <libraries>...] [SOURCES <files>...]) makes grouser::<name> ("contact/laws" becomes grouser::contact_laws). A layer
# without any .cpp is an interface library, so that a folder may start with headers only. An optional
# layer is not in grouser::grouser; the installed package has it as a component.
function(grouser_layer path)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "OPTIONAL" "" "FOLDERS;DEPS;PRIVATE;SOURCES")
  string(REPLACE "/" "_" name ${path})
  set(target grouser_${name})
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${path}/*.cpp)
  foreach(folder ${ARG_FOLDERS})
    file(GLOB more CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${path}/${folder}/*.cpp)
    list(APPEND sources ${more})
  endforeach()
  list(APPEND sources ${ARG_SOURCES})
  if(sources)
    add_library(${target} STATIC ${sources})
    grouser_flags(${target})
    target_link_libraries(${target} PUBLIC ${ARG_DEPS} PRIVATE ${ARG_PRIVATE})
    set(scope PUBLIC)
  else()
    add_library(${target} INTERFACE)
    target_link_libraries(${target} INTERFACE ${ARG_DEPS})
    set(scope INTERFACE)
  endif()
  target_compile_features(${target} ${scope} cxx_std_20)
  target_compile_options(${target} ${scope} ${GROUSER_PUBLIC_OPTIONS})
  target_include_directories(${target} ${scope}
    $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src>
    $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/grouser>)
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  add_library(grouser::${name} ALIAS ${target})
  set_property(GLOBAL APPEND PROPERTY GROUSER_LAYERS ${path})
  if(ARG_OPTIONAL)
    set_property(GLOBAL APPEND PROPERTY GROUSER_COMPONENTS ${name})
  else()
    set_property(GLOBAL APPEND PROPERTY GROUSER_LAYER_TARGETS ${target})
  endif()
endfunction()

# grouser::grouser stands for all layers declared so far that are not optional.
function(grouser_umbrella)
  get_property(layers GLOBAL PROPERTY GROUSER_LAYER_TARGETS)
  add_library(grouser_all INTERFACE)
  target_link_libraries(grouser_all INTERFACE ${layers})
  set_target_properties(grouser_all PROPERTIES EXPORT_NAME grouser)
  add_library(grouser::grouser ALIAS grouser_all)
endfunction()

# grouser_lab(<path below the top> [DEPS <public>...]) makes grouser::<name> of what proves us right:
# reproductions and benchmarks. The program and the tests link it; users do not, nor is it installed.
# Included from the top of the sources, as "lab/...".
function(grouser_lab path)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "" "" "DEPS")
  string(REPLACE "/" "_" name ${path})
  set(target grouser_${name})
  set(folder ${PROJECT_SOURCE_DIR}/${path})
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  # Other libraries bring macros and names of their own.
  file(GLOB comparisons ${folder}/*_bullet.cpp ${folder}/*_libccd.cpp ${folder}/*_siconos.cpp
       ${folder}/*_simbody.cpp)
  set_source_files_properties(${comparisons} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  add_library(${target} STATIC ${sources})
  grouser_flags(${target})
  target_include_directories(${target} PUBLIC ${PROJECT_SOURCE_DIR})
  target_link_libraries(${target} PUBLIC ${ARG_DEPS})
  add_library(grouser::${name} ALIAS ${target})
endfunction()

# The program, built at the top of the build folder.
function(grouser_program)
  cmake_parse_arguments(PARSE_ARGV 0 ARG "" "" "DEPS")
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/apps/grouser/*.cpp)
  if(NOT sources)
    return()
  endif()
  add_executable(grouser ${sources})
  grouser_flags(grouser)
  # Command lines need no speed, and these headers take longer than all else in their files.
  target_compile_options(grouser PRIVATE $<$<CONFIG:Release>:-O1>)
  target_precompile_headers(grouser PRIVATE <CLI/CLI.hpp> <nlohmann/json.hpp> <fmt/format.h>)
  target_link_libraries(grouser PRIVATE ${ARG_DEPS})
  set_target_properties(grouser PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR})
endfunction()
