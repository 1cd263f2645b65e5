# The description of the build in benchmark records: compiler and flags, from the configuration, and the commit, which every
# build looks up. A tree without git, such as a tarball, has the commit "unknown". Nothing of the machine is compiled in, so
# equal sources give equal bytes.
set(GRAZE_BUILD_RECORD_FOLDER ${PROJECT_BINARY_DIR}/build_record)
set(GRAZE_COMPILER "${CMAKE_C_COMPILER_ID} ${CMAKE_C_COMPILER_VERSION}")
string(TOUPPER "${CMAKE_BUILD_TYPE}" build_type)
set(GRAZE_COMPILER_FLAGS "${CMAKE_C_FLAGS} ${CMAKE_C_FLAGS_${build_type}}")
string(STRIP "${GRAZE_COMPILER_FLAGS} -ffp-contract=off" GRAZE_COMPILER_FLAGS)
string(REGEX REPLACE " ?-f[a-z]+-prefix-map=[^ ]*" "" GRAZE_COMPILER_FLAGS "${GRAZE_COMPILER_FLAGS}")
string(REPLACE "\\" "\\\\" GRAZE_COMPILER_FLAGS "${GRAZE_COMPILER_FLAGS}")
string(REPLACE "\"" "\\\"" GRAZE_COMPILER_FLAGS "${GRAZE_COMPILER_FLAGS}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/build_compiler.h.in ${GRAZE_BUILD_RECORD_FOLDER}/build_compiler.h @ONLY)

add_custom_target(graze_build_commit ALL
  COMMAND ${CMAKE_COMMAND} -D SOURCE=${PROJECT_SOURCE_DIR} -D FOLDER=${GRAZE_BUILD_RECORD_FOLDER}
          -P ${CMAKE_CURRENT_LIST_DIR}/write_commit.cmake
  BYPRODUCTS ${GRAZE_BUILD_RECORD_FOLDER}/build_commit.h
  COMMENT "Looking up the commit" VERBATIM)

# graze_signs_results(target): its sources may include build_compiler.h and build_commit.h.
function(graze_signs_results target)
  add_dependencies(${target} graze_build_commit)
  target_include_directories(${target} PRIVATE ${GRAZE_BUILD_RECORD_FOLDER})
endfunction()
