# Installs npm's packages and bundles the page: cmake -DNODE= -DNPM= -DTESTS= -DOUT= -P build.cmake
#
# A machine that cannot reach npm's registry still gets a Tappet, without the page, and is told so.
set(here ${CMAKE_CURRENT_LIST_DIR})
file(MAKE_DIRECTORY ${OUT})
file(REMOVE_RECURSE ${OUT}/src ${OUT}/test)
file(GLOB sources ${here}/*.mjs ${here}/*.json ${here}/src ${here}/test)
file(COPY ${sources} DESTINATION ${OUT})

# The browser's driver and the type checker are only for the tests.
set(omit)
if(NOT TESTS)
  set(omit --omit=dev)
endif()
file(SHA256 ${here}/package-lock.json lock)
set(wanted "${lock} ${omit}")
set(installed)
if(EXISTS ${OUT}/.installed)
  file(READ ${OUT}/.installed installed)
endif()
if(NOT installed STREQUAL wanted AND NOT installed STREQUAL "${lock} ")
  file(REMOVE ${OUT}/.installed)
  execute_process(COMMAND ${NPM} ci ${omit} --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error
                          --fetch-retries=1 --fetch-timeout=60000
                  WORKING_DIRECTORY ${OUT} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(failed)
    message("${log}")
    message(WARNING "npm could not install the viewer's packages: tappet report and tappet view will not work. "
                    "Once npm's registry can be reached, touch viewer/package.json and build again.")
    file(COPY_FILE ${here}/viewer_page_missing.cpp ${OUT}/viewer_page.cpp)
    return()
  endif()
  file(WRITE ${OUT}/.installed "${wanted}")
endif()
execute_process(COMMAND ${NODE} build.mjs ${OUT} WORKING_DIRECTORY ${OUT} COMMAND_ERROR_IS_FATAL ANY)
