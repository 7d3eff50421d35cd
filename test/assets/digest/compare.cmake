# cmake -D FIRST=<program> -D SECOND=<program> -P compare.cmake
# Both programs must print the same.
foreach(program FIRST SECOND)
  execute_process(COMMAND ${${program}} OUTPUT_VARIABLE ${program}_OUTPUT COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(FIRST_OUTPUT STREQUAL "" OR NOT FIRST_OUTPUT STREQUAL SECOND_OUTPUT)
  message(FATAL_ERROR "${FIRST}:\n${FIRST_OUTPUT}\n${SECOND}:\n${SECOND_OUTPUT}")
endif()
