# Installation rules: library, headers, tool, man pages, and the files for find_package(graze) and pkg-config. Users of the static
# library must link its dependencies; this file makes their list.
include(CMakePackageConfigHelpers)

# Before 1.0 a minor version may break the binary interface, so the soname contains it: docs/reference/abi.md.
set_target_properties(graze PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR})

set(GRAZE_PACKAGE_DIRECTORY ${CMAKE_INSTALL_LIBDIR}/cmake/graze)
get_target_property(GRAZE_LIBRARY_TYPE graze TYPE)
set(packaged graze)
if(TARGET graze_localized)
  if(GRAZE_LIBRARY_TYPE STREQUAL STATIC_LIBRARY)
    set(packaged graze_localized)
  else()
    # Only pkg-config finds it: find_package would require the static library's dependencies from users of the shared one.
    install(TARGETS graze_localized ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endif()
install(TARGETS ${packaged} EXPORT graze-targets
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
  LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
  RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(EXPORT graze-targets NAMESPACE graze:: DESTINATION ${GRAZE_PACKAGE_DIRECTORY})
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/graze DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h"
  PATTERN "io.h" EXCLUDE PATTERN "inside" EXCLUDE)
install(FILES ${PROJECT_BINARY_DIR}/include/graze/version.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})

if(TARGET graze_cli)
  file(RELATIVE_PATH GRAZE_LIBRARY_FROM_TOOL ${CMAKE_INSTALL_FULL_BINDIR} ${CMAKE_INSTALL_FULL_LIBDIR})
  set(tool_rpath "$ORIGIN/${GRAZE_LIBRARY_FROM_TOOL}" ${CMAKE_INSTALL_RPATH})
  set_target_properties(graze_cli PROPERTIES INSTALL_RPATH "${tool_rpath}")
  install(TARGETS graze_cli RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/schema DESTINATION ${CMAKE_INSTALL_DATADIR}/graze FILES_MATCHING PATTERN "*.json")
  # The folders in which shells search for completions; distribution packages have a separate one for zsh.
  set(GRAZE_ZSH_COMPLETIONS ${CMAKE_INSTALL_DATADIR}/zsh/site-functions CACHE STRING "Folder of the completion for zsh")
  install(FILES ${PROJECT_SOURCE_DIR}/completions/graze.bash RENAME graze
    DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
  install(FILES ${PROJECT_SOURCE_DIR}/completions/_graze DESTINATION ${GRAZE_ZSH_COMPLETIONS})
  install(FILES ${PROJECT_SOURCE_DIR}/completions/graze.fish DESTINATION ${CMAKE_INSTALL_DATADIR}/fish/vendor_completions.d)
endif()

get_target_property(GRAZE_LIBRARY_DEFINITIONS graze COMPILE_DEFINITIONS)
set(GRAZE_LINKS_STATIC OFF)
set(GRAZE_LINKS_OPENMP OFF)
set(GRAZE_LINKS_CUDA OFF)
if(GRAZE_LIBRARY_TYPE STREQUAL STATIC_LIBRARY)
  set(GRAZE_LINKS_STATIC ON)
  if("GRAZE_HAVE_OPENMP" IN_LIST GRAZE_LIBRARY_DEFINITIONS)
    set(GRAZE_LINKS_OPENMP ON)
  endif()
  if(GRAZE_CUDA_FOUND)
    set(GRAZE_LINKS_CUDA ON)
  endif()
endif()

configure_package_config_file(${CMAKE_CURRENT_LIST_DIR}/graze-config.cmake.in ${PROJECT_BINARY_DIR}/graze-config.cmake
  INSTALL_DESTINATION ${GRAZE_PACKAGE_DIRECTORY})
# Before 1.0 a minor version may change the interface.
write_basic_package_version_file(${PROJECT_BINARY_DIR}/graze-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/graze-config.cmake ${PROJECT_BINARY_DIR}/graze-config-version.cmake
  DESTINATION ${GRAZE_PACKAGE_DIRECTORY})

# The paths in graze.pc are relative to its location, so an installed tree can be moved.
file(RELATIVE_PATH GRAZE_PREFIX_FROM_PKGCONFIG ${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig ${CMAKE_INSTALL_PREFIX})
set(GRAZE_PKGCONFIG_LIBRARIES "")
set(GRAZE_PKGCONFIG_DEFINITIONS "")
if(NOT GRAZE_LINKS_STATIC)
  set(GRAZE_PKGCONFIG_DEFINITIONS " -DGRAZE_SHARED")
endif()
set(GRAZE_PKGCONFIG_PRIVATE_LIBRARIES "-lm -pthread")
if("GRAZE_HAVE_OPENMP" IN_LIST GRAZE_LIBRARY_DEFINITIONS)
  string(APPEND GRAZE_PKGCONFIG_PRIVATE_LIBRARIES " -fopenmp")
endif()
if(GRAZE_CUDA_FOUND)
  string(APPEND GRAZE_PKGCONFIG_PRIVATE_LIBRARIES " -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -lstdc++ -ldl -lrt")
endif()
if(GRAZE_LINKS_STATIC)
  # Users do not pass --static to pkg-config for a library that is only static.
  set(GRAZE_PKGCONFIG_LIBRARIES " ${GRAZE_PKGCONFIG_PRIVATE_LIBRARIES}")
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/graze.pc.in ${PROJECT_BINARY_DIR}/graze.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/graze.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)

# libgraze_io is a component, so that find_package(graze) requires zlib only from its users.
if(TARGET graze::io)
  install(FILES ${PROJECT_SOURCE_DIR}/include/graze/io.h DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/graze)
  set(packaged graze_io_localized)
  if(TARGET graze_io)
    set(packaged graze_io)
    set_target_properties(graze_io PROPERTIES VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
      INSTALL_RPATH "$ORIGIN")
    if(TARGET graze_io_localized)
      install(TARGETS graze_io_localized ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
    endif()
  endif()
  install(TARGETS ${packaged} EXPORT graze-io-targets
    ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  install(EXPORT graze-io-targets NAMESPACE graze:: DESTINATION ${GRAZE_PACKAGE_DIRECTORY})
  set(GRAZE_IO_PKGCONFIG_REQUIRES "graze = ${PROJECT_VERSION}")
  if(GRAZE_LINKS_STATIC)
    string(APPEND GRAZE_IO_PKGCONFIG_REQUIRES ", zlib")
  endif()
  configure_file(${CMAKE_CURRENT_LIST_DIR}/graze_io.pc.in ${PROJECT_BINARY_DIR}/graze_io.pc @ONLY)
  install(FILES ${PROJECT_BINARY_DIR}/graze_io.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
endif()
