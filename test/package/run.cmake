# Installs the build into a fresh prefix; then an outside project builds the examples of the docs with it, and each
# must print what the docs say. With the static library one of them is built again.
# cmake -D BUILD_DIR= -D SOURCE_DIR= -D COMPILER= -D PYTHON= -D PYTHON_OF_PACKAGE= -P run.cmake

set(work ${BUILD_DIR}/package-test)
file(REMOVE_RECURSE ${work})

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)

file(GLOB_RECURSE headers RELATIVE ${work}/prefix/include ${work}/prefix/include/*)
list(LENGTH headers count)
if(count GREATER 8)
  message(FATAL_ERROR "more than eight headers are installed: ${headers}")
endif()
file(GLOB shared ${work}/prefix/lib*/libgrouser.so ${work}/prefix/lib/*/libgrouser.so)
execute_process(COMMAND nm -DC --defined-only ${shared} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
set(ours "[0-9a-f]+ [A-Z] (typeinfo for |typeinfo name for |vtable for )?grouser::")
string(REGEX REPLACE "${ours}[^\n]*\n" "" others "${symbols}")
string(REGEX REPLACE "[0-9a-f]+ T grouser_[a-z0-9_]+\n" "" others "${others}")
string(REGEX MATCH "${ours}internal::[^\n]*" inner "${symbols}")
if(others OR inner)
  message(FATAL_ERROR "libgrouser.so shows more than the public face: ${others}${inner}")
endif()

# The package of Python, if there is one, finds the library where they are installed.
file(GLOB module ${work}/prefix/lib/python3/dist-packages/grouser/_core*.so)
if(module)
  execute_process(COMMAND ${CMAKE_COMMAND} -E env PYTHONPATH=${work}/prefix/lib/python3/dist-packages
                          ${PYTHON_OF_PACKAGE} -c "import grouser; print(grouser.World.builtin('terra'))"
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
endif()

function(build link examples)
  execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR} -B ${work}/${link}
                          -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_CXX_COMPILER=${COMPILER}
                          -D CMAKE_BUILD_TYPE=Debug -D EXAMPLES=${examples} -D LINK=${link}
                  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/${link} COMMAND_ERROR_IS_FATAL ANY)
  file(GLOB programs ${examples}/*.cpp ${examples}/*.c)
  foreach(program IN LISTS programs)
    cmake_path(GET program STEM name)
    execute_process(COMMAND ${work}/${link}/${name} WORKING_DIRECTORY ${work}
                    OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
    file(READ ${examples}/${name}.txt expected)
    if(NOT output STREQUAL expected)
      message(FATAL_ERROR "${name} printed:\n${output}instead of:\n${expected}")
    endif()
  endforeach()
endfunction()

set(top ${SOURCE_DIR}/../..)
execute_process(COMMAND ${PYTHON} -B ${SOURCE_DIR}/examples.py ${work}/examples ${top}/docs/cpp.md
                        ${top}/docs/c.md ${top}/README.md
                COMMAND_ERROR_IS_FATAL ANY)
foreach(file c txt)
  file(COPY_FILE ${top}/examples/c/collisions.${file} ${work}/examples/c_collisions.${file})
endforeach()
file(COPY ${work}/examples/contacts.cpp ${work}/examples/contacts.txt DESTINATION ${work}/one)
build(grouser ${work}/examples)
build(static ${work}/one)
