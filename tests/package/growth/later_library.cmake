# Builds the library of a later version, with one field appended to every struct that can grow, and runs a program with it
# that was compiled with the current headers.
#
# cmake -D SOURCE=... -D WORK=... -D C_COMPILER=... -D GENERATOR=... -P later_library.cmake
include(${CMAKE_CURRENT_LIST_DIR}/append_fields.cmake)
function(run)
  execute_process(COMMAND ${ARGN} OUTPUT_VARIABLE output ERROR_VARIABLE output RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    list(JOIN ARGN " " words)
    message(FATAL_ERROR "exit status ${status} of: ${words}\n${output}")
  endif()
  set(RUN_OUTPUT "${output}" PARENT_SCOPE)
endfunction()

file(REMOVE_RECURSE ${WORK}/graze)
file(COPY ${SOURCE}/CMakeLists.txt ${SOURCE}/cmake ${SOURCE}/src ${SOURCE}/LICENSE DESTINATION ${WORK}/graze)
append_fields(${SOURCE}/include/graze ${WORK}/graze/include/graze)
file(COPY ${SOURCE}/include/graze/inside DESTINATION ${WORK}/graze/include/graze)
file(COPY_FILE ${CMAKE_CURRENT_LIST_DIR}/CMakeLists.txt ${WORK}/CMakeLists.txt)
run(${CMAKE_COMMAND} -G ${GENERATOR} -S ${WORK} -B ${WORK}/build -D CMAKE_BUILD_TYPE=Debug -D BUILD_SHARED_LIBS=ON
  -D CMAKE_C_COMPILER=${C_COMPILER} -D CMAKE_C_FLAGS_DEBUG=-O0 -D GRAZE_CUDA=OFF -D GRAZE_TOOLS=OFF -D GRAZE_TESTS=OFF
  -D HEADERS=${SOURCE}/include -D PROGRAM=${CMAKE_CURRENT_LIST_DIR}/grown_structs.c)
run(${CMAKE_COMMAND} --build ${WORK}/build --parallel 2)
run(${WORK}/build/grown_structs)
if(NOT RUN_OUTPUT MATCHES "grown structs work")
  message(FATAL_ERROR "the program printed: ${RUN_OUTPUT}")
endif()
message("a program with the current headers works with a later library")
