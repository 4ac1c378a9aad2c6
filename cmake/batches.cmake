# Files compiled several at a time: most of a small file's time goes into what it includes, and templates that several files use are compiled
# once. It takes a third of the time of a build from nothing. -DTAPPET_BATCHES=OFF compiles every file alone, which is quicker where one of
# them is edited all the time.
#
#   compile_together(VARIABLE FOLDER)    replaces the folder's own files in a list of sources by batches of them
#
# Names in unnamed namespaces meet within a batch: files of a registry, which all have the same names, stand in a namespace of their file's
# name. A file that has compile definitions or options of its own must be given them before, and stays alone.
set(TAPPET_FILES_PER_BATCH 16)
function(compile_together variable folder)
  if(NOT TAPPET_BATCHES)
    return()
  endif()
  # Paths are relative, for ccache's sake.
  cmake_path(SET place NORMALIZE ${CMAKE_CURRENT_SOURCE_DIR}/${folder})
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${CMAKE_CURRENT_SOURCE_DIR} ${place}/*.cpp)
  foreach(file ${files})
    get_source_file_property(definitions ${file} COMPILE_DEFINITIONS)
    get_source_file_property(options ${file} COMPILE_OPTIONS)
    if(definitions OR options OR NOT ${CMAKE_CURRENT_SOURCE_DIR}/${file} IN_LIST ${variable})
      list(REMOVE_ITEM files ${file})
    endif()
  endforeach()
  list(LENGTH files number)
  math(EXPR batches "(${number} + ${TAPPET_FILES_PER_BATCH} - 1) / ${TAPPET_FILES_PER_BATCH}")
  set(batch 0)
  foreach(file ${files})
    # Dealt out like cards, so that batches take equally long.
    string(APPEND text_${batch} "#include \"${file}\"\n")
    math(EXPR batch "(${batch} + 1) % ${batches}")
    list(REMOVE_ITEM ${variable} ${CMAKE_CURRENT_SOURCE_DIR}/${file})
  endforeach()
  string(MAKE_C_IDENTIFIER ${folder} name)
  set(batch 0)
  while(batch LESS batches)
    set(together ${CMAKE_CURRENT_BINARY_DIR}/batches/${name}_${batch}.cpp)
    file(CONFIGURE OUTPUT ${together} CONTENT "${text_${batch}}" @ONLY)
    list(APPEND ${variable} ${together})
    math(EXPR batch "${batch} + 1")
  endwhile()
  set(${variable} ${${variable}} PARENT_SCOPE)
endfunction()
