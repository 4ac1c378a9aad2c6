# Copies the viewer with its tests and installs npm's packages there, the tools of the tests among them: cmake -DNPM= -DOUT= -P test_tools.cmake
#
# Where npm's registry cannot be reached the build goes on; the tests say what they miss.
set(here ${CMAKE_CURRENT_LIST_DIR})
file(REMOVE_RECURSE ${OUT}/src ${OUT}/test)
file(GLOB sources ${here}/*.json ${here}/src ${here}/test)
file(COPY ${sources} DESTINATION ${OUT})
file(SHA256 ${here}/package-lock.json wanted)
set(installed)
if(EXISTS ${OUT}/.installed)
  file(READ ${OUT}/.installed installed)
endif()
if(NOT installed STREQUAL wanted)
  file(REMOVE ${OUT}/.installed)
  execute_process(COMMAND ${NPM} ci --ignore-scripts --prefer-offline --no-audit --no-fund --loglevel=error --fetch-retries=1
                          --fetch-timeout=60000
                  WORKING_DIRECTORY ${OUT} RESULT_VARIABLE failed OUTPUT_VARIABLE log ERROR_VARIABLE log)
  if(failed)
    message("${log}")
    message(WARNING "npm could not install what tests of the viewer need: they will fail. "
                    "Once npm's registry can be reached, touch viewer/package.json and build again.")
  else()
    file(WRITE ${OUT}/.installed "${wanted}")
  endif()
endif()
file(TOUCH ${OUT}/.tests)
