# cmake -D GROUSER=<program> -D NODE=<node> -D CHROMIUM=<browser> -D VIEWER=<folder> -P viewer_page.cmake
# Runs the tests of the viewer's page, unless the program was built without it.

if(NOT EXISTS ${VIEWER}/node_modules/playwright-core)
  message("skipped: npm has not fetched the packages of viewer/")
  return()
endif()
execute_process(COMMAND ${NODE} node_modules/vite/bin/vite.js build --ssr test/pure.test.ts --outDir build-test
                        --logLevel warn
                WORKING_DIRECTORY ${VIEWER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${NODE} --test build-test/viewer.js WORKING_DIRECTORY ${VIEWER} COMMAND_ERROR_IS_FATAL ANY)
execute_process(COMMAND ${CMAKE_COMMAND} -E env CHROMIUM=${CHROMIUM} ${NODE} test/browser.mjs ${GROUSER}
                WORKING_DIRECTORY ${VIEWER} COMMAND_ERROR_IS_FATAL ANY)
