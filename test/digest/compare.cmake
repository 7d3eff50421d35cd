# Fails unless both programs print the same.
foreach(program A B)
  execute_process(COMMAND ${${program}} OUTPUT_VARIABLE out_${program} COMMAND_ERROR_IS_FATAL ANY)
endforeach()
if(NOT out_A STREQUAL out_B)
  message(FATAL_ERROR "${A} prints\n${out_A}but ${B} prints\n${out_B}")
endif()
