# Installs the build into a folder, moves that folder, and lets a project of its own find, build and run: each public header alone, and the
# programs of docs/cpp.md; and builds and runs the example in C++.
# Variables: BUILD, CONFIG, CONSUMER (its sources), SOURCE (the checkout), HEADERS (the public ones), WORK (scratch), COMPILER, VERSION.
cmake_minimum_required(VERSION 3.25)
file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})

function(run)
  # Arguments may be lists themselves.
  set(command)
  math(EXPR last "${ARGC} - 1")
  foreach(i RANGE ${last})
    string(REPLACE ";" "\\;" argument "${ARGV${i}}")
    list(APPEND command "${argument}")
  endforeach()
  execute_process(COMMAND ${command} RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(status)
    message(FATAL_ERROR "failed (${status}): ${ARGV}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

run(${CMAKE_COMMAND} --install ${BUILD} --config ${CONFIG} --prefix ${WORK}/first)
file(RENAME ${WORK}/first "${WORK}/moved to")

# The program finds its library in the moved tree.
run("${WORK}/moved to/bin/tappet" --version)

# What is not public is not there.
file(GLOB_RECURSE headers RELATIVE "${WORK}/moved to/include" "${WORK}/moved to/include/tappet/*.hpp")
foreach(header ${HEADERS})
  if(NOT header IN_LIST headers)
    message(FATAL_ERROR "${header} is not installed")
  endif()
endforeach()
if("tappet/run/run.hpp" IN_LIST headers OR "tappet/lcp/note_text.hpp" IN_LIST headers)
  message(FATAL_ERROR "headers are installed that are not public")
endif()

# The programs of the page, and what they are said to print.
file(READ ${SOURCE}/docs/cpp.md page)
set(programs)
set(printed)
foreach(number RANGE 1 2)
  string(FIND "${page}" "```cpp\n" begin)
  math(EXPR begin "${begin} + 7")
  string(SUBSTRING "${page}" ${begin} -1 page)
  string(FIND "${page}" "```" end)
  string(SUBSTRING "${page}" 0 ${end} program)
  string(SUBSTRING "${page}" ${end} -1 page)
  file(WRITE ${WORK}/program${number}.cpp "${program}")
  string(REGEX MATCH "prints `([^`]*)`" prints "${page}")
  set(prints${number} "${CMAKE_MATCH_1}")
  list(APPEND programs ${WORK}/program${number}.cpp)
endforeach()

run(${CMAKE_COMMAND} "-DHEADERS=${HEADERS}" "-DPROGRAMS=${programs}" -S ${CONSUMER} -B ${WORK}/build -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
    "-DCMAKE_PREFIX_PATH=${WORK}/moved to" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF)
run(${CMAKE_COMMAND} --build ${WORK}/build)
run(${WORK}/build/consumer)
if(NOT output STREQUAL "${VERSION}\n")
  message(FATAL_ERROR "the consumer printed '${output}', expected '${VERSION}'")
endif()

foreach(number RANGE 1 2)
  execute_process(COMMAND ${WORK}/build/program${number} WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  if(status OR NOT output STREQUAL "${prints${number}}\n")
    message(FATAL_ERROR "docs/cpp.md says that its program ${number} prints '${prints${number}}'; it ended with ${status} and printed "
                        "'${output}'")
  endif()
endforeach()

# The example: a project of its own, whose program says by its status whether the pole stands, and prints what touched it.
run(${CMAKE_COMMAND} -S ${SOURCE}/examples/cpp -B ${WORK}/example -G Ninja -DCMAKE_CXX_COMPILER=${COMPILER}
    "-DCMAKE_PREFIX_PATH=${WORK}/moved to" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
run(${CMAKE_COMMAND} --build ${WORK}/example)
run(${WORK}/example/inverted_pendulum)
if(NOT output MATCHES "ball touches pole at .* and is pushed by .*balanced after a blow")
  message(FATAL_ERROR "the inverted pendulum printed '${output}'")
endif()
# Its page shows what it prints.
file(READ ${SOURCE}/examples/cpp/README.md page)
string(FIND "${page}" "${output}" shown)
if(shown EQUAL -1)
  message(FATAL_ERROR "examples/cpp/README.md does not show what the program prints:\n${output}")
endif()

# An FMU, and its sources: they build against what is installed.
execute_process(COMMAND "${WORK}/moved to/bin/tappet" fmu ${SOURCE}/examples/bouncing_ball/impact.yaml --fmi 3 -o ${WORK}/ball.fmu
                RESULT_VARIABLE status ERROR_VARIABLE output OUTPUT_QUIET)
if(status EQUAL 0)
  file(ARCHIVE_EXTRACT INPUT ${WORK}/ball.fmu DESTINATION ${WORK}/fmu)
  run(${CMAKE_COMMAND} -S ${WORK}/fmu/sources -B ${WORK}/fmu/build -G Ninja -DFMU_NAME=impact -DCMAKE_CXX_COMPILER=${COMPILER}
      "-DCMAKE_PREFIX_PATH=${WORK}/moved to" -DCMAKE_FIND_USE_PACKAGE_REGISTRY=OFF "-DCMAKE_CXX_FLAGS=-Wall -Wextra -Wpedantic -Werror")
  run(${CMAKE_COMMAND} --build ${WORK}/fmu/build)
  if(NOT EXISTS ${WORK}/fmu/build/impact.so)
    message(FATAL_ERROR "the sources of the FMU made no impact.so")
  endif()
elseif(NOT output MATCHES "built without libzip")
  message(FATAL_ERROR "tappet fmu failed: ${output}")
endif()
