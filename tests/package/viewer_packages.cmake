# Fails if configuring a build runs npm, if the build of the viewer does not run it once for each lock file, or if the build stops when
# npm fails. A script stands in for npm.
#
# cmake -D SOURCE=... -D WORK=... -D C_COMPILER=... -D GENERATOR=... -P viewer_packages.cmake
if(NOT GENERATOR STREQUAL Ninja)
  message("skipped: ninja builds single files, ${GENERATOR} does not")
  return()
endif()
file(REMOVE_RECURSE ${WORK})
file(WRITE ${WORK}/npm "#!/bin/sh\necho called >>${WORK}/calls\n! test -e ${WORK}/broken\n")
file(CHMOD ${WORK}/npm PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE)

function(expect_calls expected)
  set(calls "")
  if(EXISTS ${WORK}/calls)
    file(STRINGS ${WORK}/calls calls)
  endif()
  list(LENGTH calls count)
  if(NOT count EQUAL expected)
    message(FATAL_ERROR "npm ran ${count} times, not ${expected}: ${ARGN}")
  endif()
endfunction()

function(build)
  execute_process(COMMAND ${CMAKE_COMMAND} --build ${WORK}/build --target viewer/installed OUTPUT_VARIABLE output COMMAND_ERROR_IS_FATAL ANY)
  set(output "${output}" PARENT_SCOPE)
endfunction()

execute_process(
  COMMAND ${CMAKE_COMMAND} -S ${SOURCE} -B ${WORK}/build -G ${GENERATOR} -D CMAKE_C_COMPILER=${C_COMPILER} -D GRAZE_VIEWER=ON
          -D GRAZE_NPM=${WORK}/npm -D GRAZE_NODE=${WORK}/npm -D GRAZE_CUDA=OFF -D GRAZE_MPI=OFF -D GRAZE_TESTS=OFF
  OUTPUT_QUIET COMMAND_ERROR_IS_FATAL ANY)
expect_calls(0 "by configuring")
build()
build()
expect_calls(1 "by two builds")
file(REMOVE ${WORK}/build/viewer/installed)
file(TOUCH ${WORK}/broken)
build()
if(EXISTS ${WORK}/build/viewer/installed OR NOT output MATCHES "without the viewer: npm could not")
  message(FATAL_ERROR "the build does not report that npm failed:\n${output}")
endif()
file(REMOVE ${WORK}/broken)
build()
expect_calls(3 "by a build after a failure")

# Without the packages, the C source has no page.
find_program(NODE_PROGRAM node)
if(NODE_PROGRAM)
  file(COPY ${SOURCE}/viewer/build.mjs DESTINATION ${WORK}/bare)
  execute_process(COMMAND ${NODE_PROGRAM} build.mjs page WORKING_DIRECTORY ${WORK}/bare COMMAND_ERROR_IS_FATAL ANY)
  file(READ ${WORK}/bare/page/viewer_page_text.c text)
  if(NOT text MATCHES "viewer_page_absent.c")
    message(FATAL_ERROR "the page without packages is not absent:\n${text}")
  endif()
endif()
message("npm runs only when the viewer is built")
