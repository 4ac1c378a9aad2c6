# What "cmake --install" puts where, and how another project finds it: find_package(tappet), target tappet::tappet.
include(CMakePackageConfigHelpers)

install(TARGETS tappet EXPORT tappetTargets FILE_SET HEADERS)
install(TARGETS tappet-cli)
# The program finds the library next to it, wherever the two are moved together.
file(RELATIVE_PATH library_from_program ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
set_target_properties(tappet-cli PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_program}")

if(TARGET tappet_mpi)
  install(TARGETS tappet_mpi LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  set_target_properties(tappet_mpi PROPERTIES INSTALL_RPATH "$ORIGIN")
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
