# Writes FOLDER/build_commit.h with the commit of SOURCE, with "-dirty" if the tree differs, "unknown" without git. An unchanged
# file is not rewritten. The ceiling prevents git from using a repository around a source tree that has none.
get_filename_component(ceiling ${SOURCE} DIRECTORY)
set(ENV{GIT_CEILING_DIRECTORIES} ${ceiling})
execute_process(COMMAND git describe --always --dirty WORKING_DIRECTORY ${SOURCE} RESULT_VARIABLE failed
  OUTPUT_VARIABLE GRAZE_BUILD_COMMIT ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
if(NOT failed STREQUAL 0 OR NOT GRAZE_BUILD_COMMIT MATCHES "^[A-Za-z0-9._/-]+$")
  set(GRAZE_BUILD_COMMIT unknown)
endif()
configure_file(${CMAKE_CURRENT_LIST_DIR}/build_commit.h.in ${FOLDER}/build_commit.h @ONLY)
