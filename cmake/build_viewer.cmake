# cmake -D MODE=<ON|OFF|AUTO> -D SOURCE=<viewer> -D BUILD=<folder> -D NPM=<npm> -D NODE=<node> -D OUTPUT=<cpp>
#       -P build_viewer.cmake
# Fetches the packages unless they are there, builds the page and embeds it. With AUTO, what fails is told, and the
# source that is written holds no page.

function(give_up reason)
  if(MODE STREQUAL "ON")
    message(FATAL_ERROR "The viewer's page cannot be built: ${reason}")
  endif()
  message("The program is built without the viewer's page: ${reason}. `make viewer` tries again and says more.")
  set(failed TRUE PARENT_SCOPE)
endfunction()

function(run what)
  set(quiet OUTPUT_QUIET ERROR_QUIET)
  if(MODE STREQUAL "ON")
    set(quiet "")
  endif()
  execute_process(COMMAND ${ARGN} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE result ${quiet})
  if(result)
    give_up("${what} failed (${result})")
    set(failed ${failed} PARENT_SCOPE)
  endif()
endfunction()

set(failed FALSE)
set(files "")
if(NOT MODE STREQUAL "OFF")
  # Several build folders share the packages.
  file(LOCK ${SOURCE}/node_modules.lock GUARD PROCESS TIMEOUT 900)
  # npm writes this file last.
  set(installed ${SOURCE}/node_modules/.package-lock.json)
  if(NOT EXISTS ${installed} OR ${SOURCE}/package-lock.json IS_NEWER_THAN ${installed})
    run("npm ci" ${NPM} ci --no-audit --no-fund --fetch-retries=1 --fetch-timeout=30000)
  endif()
  if(NOT failed)
    run("the build by Vite" ${NODE} node_modules/vite/bin/vite.js build --logLevel warn --emptyOutDir --outDir ${BUILD})
  endif()
  if(NOT failed)
    file(GLOB files ${BUILD}/*.gz)
  endif()
endif()

set(LIST ${OUTPUT}.txt)
list(JOIN files "\n" text)
file(WRITE ${LIST} "${text}")
set(HEADER view/page_files.h)
set(TYPE PageFile)
set(FUNCTION page_files)
include(${CMAKE_CURRENT_LIST_DIR}/embed.cmake)
