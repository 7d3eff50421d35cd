# Installs the build into a fresh prefix, then configures, builds and runs the outside project, with and without components.
# cmake -D BUILD_DIR= -D SOURCE_DIR= -D COMPILER= -D VERSION= -P run.cmake

set(work ${BUILD_DIR}/package-test)
file(REMOVE_RECURSE ${work})

execute_process(COMMAND ${CMAKE_COMMAND} --install ${BUILD_DIR} --prefix ${work}/prefix
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -G Ninja -S ${SOURCE_DIR} -B ${work}/build
                        -D CMAKE_PREFIX_PATH=${work}/prefix -D CMAKE_CXX_COMPILER=${COMPILER}
                        -D CMAKE_BUILD_TYPE=Release
                OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} --build ${work}/build COMMAND_ERROR_IS_FATAL ANY)
function(expect_output program expected)
  execute_process(COMMAND ${work}/build/${program} OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  if(NOT output STREQUAL "${expected}")
    message(FATAL_ERROR "${program} printed: ${output}")
  endif()
endfunction()
expect_output(outside "${VERSION}\ndrove\n")
expect_output(outside_rigs "fitted 3\n")
