# Installs the build into a folder, moves that folder, and lets a project of its own find, build and run.
# Variables: BUILD, CONFIG, CONSUMER (its sources), WORK (scratch), COMPILER, VERSION.
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(run)
  execute_process(COMMAND ${ARGV} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status)
    message(FATAL_ERROR "failed (${status}): ${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/first)
file(RENAME ${WORK}/first "${WORK}/moved to")

# The program finds its library in the moved tree.
run("${WORK}/moved to/bin/tappet" --version)

run(${CMAKE_COMMAND} -S ${CONSUMER} -B ${WORK}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
    "-DCMAKE_PREFIX_PATH=${WORK}/moved to" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
if(NOT output STREQUAL "${VERSION}\n")
  message(FATAL_ERROR "the consumer printed '${output}', expected '${VERSION}'")
endif()
