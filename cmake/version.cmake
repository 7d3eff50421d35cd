# cmake -D VERSION= -D GIT= -D SOURCE_DIR= -D OUTPUT= -P version.cmake

set(DESCRIBE "")
if(GIT AND EXISTS ${SOURCE_DIR}/.git)
  execute_process(
    COMMAND ${GIT} describe --always --dirty --tags
    WORKING_DIRECTORY ${SOURCE_DIR}
    OUTPUT_VARIABLE DESCRIBE OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/version.cpp.in ${OUTPUT} @ONLY)
