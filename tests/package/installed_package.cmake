# Installs graze into an empty folder, then builds and runs two small outside projects with only that folder: one in C with
# find_package(graze), one in C++ with find_package and with pkg-config. The static library comes from the build tree under
# test; the shared one from that of growth/later_library.cmake: only the core, not optimized, with headers that have
# appended fields.
#
# cmake -D KIND=static|shared -D SOURCE=... -D BUILD=... -D WORK=... -D C_COMPILER=... -D CXX_COMPILER=... -D GENERATOR=...
#       -D VERSION=... -P installed_package.cmake
include(${CMAKE_CURRENT_LIST_DIR}/exported_names.cmake)
function(run)
  cmake_parse_arguments(RUN "" "SAYS" "COMMAND" ${ARGN})
  execute_process(COMMAND ${RUN_COMMAND} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN RUN_COMMAND " " words)
    message(FATAL_ERROR "exit status ${status} of: ${words}\n${output}")
  endif()
  if(RUN_SAYS AND NOT output MATCHES "${RUN_SAYS}")
    message(FATAL_ERROR "expected to read '${RUN_SAYS}', got:\n${output}")
  endif()
  set(RUN_OUTPUT "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK})
file(MAKE_DIRECTORY ${WORK})
set(PREFIX ${WORK}/prefix)
run(COMMAND ${CMAKE_COMMAND} --install ${BUILD} --prefix ${PREFIX})

# Moved after installation: the package must not contain its location.
file(RENAME ${PREFIX} ${WORK}/moved)
set(PREFIX ${WORK}/moved)

# libgraze_io is built with the tools; the shared build has only the core.
file(GLOB_RECURSE io_header ${PREFIX}/include/graze/io.h)
set(io_program)
if(io_header)
  set(io_program ${SOURCE}/docs/read_meshes.c)
endif()
foreach(language C CXX)
  set(program)
  if(language STREQUAL C)
    set(program ${io_program})
  endif()
  run(COMMAND ${CMAKE_COMMAND} -G ${GENERATOR} -S ${SOURCE}/tests/package/outside -B ${WORK}/outside_${language}
    -D OUTSIDE_LANGUAGE=${language} -D OUTSIDE_GRAZE_VERSION=${VERSION} -D CMAKE_PREFIX_PATH=${PREFIX} -D OUTSIDE_IO_PROGRAM=${program}
    -D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_CXX_COMPILER=${CXX_COMPILER})
  run(COMMAND ${CMAKE_COMMAND} --build ${WORK}/outside_${language})
  run(COMMAND ${WORK}/outside_${language}/two_triangles SAYS "graze ${VERSION}: 1 pair")
endforeach()

file(GLOB_RECURSE pkgconfig_file ${PREFIX}/*/graze.pc)
get_filename_component(pkgconfig_folder ${pkgconfig_file} DIRECTORY)
get_filename_component(library_folder ${pkgconfig_folder} DIRECTORY)
set(ENV{PKG_CONFIG_PATH} ${pkgconfig_folder})
run(COMMAND pkg-config --exact-version=${VERSION} graze)
run(COMMAND pkg-config --cflags --libs graze)
string(STRIP "${RUN_OUTPUT}" flags)
separate_arguments(flags UNIX_COMMAND "${flags}")
run(COMMAND ${CXX_COMPILER} -std=c++11 -x c++ ${SOURCE}/tests/package/outside/two_triangles.c -x none
  -o ${WORK}/by_pkgconfig ${flags} -Wl,-rpath,${library_folder})
run(COMMAND ${WORK}/by_pkgconfig SAYS "graze ${VERSION}: 1 pair")

if(io_program)
  set(reads "ground.obj: 1 polygon, 4 vertices\n1 pair")
  run(COMMAND ${WORK}/outside_C/read_meshes SAYS "${reads}")
  run(COMMAND pkg-config --cflags --libs graze_io)
  string(STRIP "${RUN_OUTPUT}" flags)
  separate_arguments(flags UNIX_COMMAND "${flags}")
  run(COMMAND ${C_COMPILER} -std=c17 ${io_program} -o ${WORK}/io_by_pkgconfig ${flags} -Wl,-rpath,${library_folder})
  run(COMMAND ${WORK}/io_by_pkgconfig SAYS "${reads}")
endif()
if(KIND STREQUAL static)
  check_exported_names(${library_folder}/libgraze_io.a ${PREFIX}/include/graze)
  # The guide states what a program links.
  run(COMMAND pkg-config --libs-only-l --libs-only-other graze_io)
  separate_arguments(flags UNIX_COMMAND "${RUN_OUTPUT}")
  list(FILTER flags EXCLUDE REGEX "^-(L|lgraze)|^[ \n]*$")
  file(READ ${SOURCE}/docs/guide/install.md install)
  foreach(flag ${flags})
    string(FIND "${install}" "${flag}" place)
    if(place EQUAL -1)
      message(FATAL_ERROR "docs/guide/install.md does not name ${flag}, which pkg-config lists")
    endif()
  endforeach()
endif()
if(KIND STREQUAL shared)
  check_exported_names(${library_folder}/libgraze.so ${PREFIX}/include/graze)
  check_loader_name(${library_folder}/libgraze.so ${VERSION})
else()
  check_exported_names(${library_folder}/libgraze.a ${PREFIX}/include/graze)
endif()

file(GLOB_RECURSE license ${PREFIX}/*/LICENSE)
if(NOT license)
  message(FATAL_ERROR "the license was not installed")
endif()
if(KIND STREQUAL static)
  run(COMMAND ${PREFIX}/bin/graze --version SAYS "${VERSION}")
  foreach(file bash-completion/completions/graze zsh/site-functions/_graze fish/vendor_completions.d/graze.fish
      graze/schema/check.json)
    if(NOT EXISTS ${PREFIX}/share/${file})
      message(FATAL_ERROR "${file} was not installed")
    endif()
  endforeach()
endif()
message("the ${KIND} library works from an installed tree")
