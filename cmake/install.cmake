# What "cmake --install" puts where, and how another project finds it: find_package(tappet), target tappet::tappet.
include(CMakePackageConfigHelpers)

install(TARGETS tappet EXPORT tappetTargets FILE_SET HEADERS)
install(TARGETS tappet-cli)
# The program finds the library next to it, wherever the two are moved together.
file(RELATIVE_PATH library_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(tappet-cli PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_program}")

if(TARGET tappet_fmu)
  install(TARGETS tappet_fmu LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
if(TARGET tappet_mpi)
  install(TARGETS tappet_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_target_properties(tappet_mpi PROPERTIES INSTALL_RPATH "$ORIGIN")
endif()

# What the program says about itself, for man and for shells. A program for another machine cannot be asked.
if(NOT CMAKE_CROSSCOMPILING)
  install(CODE "
    foreach(page \"manual|${CMAKE_INSTALL_MANDIR}/man1/tappet.1\" \"completion bash|${CMAKE_INSTALL_DATADIR}/bash-completion/completions/tappet\"
                 \"completion zsh|${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions/_tappet\"
                 \"completion fish|${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d/tappet.fish\")
      string(REPLACE \"|\" \";\" page \"\${page}\")
      list(GET page 0 arguments)
      list(GET page 1 file)
      string(REPLACE \" \" \";\" arguments \"\${arguments}\")
      set(file \"\$ENV{DESTDIR}\${CMAKE_INSTALL_PREFIX}/\${file}\")
      get_filename_component(folder \"\${file}\" DIRECTORY)
      file(MAKE_DIRECTORY \"\${folder}\")
      message(STATUS \"Installing: \${file}\")
      execute_process(COMMAND \"$<TARGET_FILE:tappet-cli>\" \${arguments} OUTPUT_FILE \"\${file}\" COMMAND_ERROR_IS_FATAL ANY)
    endforeach()")
endif()

# Models to begin with; the catalogues of `tappet reproduce` are among them.
install(DIRECTORY ${PROJECT_SOURCE_DIR}/examples DESTINATION ${CMAKE_INSTALL_DATADIR}/tappet)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/tappet)
install(EXPORT tappetTargets NAMESPACE tappet:: DESTINATION ${package_dir})
configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/tappetConfig.cmake.in ${PROJECT_BINARY_DIR}/tappetConfig.cmake
                              INSTALL_DESTINATION ${package_dir})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/tappetConfigVersion.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/tappetConfig.cmake ${PROJECT_BINARY_DIR}/tappetConfigVersion.cmake
        DESTINATION ${package_dir})
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
