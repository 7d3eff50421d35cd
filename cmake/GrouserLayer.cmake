# Targets made from folders. A new source file needs no edit here, only its folder.

# The flags every target of ours is compiled with. With GROUSER_UNITY a dozen sources make one
# translation unit: most of the time goes into Eigen's and the standard library's headers, which are
# then read once. Names in unnamed namespaces must therefore differ within a folder.
function(grouser_flags target)
  target_compile_options(${target} PRIVATE ${GROUSER_PRIVATE_OPTIONS})
  set_target_properties(${target} PROPERTIES
                        UNITY_BUILD ${GROUSER_UNITY} UNITY_BUILD_BATCH_SIZE 12)
endfunction()

# grouser_layer(<path below src> [OPTIONAL] [FROM <folder>] [FOLDERS <below it>...] [DEPS <public>...]
# [PRIVATE <libraries>...] [SOURCES <files>...]) makes grouser::<name> ("contact/laws" becomes grouser::contact_laws). FROM is
# where its sources are if not in its folder below src. A layer without any .cpp is an interface library, so that a folder may start with headers only. An optional
# layer serves the program alone and is not in the library that others link.
function(grouser_layer path)
  cmake_parse_arguments(PARSE_ARGV 1 ARG "OPTIONAL" "FROM" "FOLDERS;DEPS;PRIVATE;SOURCES")
  string(REPLACE "/" "_" name ${path})
  set(target grouser_${name})
  set(home src/${path})
  if(ARG_FROM)
    set(home ${ARG_FROM})
  endif()
  file(GLOB sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${home}/*.cpp)
  foreach(folder ${ARG_FOLDERS})
    file(GLOB more CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${home}/${folder}/*.cpp)
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
  target_include_directories(${target} ${scope} ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/include)
  add_library(grouser::${name} ALIAS ${target})
  set_property(GLOBAL APPEND PROPERTY GROUSER_LAYERS ${path})
  if(sources AND NOT ARG_OPTIONAL)
    set_property(GLOBAL APPEND PROPERTY GROUSER_OBJECTS $<TARGET_OBJECTS:${target}>)
    list(FILTER ARG_DEPS EXCLUDE REGEX "^grouser::")
    set_property(GLOBAL APPEND PROPERTY GROUSER_THIRD_PARTY ${ARG_DEPS} ${ARG_PRIVATE})
  endif()
endfunction()

# What others link: grouser::grouser, a shared library that shows include/grouser and hides all else, and
# grouser::static. Both are made of the objects of all layers declared so far that are not optional.
function(grouser_libraries)
  get_property(objects GLOBAL PROPERTY GROUSER_OBJECTS)
  get_property(third_party GLOBAL PROPERTY GROUSER_THIRD_PARTY)
  list(REMOVE_DUPLICATES third_party)
  foreach(kind shared static)
    string(TOUPPER ${kind} type)
    add_library(grouser_${kind} ${type} ${objects})
    target_link_libraries(grouser_${kind} PRIVATE ${third_party})
    target_compile_features(grouser_${kind} INTERFACE cxx_std_20)
    target_include_directories(grouser_${kind} INTERFACE
      $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
      $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
    set_target_properties(grouser_${kind} PROPERTIES OUTPUT_NAME grouser LINKER_LANGUAGE CXX)
  endforeach()
  set_target_properties(grouser_shared PROPERTIES EXPORT_NAME grouser VERSION ${PROJECT_VERSION}
                        SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})
  set_target_properties(grouser_static PROPERTIES EXPORT_NAME static)
  target_link_options(grouser_shared PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/grouser.map)
  set_target_properties(grouser_shared PROPERTIES LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/grouser.map)
  add_library(grouser::grouser ALIAS grouser_shared)
  add_library(grouser::static ALIAS grouser_static)
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
